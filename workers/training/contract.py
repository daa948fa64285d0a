"""What goes to a worker of a player that is learned: `TrainingSpec`; what comes back: `TrainingAnswer`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from engines.strategies import reversi_training as limits
from workers.core.contract import Frozen, GameSpec, Nanoseconds
from workers.training.plan import Part

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
MAX_PAYLOAD_CHARS = 8 * 2**20


class RoundSpec(Frozen):
    """How a round is played and fitted: see `engines.strategies.reversi_training.Round`."""

    games: Annotated[int, Field(ge=limits.MIN_GAMES, le=limits.MAX_GAMES)]
    depth: Annotated[int, Field(ge=1, le=limits.MAX_DEPTH)]
    solved: Annotated[int, Field(ge=0, le=limits.MAX_SOLVED)]
    steps: Annotated[int, Field(ge=1, le=limits.MAX_STEPS)]


class TrainingSpec(Frozen):
    """Games, a stage of the fit or openings of a training, by their numbers in all of it.

    `engine` is the version of what plays and fits (`Training.version`). `given` are the SHA-256 of what it
    takes, which the archive store has: of games the weights to play with, none for mobility alone; of a stage
    all games of the round; of openings the new weights and those of the round before, if there were any.
    """

    format: Literal[1] = 1
    game: GameSpec
    engine: Annotated[int, Field(ge=1)]
    seed: Annotated[int, Field(ge=0, lt=2**64)]
    part: Part
    first: Annotated[int, Field(ge=0, lt=2**62)]
    size: Annotated[int, Field(ge=1, le=2**16)]
    by: RoundSpec
    given: Annotated[tuple[Digest, ...], Field(max_length=2)] = ()


class TrainingAnswer(Frozen):
    """What came of it, in `elapsed_ns` of processor time.

    `payload` are games or weights in base64, `errors` those of a stage (see `StageFit`), `points` twice what
    the new player won.
    """

    payload: Annotated[str, StringConstraints(max_length=MAX_PAYLOAD_CHARS)] = ""
    errors: tuple[float, int, float, int] | None = None
    points: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    elapsed_ns: Nanoseconds
