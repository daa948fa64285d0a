"""What an arena's workers have done of a training, taken into a file from which a run here goes on."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from arena.core.words import say
from arena.local.errors import InputError
from arena.local.training_file import TrainingFile, training_file
from engines.game import GameError
from engines.strategies.reversi_training import StageFit
from workers.core.errors import SpecError
from workers.training.learner import plan_told
from workers.training.plan import Chunk, Part, Plan, Progress


def read_parts(pieces: Iterable[bytes]) -> tuple[Plan, Iterator[dict[str, Any]]]:
    """The plan and the parts that an arena sends, a line of JSON each; the parts as they are asked for.

    Raises:
        InputError: this version of the arena does not learn so.
    """
    lines = _lines(pieces)
    told = next(lines, {})
    try:
        return plan_told(told), lines
    except (GameError, SpecError) as error:
        raise InputError(say("it cannot be gone on with here: {error}", error=error)) from None


def keep_parts(path: Path, plan: Plan, parts: Iterable[dict[str, Any]]) -> Progress:
    """Add to the file at `path`, made where there is none, what it does not have; all that it has then.

    Raises:
        InputError: the file is of another training or damaged, or the parts are none.
        LocalError: another process is at it.
    """
    with training_file(path, plan) as file:
        for told in parts:
            try:
                _take(file, told)
            except (KeyError, TypeError, ValueError) as error:
                raise _foreign(error) from None
        return file.progress


def _take(file: TrainingFile, told: dict[str, Any]) -> None:
    chunk, part, known = Chunk(told["round"], told["first"], told["size"]), Part(told["part"]), file.progress
    fitted = chunk.round < len(known.fits)
    if part is Part.POINTS:
        if chunk not in known.points:
            file.add_points(chunk, told["points"])
    elif part is Part.GAMES:
        if not fitted and chunk not in known.games:
            file.add_games(chunk, b64decode(told["payload"]))
    elif not fitted and chunk not in known.stages:
        file.add_stage(chunk, StageFit(b64decode(told["payload"]), *told["errors"]))


def _lines(pieces: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The lines of what comes in pieces that end anywhere.

    Raises:
        InputError: one is no JSON.
    """
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        yield from map(_line, lines)
    if rest:
        yield _line(rest)


def _line(text: bytes) -> dict[str, Any]:
    try:
        told = json.loads(text)
    except ValueError as error:
        raise _foreign(error) from None
    return told if isinstance(told, dict) else {}


def _foreign(error: Exception) -> InputError:
    return InputError(say("the arena has sent what is no training: {error}", error=error))
