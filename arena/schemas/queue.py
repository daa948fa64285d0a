"""What waits to be done, by kinds of work, as the staff is shown it."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, Field

from arena.core.terms import ExperimentState, SolveState, TrainingState
from workers.core.contract import GameSpec
from workers.training.plan import Part


class QueueLine(BaseModel):
    """Work of one kind with the same needs; matches are those of one tournament."""

    needs: list[str] = Field(description="The languages that a host has to run for it, and `adapters`.")
    tournament: str | None
    title: str
    paused: bool
    pending: int = Field(description="Not given out yet.")
    published: int = Field(description="Given out and waiting for a worker.")
    running: int
    since: dt.datetime | None = Field(description="Of matches, when their last round was paired.")
    nobody: str | None = Field(description="Why nobody can do what waits.")


class QueuedExperiment(BaseModel):
    """An experiment that is not over."""

    number: int
    state: ExperimentState
    needs: list[str]
    games_left: int
    published: int
    running: int
    created_at: dt.datetime
    nobody: str | None = Field(description="Why nobody can play it.")


class QueuedSolve(BaseModel):
    """A solve that is not over; positions of it are searched when nothing else waits."""

    number: int
    state: SolveState
    game: GameSpec
    share: float | None = Field(
        description="How much of the question in hand is decided; null before any is."
    )
    pending: int = Field(description="Positions that are wanted and not given out yet.")
    published: int = Field(description="Given out and waiting for a worker.")
    running: int
    created_at: dt.datetime
    nobody: str | None = Field(description="Why nobody can search them.")


class QueuedTraining(BaseModel):
    """A training that is not over; parts of it are done when nothing else waits."""

    number: int
    state: TrainingState
    game: GameSpec
    round: int = Field(description="From 1.")
    rounds: int
    part: Part
    pending: int = Field(description="To be given out again.")
    published: int = Field(description="Given out and waiting for a worker.")
    running: int
    created_at: dt.datetime
    nobody: str | None = Field(description="Why nobody can do them.")


class Standstill(BaseModel):
    """What stands still, and why."""

    what: str = Field(examples=["broker"], description="A part of the arena, or a tournament.")
    tournament: str | None
    why: str


class QueueOut(BaseModel):
    """What waits, what stands still, and how long it takes."""

    matches: list[QueueLine]
    checks: list[QueueLine]
    reviews: list[QueueLine] = Field(description="Analyses of games, made when no match or move waits.")
    scrimmages: list[QueueLine] = Field(description="Their games, played when no match waits.")
    experiments: list[QueuedExperiment] = Field(description="For administrators; the oldest 100.")
    experiments_total: int
    solves: list[QueuedSolve] = Field(description="For administrators; the oldest 20.")
    solves_total: int
    trainings: list[QueuedTraining] = Field(description="For administrators; the oldest 20.")
    trainings_total: int
    window: int = Field(description="How many matches may be given out and wait for a worker.")
    players: int = Field(description="How many processes take matches.")
    checkers: int = Field(description="How many take checks.")
    rate: float = Field(description="How many matches a minute were recorded of late.")
    seconds: float | None = Field(
        description="How long what can be played takes at that rate; null where that is not known, or not "
        "all is shown."
    )
    standstill: list[Standstill]
