"""What an arena's workers have done of a training, taken into a file from which a run here goes on."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from arena.core.words import say
from arena.local.errors import InputError, LocalError
from arena.local.files import require_absent
from arena.local.held_file import UnwritableError
from arena.local.training_file import TrainingFile, training_file
from engines.game import GameError
from engines.strategies.reversi_training import StageFit
from workers.core.errors import SpecError
from workers.training.learner import plan_told
from workers.training.plan import Chunk, Part, Plan, Progress, is_chunk


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


def keep_parts(
    path: Path, plan: Plan, parts: Iterable[dict[str, Any]], check: Callable[[Progress], object]
) -> Progress:
    """Add to the file at `path` what it does not have; all that it has then.

    Where there is no file, one appears when all is there, and `check` has not raised anything.

    Raises:
        InputError: the file is of another training or damaged, or the parts are none of the plan's.
        LocalError: another process is at it, there is no room, or the disk fails.
    """
    if path.exists():
        progress = _kept(path, plan, parts)
        check(progress)
        return progress
    part = path.with_name(f".arena-export-{secrets.token_hex(8)}.part")
    try:
        progress = _kept(part, plan, parts)
        check(progress)
        require_absent(path)
        part.replace(path)
    except UnwritableError as error:
        raise LocalError(
            say("{path} cannot be written: {strerror}", path=path, strerror=error.strerror)
        ) from None
    finally:
        part.unlink(missing_ok=True)
    return progress


def _kept(path: Path, plan: Plan, parts: Iterable[dict[str, Any]]) -> Progress:
    with training_file(path, plan) as file:
        for told in parts:
            try:
                _take(file, told)
            except (KeyError, TypeError, ValueError) as error:
                raise _foreign(error) from None
        return file.progress


def require_curve(progress: Progress, told: Sequence[str]) -> None:
    """Refuse other weights than those whose SHA-256 the arena tells, round by round.

    Raises:
        InputError: a round has others.
    """
    for number, (learned, theirs) in enumerate(zip(progress.learned(), told, strict=False), start=1):
        ours = hashlib.sha256(learned.weights).hexdigest()
        if ours != theirs:
            raise InputError(
                say(
                    "what was sent comes to weights of round {number} with the SHA-256 {ours}, the arena's"
                    " learning curve has {theirs}; ask again with another folder, and use neither until it"
                    " agrees",
                    number=number,
                    ours=ours,
                    theirs=theirs,
                )
            )


def _take(file: TrainingFile, told: dict[str, Any]) -> None:
    """Take in a part, if it is not there.

    Raises:
        KeyError, TypeError, ValueError: it is none, or not of the plan, or not in its turn.
    """
    chunk, part, known = Chunk(told["round"], told["first"], told["size"]), Part(told["part"]), file.progress
    plan, turn = known.plan, len(known.fits)
    in_turn = chunk.round < turn if part is Part.POINTS else chunk.round <= turn
    if not in_turn or not is_chunk(plan, part, chunk):
        raise ValueError(_place(part, chunk))
    if part is Part.POINTS:
        if not 0 <= told["points"] <= 4 * chunk.size:
            raise ValueError(_place(part, chunk))
        if chunk not in known.points:
            file.add_points(chunk, told["points"])
    elif chunk.round == turn and part is Part.GAMES:
        games = b64decode(told["payload"], validate=True)
        if len(games) != chunk.size * plan.training.record:
            raise ValueError(_place(part, chunk))
        if chunk not in known.games:
            file.add_games(chunk, games)
    elif chunk.round == turn and chunk not in known.stages:
        kept = b64decode(told["payload"], validate=True)
        plan.training.file([kept] * plan.training.stages)
        file.add_stage(chunk, StageFit(kept, *told["errors"]))


def _place(part: Part, chunk: Chunk) -> str:
    """Which part is not as the plan has it."""
    about = {"round": chunk.round + 1, "part": part.value, "first": chunk.first, "size": chunk.size}
    return say("round {round}, {part} from {first}, {size} of them, is not as the plan has it", **about)


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
    except (ValueError, RecursionError) as error:
        raise _foreign(error) from None
    return told if isinstance(told, dict) else {}


def _foreign(error: Exception) -> InputError:
    return InputError(say("the arena has sent what is no training: {error}", error=error))
