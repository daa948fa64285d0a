"""Experiments, how far they are, and what they come to."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, Field

from arena.core.terms import ExperimentState
from arena.schemas.simulations import SimulationOut
from arena.theory.statistics.intervals import Method
from arena.theory.statistics.sprt import Sprt
from workers.core.contract import GameSpec
from workers.simulation.contract import RowOf, SimulatedPlayer


class ExperimentTroubles(BaseModel):
    """What went wrong on the way; for the staff, and the team that asked for it."""

    lost: int = Field(description="Attempts at chunks that were given up.")
    refused: int = Field(description="Reports of attempts that were given up, come twice, or too late.")
    trouble: str | None = Field(description="Why the last attempt was given up.")


class ExperimentOut(BaseModel):
    """An experiment, what was asked for, and how far it is."""

    id: int = Field(examples=[1])
    state: ExperimentState
    owner: str | None = Field(
        description="The team or organiser that asked for it; null for an administrator's."
    )
    sweep: str | None = Field(description="The sweep that it is of.")
    cell: int | None = Field(description="Which one of the sweep, from 0 on.")
    game: GameSpec
    players: tuple[SimulatedPlayer, SimulatedPlayer]
    games: int = Field(description="How many were asked for.")
    seed: int | None = Field(description="What chance is drawn from; shown to everybody once it is over.")
    match: int
    swap: bool = Field(description="Whether the first player sits in seat 1 in games with an odd index.")
    openings: int
    opening_plies: int
    record_games: bool
    columns: RowOf | None = Field(description="What a row of its recording is, where it has one.")
    stop_when_ci: float | None
    sprt: Sprt | None
    interval: Method
    confidence: float
    chunk: int = Field(description="Games of the next chunk.")
    done: int = Field(description="Games recorded from the first one on without a gap: what results count.")
    recorded: int = Field(description="Games recorded, with those that wait for one before them.")
    stopped: bool = Field(
        description="Whether it ended early: the interval was narrow enough, or the test decided."
    )
    games_per_second: float | None = Field(description="Recorded games by the time since the first began.")
    seconds_left: float | None = Field(
        description="Until it is over if the workers go on as so far; by the interval where one ends it."
    )
    created_at: dt.datetime
    started_at: dt.datetime | None
    recorded_at: dt.datetime | None = Field(description="When games were recorded last.")
    finished_at: dt.datetime | None
    result: SimulationOut = Field(description="What the games that are done come to, with intervals.")
    staff: ExperimentTroubles | None


class CoursePoint(BaseModel):
    """The first player's mean score in the first games, with its interval."""

    games: int
    mean: float
    low: float
    high: float


class PrintedOut(BaseModel):
    """What one of the documents prints of such games: shares of the games that the first player won."""

    document: str = Field(examples=["nim"])
    table: str = Field(examples=["table-11"])
    runs: list[str] = Field(description="In its own digits.")
    mean: str
    games: int = Field(description="Those of all runs.")
    low: float = Field(description="Of the interval that so many games give, by the experiment's method.")
    high: float
    same_records: bool = Field(
        description="Whether all games were played with one set of records, which moves the share too."
    )


class ExperimentResults(BaseModel):
    """What the games that are done come to."""

    id: int
    state: ExperimentState
    final: bool = Field(description="Whether these are all games of the experiment.")
    stopped: bool
    result: SimulationOut = Field(description="With the spec, which is shown to everybody at the end.")
    course: list[CoursePoint] = Field(description="How the mean score came about, at some points on the way.")
    printed: list[PrintedOut] = Field(description="What the documents print of the same games, if anything.")
