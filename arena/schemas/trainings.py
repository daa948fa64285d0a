"""Players learned on the workers: what is asked for, how far each is, and what came out."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from pydantic import BaseModel, Field

from arena.core.terms import TrainingState
from arena.schemas.games import GameName
from engines.strategies.reversi_training import MIN_GAMES
from workers.core.contract import Frozen
from workers.training.contract import RoundSpec
from workers.training.plan import Part

MAX_ROUNDS = 50
MAX_ROUND_GAMES = 250_000
"""Of a round: a process that fits them has all of them in its memory, 2 kB a game."""
MAX_DEPTH, MAX_SOLVED = 10, 18
"""With these a part of the comparison on 8 by 8 squares takes about a minute; it is lost with its worker."""
MAX_GAME_STEPS = 30_000_000
"""Games times steps of a round: with these a stage of the fit takes some 45 seconds, lost likewise."""


class PlannedRound(RoundSpec):
    """A round of games, the plies that its players search, and the steps of the fit to them."""

    games: Annotated[int, Field(ge=MIN_GAMES, le=MAX_ROUND_GAMES)]
    depth: Annotated[int, Field(ge=1, le=MAX_DEPTH)]
    solved: Annotated[int, Field(ge=0, le=MAX_SOLVED)]


class TrainingPlan(Frozen):
    """A player to be learned. The weights follow from this, and from the versions of what learns.

    Without `rounds` there are the usual ones, of `games` in all.
    """

    game: GameName
    params: dict[str, Any] = Field(default_factory=dict)
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 0
    games: Annotated[int, Field(ge=1, le=MAX_ROUND_GAMES, description="In all usual rounds.")] = 120_000
    rounds: Annotated[
        list[PlannedRound] | None, Field(min_length=1, max_length=MAX_ROUNDS, description="Instead of them.")
    ] = None


class TrainingRound(BaseModel):
    """What a round came to."""

    round: int = Field(description="From 1.")
    error_taught: float = Field(description="Mean squared, in squared discs, of the games fitted to.")
    error: float = Field(description="The same of every 16th game, which is held out.")
    points: float = Field(description="Against the player of the round before.")
    games: int = Field(description="Of that comparison.")
    points_low: float
    points_high: float = Field(description="Between the two with 95 % confidence.")
    sha256: str = Field(description="Of the weights.")


class TrainingStanding(BaseModel):
    """What a training is at."""

    round: int = Field(description="From 1.")
    part: Part = Field(description="Games, then stages of the fit, then the points of a comparison.")
    done: int = Field(description="So many games, stages or openings are done.")
    total: int = Field(description="Of so many.")
    games_done: int = Field(description="Games of self-play of all rounds; later ones take longer.")
    games_total: int


class TrainingStaff(BaseModel):
    """Who asked for it, and what went wrong on the way; for administrators."""

    owner: str = Field(description="The administrator who asked for it.")
    lost: int = Field(description="Attempts that were given up.")
    refused: int = Field(description="Reports of attempts that were given up, come twice, or too late.")
    trouble: str | None = Field(description="What befell it last.")


class TrainingOut(BaseModel):
    """A player that is being learned, or was, and how far it is."""

    id: int = Field(examples=[1])
    state: TrainingState
    plan: dict[str, Any] = Field(description="All that the weights follow from.")
    standing: TrainingStanding
    curve: list[TrainingRound] = Field(description="The rounds that are whole.")
    waiting: int = Field(description="Parts that wait for a worker.")
    running: int = Field(description="Parts that workers have in hand.")
    worker_seconds: float = Field(description="Processor time of the workers.")
    created_at: dt.datetime
    started_at: dt.datetime | None
    recorded_at: dt.datetime | None = Field(description="When something was recorded last.")
    finished_at: dt.datetime | None
    staff: TrainingStaff | None
