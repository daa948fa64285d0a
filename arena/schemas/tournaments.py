"""Tournaments, their entries and their tables."""

from __future__ import annotations

import datetime as dt
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from arena.core.terms import Leaving, MatchState, TournamentState
from arena.theory.pairing.contract import FormatName
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
