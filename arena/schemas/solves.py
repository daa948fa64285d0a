"""Games that are solved on the workers: what is asked for, how far each is, and what came out."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from pydantic import BaseModel, Field

from arena.core.terms import SolveState
from arena.schemas.games import GameName
from workers.core.contract import Frozen, GameSpec

MAX_CHECKPOINT_CHARS = 3 * 2**20


class SolvePlan(Frozen):
    """A game to be solved from its start, or from a position.

    The workers solve the positions of at most `frontier` empty squares, each with a table of `memory_mb`.
    With a `checkpoint` what is known there is not worked out again; its frontier holds where none is named.
    """

    game: GameName
    params: dict[str, Any] = Field(default_factory=dict)
    position: Annotated[
        dict[str, Any] | None, Field(description="A state, as bots are sent it; left out, the start.")
    ] = None
    frontier: Annotated[
        int | None,
        Field(ge=1, le=63, description="Empty squares of a position that is solved as it stands."),
    ] = None
    memory_mb: Annotated[int, Field(ge=1, le=2**16, description="MiB of each worker's table.")] = 64
    checkpoint: Annotated[
        str | None,
        Field(max_length=MAX_CHECKPOINT_CHARS, description="What another solve has found out, as its file."),
    ] = None


class SolveForecast(BaseModel):
    """How many more positions the question in hand takes, and between what that forecast has moved."""

    left: float
    least: float
    most: float


class SolveStanding(BaseModel):
    """How far a solve was when its tree was last looked at."""

    low: int = Field(description="The first player reaches at least that.")
    high: int = Field(description="And no more than that.")
    at_least: int = Field(description="The question in hand: whether it is at least that.")
    share: float = Field(description="How much of the question is decided, from 0 to 1; it may leap.")
    answers: int = Field(description="Answers to the question in hand.")
    known: int = Field(description="Positions of which something is known.")
    positions: int = Field(description="Positions of the tree.")
    forecast: SolveForecast


class SolveStaff(BaseModel):
    """Who asked for it, and what went wrong on the way; for administrators."""

    owner: str = Field(description="The administrator who asked for it.")
    lost: int = Field(description="Attempts at positions that were given up.")
    refused: int = Field(description="Reports of attempts that were given up, come twice, or too late.")
    trouble: str | None = Field(description="What befell it last.")


class SolveOut(BaseModel):
    """A game that is being solved, or was, and how far it is."""

    id: int = Field(examples=[1])
    state: SolveState
    game: GameSpec
    position: dict[str, Any] | None = Field(description="The state that is solved; null is the start.")
    frontier: int
    memory_mb: int
    answers: int = Field(description="Answers of workers, with what a checkpoint knew.")
    waiting: int = Field(description="Positions that wait for a worker.")
    running: int = Field(description="Positions that workers have in hand.")
    standing: SolveStanding | None = Field(description="Null before the tree was looked at.")
    value: int | None = Field(
        description="What came out: the first player's discs less the second's, turned about where fewer win."
    )
    moves: list[str] | None = Field(description="All moves of the start, or of the position, that keep it.")
    nodes: int = Field(description="Positions that the workers have searched.")
    worker_seconds: float = Field(description="Processor time of the workers.")
    created_at: dt.datetime
    started_at: dt.datetime | None
    recorded_at: dt.datetime | None = Field(description="When an answer was recorded last.")
    finished_at: dt.datetime | None
    staff: SolveStaff | None
