"""Tournaments, their entries and their tables."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from arena.core.terms import Leaving, MatchState, TournamentState, VersionState
from arena.schemas.matches import ONE_LINE, one_line
from arena.theory.pairing.contract import FormatName
from workers.core.contract import GameSpec, Limits, TimeControl

MAX_TITLE_CHARS = 100

Title = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_TITLE_CHARS, strip_whitespace=True),
    AfterValidator(one_line),
    Field(json_schema_extra={"pattern": ONE_LINE}, examples=["春季決賽"]),
]


class TournamentOut(BaseModel):
    """A tournament, what it was planned with, and how far it is."""

    name: str = Field(examples=["spring-final"])
    title: str | None = Field(
        default=None,
        description="What stands over it, in any language; null: its name.",
        examples=["春季決賽"],
    )
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
    reuse: bool = Field(
        description="Whether the process of a bot that says it is reusable may play several matches: what it "
        "remembers and the files that it has written stay from one to the next."
    )
    created_at: dt.datetime
    started_at: dt.datetime | None
    finished_at: dt.datetime | None
    frozen_at: dt.datetime | None = Field(
        default=None, description="Since when results are hidden from everybody but its staff."
    )
    revision: int = Field(default=0, description="Grows with whatever its tables show.")
    entries: int = Field(description="How many bots are entered.")
    matches: dict[MatchState, int] = Field(description="How many matches are in each state.")
    trouble: str | None = Field(description="Why it stands still: its format does not know how it goes on.")

    @property
    def heading(self) -> str:
        """What stands over it."""
        return self.title or self.name


class NewEntry(BaseModel):
    """A bot to be entered; without a version, its newest one."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"bot": "group8"}})

    bot: str = Field(min_length=1, max_length=60)
    version: int | None = Field(default=None, ge=1, le=2**31 - 1)


class NewTitle(BaseModel):
    """What shall stand over a tournament; null for its name."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"title": "春季決賽"}})

    title: Title | None


class NewPendingEntry(BaseModel):
    """A bot that shall enter as soon as its newest version has passed its check."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"bot": "group8"}})

    bot: str = Field(min_length=1, max_length=60)


class PendingEntryOut(BaseModel):
    """A bot that enters by itself."""

    bot: str
    owner: str
    version: int | None = Field(description="The newest, which plays if it passes; null: none is there.")
    state: VersionState | None = Field(description="How far its check is.")


class PendingMade(BaseModel):
    """What came of it: the bot is entered, or it waits for its check."""

    entry: EntryOut | None = Field(description="Its entry, where it had passed already.")
    pending: PendingEntryOut | None = Field(description="What is waited for, where it had not.")


class NewEntries(BaseModel):
    """Whose bots are to be entered; without a class, those of the one that the tournament is for."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"class_name": "class-7a"}})

    class_name: str | None = Field(default=None, min_length=1, max_length=60)


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


class LeftOutOut(BaseModel):
    """A bot that could not be entered."""

    bot: str
    owner: str
    why: str


class EntriesMade(BaseModel):
    """Which bots of a class were entered, and which were not."""

    entered: list[EntryOut]
    left_out: list[LeftOutOut]
