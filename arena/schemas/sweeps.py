"""Sweeps: experiments for every combination of some values, and how far they are."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, Field

from arena.core.terms import ExperimentState


class SweepOut(BaseModel):
    """A sweep, what was asked for, and how far it is."""

    name: str
    about: str
    owner: str | None = Field(
        description="The team or organiser that asked for it; null for an administrator's."
    )
    state: ExperimentState = Field(description="Of the whole: finished once every experiment of it is.")
    digest: str | None = Field(
        description="The SHA-256 of what is played: asking for the same again goes on. Null like a seed."
    )
    vary: dict[str, list[bool | int | float | str]] = Field(
        description="The values of each name; none where seeds follow from them and may not be seen yet."
    )
    cells: int
    states: dict[ExperimentState, int] = Field(description="How many of its experiments are in each state.")
    games: int = Field(description="How many were asked for.")
    done: int = Field(description="Games that results count.")
    recorded: int = Field(description="Games recorded, with those that wait for one before them.")
    games_per_second: float | None
    seconds_left: float | None = Field(
        description="Until all is over if the workers go on as so far; by the interval where one ends it."
    )
    created_at: dt.datetime
