"""What is said of a player that an arena's workers learn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from arena.cli.shared.failures import CliError
from arena.cli.shared.output import note, print_line
from arena.core.terms import TrainingState
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.client.http import ArenaClient
    from arena.schemas.trainings import TrainingOut

TOLD_SECONDS = 10.0
"""So often it is told how far it is."""


def told(training: TrainingOut) -> str:
    """How a training stands, in words."""
    trouble = (
        training.staff.trouble
        if training.staff and training.state in {TrainingState.FAILED, TrainingState.PAUSED}
        else None
    )
    return say(
        "training {id} is {state}: {progress}{what}",
        id=training.id,
        state=training.state,
        progress=progress_of(training),
        what=f"; {trouble}" if trouble else "",
    )


def progress_of(training: TrainingOut) -> str:
    """What it is at, and how far."""
    standing = training.standing
    which = {"round": standing.round, "rounds": len(training.plan["rounds"])}
    part = {
        "games": say("round {round} of {rounds}, games", **which),
        "stage": say("round {round} of {rounds}, fit", **which),
        "points": say("round {round} of {rounds}, match", **which),
    }[standing.part]
    return say(
        "{part}: {done:,} of {total:,}; self-play in all: {games_done:,} of {games_total:,}",
        part=part,
        **standing.model_dump(exclude={"round", "part"}),
    )


def print_training(training: TrainingOut) -> None:
    """All that is known of a training, for people."""
    from arena.cli.trainings.result import print_curve

    print_line(told(training))
    print_curve(training.plan["rounds"], [each.model_dump() for each in training.curve])
    print_line(
        say(
            "{seconds:,.1f} s of the workers' processor time; {waiting} and {running} now",
            seconds=training.worker_seconds,
            waiting=say_many("{number:,} part waits", "{number:,} parts wait", training.waiting),
            running=say_many("{number:,} is in hand", "{number:,} are in hand", training.running),
        )
    )


def watch_live(client: ArenaClient, training: TrainingOut) -> TrainingOut:
    """Show how far a training is until it is over or paused; returns it as it then is.

    Raises:
        ClientError: the arena does not answer any more.
        CliError: Ctrl-C; the training goes on, and the message says how to end it.
    """
    last, shown_at = training, time.monotonic()
    try:
        for last in client.watch_training(training.id):
            if time.monotonic() >= shown_at + TOLD_SECONDS:
                note(progress_of(last))
                shown_at = time.monotonic()
    except KeyboardInterrupt:
        raise CliError(
            say(
                "no longer watching; training {number} goes on: `arena trainings watch {number}` shows it"
                " again, `arena trainings export {number} --out FOLDER` writes what is done,"
                " `arena trainings cancel {number}` ends it",
                number=training.id,
            )
        ) from None
    return last
