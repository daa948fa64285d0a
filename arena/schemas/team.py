"""One's own team: its bots, what they could enter, and the games that they played."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, Field

from arena.core.terms import Leaving, Obstacle, Outcome, TournamentState
from arena.schemas.bots import VersionOut
from arena.schemas.matches import MatchOut
from workers.core.contract import FaultCode, GameSpec


class FormOut(BaseModel):
    """One of the last results of a bot."""

    tournament: str
    match: int
    outcome: Outcome


class TakesPart(BaseModel):
    """A tournament that a bot is entered in, and the version that plays there."""

    tournament: str
    title: str | None = Field(default=None, description="What stands over it, in any language.")
    state: TournamentState
    version: int
    left_as: Leaving | None


class OwnBot(BaseModel):
    """A bot of one's team."""

    name: str = Field(examples=["group8"])
    newest: VersionOut | None = Field(description="The version that was handed in last.")
    code: str | None = Field(description="The code of the fault that the newest version failed by.")
    form: list[FormOut] = Field(description="How its last matches ended, the last first.")
    entries: list[TakesPart] = Field(description="What it takes part in, the newest tournament first.")


class OfferOut(BaseModel):
    """What one of one's bots could do in a tournament."""

    bot: str
    version: int | None = Field(description="The newest version that may play there, if any may.")
    plays: int | None = Field(description="The version that is entered there.")
    obstacle: Obstacle | None = Field(description="Why `version` cannot be entered; null where it can.")


class OpeningOut(BaseModel):
    """A tournament that one's team may enter now, or take another version in."""

    tournament: str
    title: str | None = Field(default=None, description="What stands over it, in any language.")
    state: TournamentState
    game: GameSpec
    bots: list[OfferOut]


class OwnGameOut(MatchOut):
    """A recorded match of one's team, as the bot in `seat` sees it."""

    tournament: str
    seat: int = Field(ge=0, le=1)
    outcome: Outcome
    fault: FaultCode | None = Field(description="The fault that it forfeited by.")
    recorded_at: dt.datetime
