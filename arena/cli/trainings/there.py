"""`arena train --on workers`: a player that an arena's workers learn, and its files here in the end."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.output import note, print_json
from arena.cli.trainings.telling import told, watch_live
from arena.core.terms import TrainingState
from arena.core.words import say

if TYPE_CHECKING:
    from arena.client.http import ArenaClient
    from arena.schemas.trainings import TrainingOut
    from workers.training.plan import Plan, Progress


def learn_there(plan: Plan, folder: Path, *, as_json: bool) -> None:
    """Have the workers carry a plan out, and write what came of it into the folder.

    Where the same person has asked for it before, that training is waited for.

    Raises:
        UsageError: the folder holds one already.
        InputError: the folder cannot be used.
        ClientError: the arena does not answer, or refuses.
        CliError: it did not come to its end, or watching it was interrupted.
    """
    from arena.local.trained import require_folder

    if require_folder(folder).exists():
        raise UsageError(
            say(
                "{folder} holds a training; leave --on out to go on with it here, or name another folder",
                folder=folder,
            )
        )
    with connect_with_token() as client:
        training = _joined(client, plan) or _made(client, plan)
        note(told(training))
        with _exportable(training.id, folder):
            over = watch_live(client, training)
            if over.state != TrainingState.FINISHED:
                raise CliError(told(over))
            export(client, over.id, folder, as_json=as_json)


def export(client: ArenaClient, number: int, folder: Path, *, as_json: bool) -> Progress:
    """Write what is done of a training into the folder, and print it: all of its files once it is finished.

    Raises:
        InputError: the folder cannot be used, or it cannot be gone on with here.
        ClientError: the arena does not answer, or refuses.
        CliError: what was sent of a finished training is not all of it.
    """
    from arena.cli.trainings.result import print_result
    from arena.local.trained import recipe, require_folder, write_result
    from arena.local.training_parts import keep_parts, read_parts, require_curve

    def check(progress: Progress) -> None:
        if training.state == TrainingState.FINISHED and not progress.done:
            raise CliError(say("training {number} is finished, but not all of it was sent", number=number))
        require_curve(progress, [each.sha256 for each in training.curve])

    checkpoint = require_folder(folder)
    training = client.training(number)
    plan, parts = read_parts(client.training_parts(number))
    progress = keep_parts(checkpoint, plan, parts, check)
    learned = progress.learned()
    if progress.done:
        write_result(folder, plan, learned)
    result = recipe(plan, learned)
    if as_json:
        print_json(result | {"folder": str(folder), "interrupted": not progress.done})
    else:
        print_result(result, folder)
    return progress


def _joined(client: ArenaClient, plan: Plan) -> TrainingOut | None:
    """The newest training of this plan that the same person has asked for, unless it came to no end."""
    mine, wanted = client.me().name, plan.told()
    for each in client.trainings():
        is_mine = each.staff is not None and each.staff.owner == mine
        if (
            is_mine
            and each.plan == wanted
            and each.state not in {TrainingState.CANCELLED, TrainingState.FAILED}
        ):
            note(say("you have asked for this before: it is training {number}, no new one", number=each.id))
            return each
    return None


def _made(client: ArenaClient, plan: Plan) -> TrainingOut:
    """A new training of this plan.

    Raises:
        CliError: the arena would come to other weights.
    """
    from workers.training.plan import differing

    wish = {
        "game": plan.training.game.name,
        "params": plan.training.game.params,
        "seed": plan.seed,
        "rounds": [each._asdict() for each in plan.rounds],
    }
    made = client.create_training(wish)
    if differs := differing(made.plan, plan.told()):
        client.act_on_training(made.id, "cancel")
        raise CliError(
            say(
                "the arena learns otherwise than this machine ({names} not the same); use its version",
                names=say(" and ").join(differs),
            )
        )
    return made


@contextmanager
def _exportable(number: int, folder: Path) -> Iterator[None]:
    """Whatever ends the block is told with the command that writes what is done of the training.

    Raises:
        CliError: Ctrl-C.
    """
    from arena.client.errors import ClientError

    try:
        yield
    except KeyboardInterrupt:
        raise CliError(say("interrupted; {hint}", hint=_hint(number, folder))) from None
    except (ClientError, CliError, OSError):
        note(_hint(number, folder))
        raise


def _hint(number: int, folder: Path) -> str:
    """How to have the files of a training."""
    line = f"arena trainings export {number} --out {shlex.quote(str(folder))}"
    return say("`{command}` writes what is done of training {number}", command=line, number=number)
