"""Whether what a worker has learned is what it was asked for.

Games are played again, which takes little beside having found their moves. Of weights nothing can be seen but
their form, of errors and points only that they are possible.
"""

from __future__ import annotations

import binascii
import math
from base64 import b64decode
from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from arena.coordinator.result_validation import MAX_NS, UnfitResultError, require, unreadable
from arena.store.models import TrainingChunk
from engines.game import GameError
from engines.strategies.reversi_training import Training as Learns
from workers.core.errors import SpecError
from workers.training.contract import TrainingAnswer
from workers.training.learner import plan_told
from workers.training.plan import Part

MAX_PLIES: Final = 60
"""The positions of a game that teach something, at most."""
MAX_SQUARED: Final = float((48 * 256 + 64) ** 2)
"""The squared error in a position, in squared discs: at most 48 weights of 256 discs each foretell it."""


def answer_of(row: TrainingChunk, report: Mapping[str, Any]) -> TrainingAnswer:
    """As many games, such weights with errors, or points, as such a chunk comes to.

    Raises:
        UnfitResultError: it cannot have come of this chunk.
    """
    try:
        answer = TrainingAnswer.model_validate(report)
        payload = b64decode(answer.payload, validate=True)
        learns = plan_told(row.training.plan).training
    except ValidationError as error:
        raise unreadable("answer", error) from None
    except binascii.Error:
        raise UnfitResultError("what it has done cannot be read") from None
    except (GameError, SpecError) as error:
        raise UnfitResultError(str(error)) from None
    require(answer.elapsed_ns <= MAX_NS, "it took longer than any part may")
    require((answer.errors is not None) == (row.part is Part.STAGE), "errors are those of a stage")
    require((answer.points is not None) == (row.part is Part.POINTS), "points are those of openings")
    require((answer.points or 0) <= 4 * row.size, "there are no more than two points to an opening")
    if row.part is Part.STAGE:
        _require_weights(learns, payload)
        _require_errors(answer, row.training.plan["rounds"][row.round]["games"])
        return answer
    length = row.size * learns.record if row.part is Part.GAMES else 0
    require(len(payload) == length, "it is not as long as what was asked for")
    require(learns.are_games(payload), "these are no games of this board and rule")
    return answer


def _require_weights(learns: Learns, kept: bytes) -> None:
    """Go on only with the weights of a stage."""
    try:
        learns.file([kept] * learns.stages)
    except ValueError as error:
        raise UnfitResultError(str(error)) from None


def _require_errors(answer: TrainingAnswer, games: int) -> None:
    """Go on only with squared errors that so many games can have."""
    taught, taught_count, held_out, held_out_count = answer.errors or (0.0, 0, 0.0, 0)
    for squared, count in ((taught, taught_count), (held_out, held_out_count)):
        require(0 <= count <= MAX_PLIES * games, "its errors are of more positions than the games have")
        possible = math.isfinite(squared) and 0 <= squared <= MAX_SQUARED * count
        require(possible, "its errors are none that so many positions can have")
