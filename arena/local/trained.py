"""The folder of a training: the weights, the recipe by which anybody makes them again, the learning curve."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from arena.core.words import say
from arena.local.errors import InputError
from arena.local.files import write_whole
from arena.local.learning_curve import Learning, curve
from arena.theory.statistics.intervals import wilson
from workers.training.plan import Learned, Plan

CHECKPOINT: Final = "training"
WEIGHTS, RECIPE, CURVE = "weights.bin", "recipe.json", "curve.svg"


def require_folder(folder: Path) -> Path:
    """The checkpoint's place in the folder, which is made where there is none.

    Raises:
        InputError: it cannot be made, or what it holds came of no checkpoint that is there.
    """
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(
            say("{path} cannot be written: {strerror}", path=folder, strerror=error.strerror)
        ) from None
    checkpoint = folder / CHECKPOINT
    foreign = [name for name in (WEIGHTS, RECIPE, CURVE) if (folder / name).exists()]
    if foreign and not checkpoint.exists():
        raise InputError(
            say(
                "{folder} holds {names}, but no training to go on with; name another folder",
                folder=folder,
                names=say(" and ").join(foreign),
            )
        )
    return checkpoint


def write_result(folder: Path, plan: Plan, learned: Sequence[Learned]) -> None:
    """Write the three files of a training that has come to its end.

    Raises:
        InputError: one cannot be written.
    """
    text = json.dumps(recipe(plan, learned), indent=2) + "\n"
    write_whole(folder / WEIGHTS, [learned[-1].weights], force=True)
    write_whole(folder / CURVE, curve([*map(_drawn, plan.rounds, learned)]), force=True)
    write_whole(folder / RECIPE, [text.encode()], force=True)


def recipe(plan: Plan, learned: Sequence[Learned]) -> dict[str, Any]:
    """What the weights follow from, what each round came to, and what they are, for JSON.

    Until all rounds are whole there are no weights. Errors are mean squared ones, in squared discs.
    """
    whole = len(learned) == len(plan.rounds)
    return {
        "arena": version("bot-arena"),
        **plan.told(),
        "command": command(plan),
        "curve": [_round(number, each) for number, each in enumerate(learned, start=1)],
        "weights": _weights(learned[-1].weights) if whole else None,
    }


def command(plan: Plan) -> str:
    """The command line that makes the same weights in another folder."""
    game = plan.training.game
    params = " ".join(f"--param {name}={json.dumps(value)}" for name, value in sorted(game.params.items()))
    rounds = ",".join(":".join(map(str, each)) for each in plan.rounds)
    return f"arena train {game.name} {params} --rounds {rounds} --seed {plan.seed} --out FOLDER"


def _weights(weights: bytes) -> dict[str, Any]:
    return {"file": WEIGHTS, "bytes": len(weights), "sha256": hashlib.sha256(weights).hexdigest()}


def _round(number: int, each: Learned) -> dict[str, Any]:
    low, high = wilson(each.points, each.games)
    return {
        "round": number,
        "error_taught": each.taught,
        "error": each.held_out,
        "points": each.points,
        "games": each.games,
        "points_low": round(low * each.games, 2),
        "points_high": round(high * each.games, 2),
        "sha256": hashlib.sha256(each.weights).hexdigest(),
    }


def _drawn(planned: Any, each: Learned) -> Learning:
    share = each.points / each.games
    errors = math.sqrt(each.held_out), math.sqrt(each.taught)
    return Learning(planned.games, *errors, share, *wilson(each.points, each.games))
