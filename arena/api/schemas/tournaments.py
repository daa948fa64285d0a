"""Tournaments, their entries and their tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from arena.plans import Format
from arena.standings import crosstable
from arena.standings.table import Standing
from arena.store.models import Entry, MatchState, Tournament, TournamentState
from workers.contract import GameSpec, Limits, TimeControl


class TournamentOut(BaseModel):
    """A tournament, what it was planned with, and how far it is."""

    name: str = Field(examples=["spring-final"])
    state: TournamentState
    game: GameSpec
    format: Format
    time: TimeControl
    limits: Limits
    openings: int
    opening_plies: int
    seed: int | None = Field(
        description="What openings and bots' seeds are drawn from; shown to everybody once all is played."
    )
    created_at: dt.datetime
    started_at: dt.datetime | None
    finished_at: dt.datetime | None
    entries: int = Field(description="How many bots are entered.")
    matches: dict[MatchState, int] = Field(description="How many matches are in each state.")

    @classmethod
    def of(
        cls, tournament: Tournament, entries: int, matches: Mapping[MatchState, int], *, all_seen: bool
    ) -> Self:
        """The tournament; `all_seen` shows the seed before the end too."""
        over = tournament.state in {TournamentState.FINISHED, TournamentState.CANCELLED}
        return cls(
            name=tournament.name,
            state=tournament.state,
            game=GameSpec(name=tournament.game, params=tournament.params, version=tournament.game_version),
            format=Format(tournament.format),
            time=TimeControl.model_validate(tournament.time),
            limits=Limits.model_validate(tournament.limits),
            openings=tournament.openings,
            opening_plies=tournament.opening_plies,
            seed=tournament.seed if over or all_seen else None,
            created_at=tournament.created_at,
            started_at=tournament.started_at,
            finished_at=tournament.finished_at,
            entries=entries,
            matches=dict(matches),
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

    @classmethod
    def of(cls, entry: Entry) -> Self:
        """The entry without its results."""
        bot = entry.version.bot
        return cls(number=entry.number, bot=bot.name, version=entry.version.number, owner=bot.owner.name)


class StandingOut(BaseModel):
    """One line of a leaderboard. A game won gives 1 point, one drawn half a point."""

    rank: int
    entry: int = Field(description="The entry's number.")
    bot: str
    version: int
    owner: str
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    score_own: int = Field(description="The sum of its own scores (discs).")
    score_other: int = Field(description="The sum of its opponents' scores.")
    wall_ms: int = Field(description="The time it used in all, in milliseconds.")
    direct: float | None = Field(
        description="Its points against those with as many points, where there are any."
    )

    @classmethod
    def of(cls, standing: Standing) -> Self:
        """The line as the table has it, direct encounters in points."""
        fields = asdict(standing)
        direct = None if standing.direct is None else standing.direct / 2
        return cls(**fields | {"entry": standing.number, "direct": direct})


class Leaderboard(BaseModel):
    """The standings by points, direct encounter, own score, time used."""

    tournament: str
    state: TournamentState
    played: int
    matches: int = Field(description="How many there are; those called off are left out.")
    items: list[StandingOut]


class CrossCell(BaseModel):
    """What one entry made against another."""

    model_config = ConfigDict(from_attributes=True)

    points: float
    games: int


class CrossRow(BaseModel):
    """One entry's results against every other, in the table's order; null against itself."""

    rank: int
    entry: int
    bot: str
    points: float
    cells: list[CrossCell | None]


class Crosstable(BaseModel):
    """Everybody against everybody, rows and columns in the order of the leaderboard."""

    tournament: str
    state: TournamentState
    items: list[CrossRow]

    @classmethod
    def of(cls, tournament: Tournament, table: crosstable.Crosstable) -> Self:
        """The table of `tournament`."""
        rows = [
            CrossRow(
                rank=standing.rank,
                entry=standing.number,
                bot=standing.bot,
                points=standing.points,
                cells=[CrossCell.model_validate(cell) if cell else None for cell in cells],
            )
            for standing, cells in zip(table.standings, table.cells, strict=True)
        ]
        return cls(tournament=tournament.name, state=tournament.state, items=rows)
