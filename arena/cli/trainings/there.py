"""`arena train --on workers`: a player that an arena's workers learn, and its files here in the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.output import note, print_json
from arena.cli.trainings.telling import told, watch_live
from arena.core.words import say

if TYPE_CHECKING:
    from arena.client.http import ArenaClient
    from workers.training.plan import Plan, Progress


def learn_there(plan: Plan, folder: Path, *, as_json: bool) -> None:
    """Have the workers carry a plan out, and write what came of it into the folder.

    Raises:
        UsageError: a training was begun in the folder.
        InputError: the folder cannot be used.
        ClientError: the arena does not answer, or refuses.
        CliError: it did not come to its end, or watching it was interrupted.
    """
    from arena.local.trained import require_folder
    from workers.training.plan import differing

    if require_folder(folder).exists():
        raise UsageError(
            say(
                "{folder} holds a training; leave --on out to go on with it here, or name another folder",
                folder=folder,
            )
        )
    wish = {
        "game": plan.training.game.name,
        "params": plan.training.game.params,
        "seed": plan.seed,
        "rounds": [each._asdict() for each in plan.rounds],
    }
    with connect_with_token() as client:
        made = client.create_training(wish)
        note(told(made))
        if differs := differing(made.plan, plan.told()):
            client.act_on_training(made.id, "cancel")
            raise CliError(
                say(
                    "the arena learns otherwise than this machine ({names} not the same); use its version",
                    names=say(" and ").join(differs),
                )
            )
        over = watch_live(client, made)
        if over.state != "finished":
            raise CliError(told(over))
        export(client, over.id, folder, as_json=as_json)


def export(client: ArenaClient, number: int, folder: Path, *, as_json: bool) -> Progress:
    """Write what is done of a training into the folder, and print it: all of its files once it is finished.

    Raises:
        InputError: the folder cannot be used, or it cannot be gone on with here.
        ClientError: the arena does not answer, or refuses.
    """
    from arena.cli.trainings.result import print_result
    from arena.local.trained import recipe, require_folder, write_result
    from arena.local.training_parts import keep_parts, read_parts

    plan, parts = read_parts(client.training_parts(number))
    progress = keep_parts(require_folder(folder), plan, parts)
    learned = progress.learned()
    if progress.done:
        write_result(folder, plan, learned)
    result = recipe(plan, learned)
    if as_json:
        print_json(result | {"folder": str(folder), "interrupted": not progress.done})
    else:
        print_result(result, folder)
    return progress
