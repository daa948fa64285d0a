"""Tournaments, their entries and their tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from arena.core.terms import Leaving, MatchState, TournamentState
from arena.store import events, summaries
from arena.store.matches import UNFINISHED
from arena.store.models import Entry, Tournament
from arena.theory.pairing.contract import FormatName
from arena.tournaments import heroes
from arena.web.http.visibility import Viewer
from workers.core.contract import GameSpec, Limits, TimeControl


class TournamentOut(BaseModel):
    """A tournament, what it was planned with, and how far it is."""

    name: str = Field(examples=["spring-final"])
    state: TournamentState
    game: GameSpec
    format: FormatName
    options: dict[str, Any] = Field(description="Of the format, with their defaults.")
    heroes: list[str] = Field(description="Of a gauntlet that has not begun yet.")
    standings_order: list[str] = Field(description="What orders the table; empty for the usual order.")
    rounds_paired: int = Field(description="How many rounds have their matches.")
    time: TimeControl
    limits: Limits
    openings: int = Field(description="How many a pairing plays in each cycle; none if 0.")
    openings_drawn: int = Field(
        description="How many were drawn in all: for every cycle, for a bracket, and for its tie-breaks."
    )
    opening_plies: int
    seed: int | None = Field(
        description="What openings and bots' seeds are drawn from; shown to everybody once all is played."
    )
    created_at: dt.datetime
    started_at: dt.datetime | None
    finished_at: dt.datetime | None
    entries: int = Field(description="How many bots are entered.")
    matches: dict[MatchState, int] = Field(description="How many matches are in each state.")
    trouble: str | None = Field(description="Why it stands still: its format does not know how it goes on.")

    @classmethod
    def of(
        cls,
        tournament: Tournament,
        entries: int,
        matches: Mapping[MatchState, int],
        *,
        trouble: str | None,
        all_seen: bool,
    ) -> Self:
        """The tournament; `all_seen` shows the seed before the end too."""
        over = tournament.state in {TournamentState.FINISHED, TournamentState.CANCELLED}
        return cls(
            name=tournament.name,
            state=tournament.state,
            game=GameSpec(name=tournament.game, params=tournament.params, version=tournament.game_version),
            format=FormatName(tournament.format),
            options=heroes.options_of(tournament),
            heroes=heroes.names_of(tournament),
            standings_order=tournament.standings_order,
            rounds_paired=tournament.rounds_paired,
            time=TimeControl.model_validate(tournament.time),
            limits=Limits.model_validate(tournament.limits),
            openings=tournament.openings,
            openings_drawn=len(tournament.opening_moves),
            opening_plies=tournament.opening_plies,
            seed=tournament.seed if over or all_seen else None,
            created_at=tournament.created_at,
            started_at=tournament.started_at,
            finished_at=tournament.finished_at,
            entries=entries,
            matches=dict(matches),
            trouble=trouble,
        )


class NewEntry(BaseModel):
    """A bot to be entered; without a version, its newest one."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"bot": "group8"}})

    bot: str = Field(min_length=1, max_length=60)
    version: int | None = Field(default=None, ge=1, le=2**31 - 1)


class EntryOut(BaseModel):
    """A bot version in a tournament."""

    number: int = Field(description="Counts from 1 in the order of entering.")
    bot: str
    version: int
    owner: str
    joined_round: int = Field(description="The first round that it takes part in.")
    left_round: int | None = Field(description="The first round that it takes part in no more.")
    left_as: Leaving | None
    annulled: bool = Field(description="Whether none of its games counts.")

    @classmethod
    def of(cls, entry: Entry) -> Self:
        """The entry without its results."""
        bot = entry.version.bot
        return cls(
            number=entry.number,
            bot=bot.name,
            version=entry.version.number,
            owner=bot.owner.name,
            joined_round=entry.joined_round,
            left_round=entry.left_round,
            left_as=entry.left_as,
            annulled=entry.annulled,
        )


def shown(session: Session, viewer: Viewer, rows: Sequence[Tournament]) -> list[TournamentOut]:
    """Tournaments as `viewer` may see them, with how many entries and matches each has."""
    entries = summaries.entry_counts(session, rows)
    matches = summaries.match_counts(session, rows)
    return [
        TournamentOut.of(
            row,
            entries.get(row.id, 0),
            matches.get(row.id, {}),
            trouble=_trouble(session, row, matches.get(row.id, {})),
            all_seen=viewer.is_staff,
        )
        for row in rows
    ]


def _trouble(session: Session, tournament: Tournament, matches: Mapping[MatchState, int]) -> str | None:
    """Why it stands still, if it does: only then is the log looked through."""
    stands = tournament.state == TournamentState.RUNNING and not matches.keys() & set(UNFINISHED)
    return events.stuck(session, tournament) if stands else None
