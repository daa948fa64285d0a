"""Scrimmages: what is asked for, and what came of it."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from arena.core.terms import MatchState, Outcome, Unplayed
from arena.schemas.games import GameName
from arena.schemas.matches import ForfeitEvidence, MoveOut, ResultOut
from workers.core.contract import GameSpec, SeatUse, TimeControl

MAX_GAMES = 6
"""Of one scrimmage."""
MAX_NAME_CHARS = 60

Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS)]
Number = Annotated[int, Field(ge=1, lt=2**31)]


class NewScrimmage(BaseModel):
    """A scrimmage to be played: seats are exchanged after every game, and one's own bot begins.

    With `tournament` it is played as there: its game, parameters, time and limits; without, as a game is
    usually. Two games in a row share an opening, if they have one.
    """

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"bot": "group8", "opponent": "@random", "games": 2}}
    )

    bot: Name
    version: Number | None = Field(default=None, description="The newest that may play, if none is named.")
    opponent: Name = Field(
        description="A reference bot as `@random`, a bot of one's own, or one of somebody who lets one.",
        examples=["@random"],
    )
    opponent_version: Number | None = Field(default=None, description="Of a bot of one's own.")
    tournament: Name | None = None
    game: GameName | None = Field(default=None, description="The usual one, if neither is named.")
    games: Annotated[int, Field(ge=1, le=MAX_GAMES)] = 2


class ScrimmageConsent(BaseModel):
    """Whether others of the class may play scrimmages against a bot, or a class has any."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"allowed": True}})

    allowed: bool


class BotConsent(ScrimmageConsent):
    """Whether others of the class may play scrimmages against a bot."""

    bot: str


class ScrimmageSeat(BaseModel):
    """Who sits there; a reference bot, such as `@random`, has neither version nor owner."""

    bot: str
    version: int | None
    owner: str | None


class ScrimmageGameOut(BaseModel):
    """One game of a scrimmage. `seats[0]` moves first; who asked sits in `seat`."""

    number: int
    seat: int = Field(ge=0, le=1)
    state: MatchState
    seats: tuple[ScrimmageSeat, ScrimmageSeat]
    opening: list[str]
    unplayed: Unplayed | None = Field(description="Why nothing came of it.")
    outcome: Outcome | None = Field(description="How it ended for the team that is told; null before.")
    result: ResultOut | None


class ScrimmageOut(BaseModel):
    """A scrimmage with its games. `asked_by` is told to the team that asked for it."""

    id: int
    created_at: dt.datetime
    team: str
    asked_by: str | None
    own: bool = Field(description="Whether it was asked for by the team that is told.")
    bot: ScrimmageSeat
    opponent: ScrimmageSeat
    tournament: str | None = Field(description="Whose game, time and limits it has.")
    game: GameSpec
    time: TimeControl
    over: bool
    games: list[ScrimmageGameOut]


class ScrimmageGameDetail(ScrimmageGameOut):
    """A game with its moves, and of what the bots wrote what the asking user may see."""

    scrimmage: int
    game: GameSpec
    time: TimeControl
    moves: list[MoveOut]
    use: list[SeatUse] = Field(description="What each seat used in all; empty before the end.")
    evidence: list[ForfeitEvidence]
    logs: list[int] = Field(description="The seats of which what the bot wrote may be seen.")


class OpponentOut(BaseModel):
    """A bot of somebody else's whom one's team may play against."""

    bot: str
    owner: str


class OpponentsOut(BaseModel):
    """Whom one's team may play a scrimmage against, and how many games it may still ask for."""

    reference: list[str] = Field(description="The reference bots of the game, such as `@random`.")
    others: list[OpponentOut] = Field(description="Of the class, whose owners let one.")
    games_a_day: int | None = Field(description="How many a team may ask for in 24 hours; null for no end.")
    games_left: int | None = Field(description="How many of them are left.")
    again_at: dt.datetime | None = Field(description="When the next that are used up are given back.")
