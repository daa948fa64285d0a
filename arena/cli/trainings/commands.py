"""`arena trainings`: players that an arena's workers learn, asked for by `arena train --on workers`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from arena.cli.shared.asking import Yes, ask_first
from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect, connect_with_token
from arena.cli.shared.failures import CliError
from arena.cli.shared.options import AsJson, params_text
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.terms import TrainingState
from arena.core.words import say

app = Commands()

Number = Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="The training's number.")]


@app.command("list")
def list_trainings(as_json: AsJson = False) -> None:
    """List the players that the arena's workers learn or have learned, newest first."""
    with connect() as client:
        trainings = list(client.trainings())
    if as_json:
        print_json({"trainings": trainings})
        return
    rows = [
        (
            each.id,
            each.state,
            each.plan["game"],
            params_text(each.plan["params"]),
            f"{len(each.curve)}/{len(each.plan['rounds'])}",
            f"{each.standing.games_done:,}/{each.standing.games_total:,}",
        )
        for each in trainings
    ]
    print_table((">number", "state", "game", "with", ">rounds", ">games"), rows)


@app.command()
def show(number: Number, as_json: AsJson = False) -> None:
    """Print how far a training is, and what its rounds came to."""
    from arena.cli.trainings.telling import print_training

    with connect() as client:
        training = client.training(number)
    print_json(training) if as_json else print_training(training)


@app.command()
def watch(number: Number, as_json: AsJson = False) -> None:
    """Show how far a training is until it is over or paused, then print what its rounds came to."""
    from arena.cli.trainings.telling import print_training, told, watch_live

    with connect() as client:
        over = watch_live(client, client.training(number))
    print_json(over) if as_json else print_training(over)
    if over.state != TrainingState.FINISHED:
        raise CliError(told(over))


@app.command()
def pause(number: Number, as_json: AsJson = False) -> None:
    """Give nothing more of a training to the workers, and take back what they have; what is done stays."""
    _act(number, "pause", as_json=as_json)


@app.command()
def resume(number: Number, as_json: AsJson = False) -> None:
    """Go on with a training that was paused."""
    _act(number, "resume", as_json=as_json)


@app.command()
def cancel(number: Number, yes: Yes = False, as_json: AsJson = False) -> None:
    """End a training; what is done stays, and can be exported and gone on with."""
    ask_first(say("Training {number} ends for good; what is done stays.", number=number), yes=yes)
    _act(number, "cancel", as_json=as_json)


@app.command()
def export(
    number: Number,
    *,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the files of `arena train` go; made if need be.")
    ],
    as_json: AsJson = False,
) -> None:
    """Write what is done of a training into a folder, with which `arena train` goes on.

    Of one that is finished weights, recipe and learning curve are written too.
    """
    from arena.cli.trainings.there import export as write

    with connect_with_token() as client:
        progress = write(client, number, out, as_json=as_json)
    if not progress.done:
        from arena.local.trained import command

        line = command(progress.plan).replace("FOLDER", str(out))
        note(say("not finished; this goes on with it here: {command}", command=line))


def _act(number: int, act: Literal["pause", "resume", "cancel"], *, as_json: bool) -> None:
    from arena.cli.trainings.telling import told

    with connect_with_token() as client:
        training = client.act_on_training(number, act)
    print_json(training) if as_json else print_line(told(training))
