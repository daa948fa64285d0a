"""`arena train`: an evaluation learned from self-play, the same from the same seed."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.completing import games
from arena.cli.shared.failures import CliError, UsageError
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import AsJson, Params, Seed, sized_params
from arena.cli.shared.output import note, print_json
from arena.cli.simulate.command import Where
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.local.training_trial import Forecast
    from engines.strategies.reversi_training import Round, Training
    from workers.training.plan import Learned, Plan, Progress

USUAL_GAMES = 120_000
FIELDS = 4
NUMBER = re.compile(r"[0-9]{1,100}")


@dataclass(frozen=True)
class PlanOptions:
    """What decides the weights."""

    size: Annotated[int | None, typer.Option(metavar="N", help="Short for --param size=N.")] = None
    param: Params = None
    games: Annotated[
        int | None,
        typer.Option(
            "-n", "--games", metavar="N", min=1, help="Games of self-play in all [default: 120000]."
        ),
    ] = None
    rounds: Annotated[
        str | None,
        typer.Option(
            metavar="GAMES:DEPTH:SOLVED:STEPS,…",
            help="Rounds instead of the usual ones: games, plies searched, empty squares from which on all is"
            " solved, steps of the fit.",
        ),
    ] = None
    seed: Seed = 0


@grouped
def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.", autocompletion=games)],
    *,
    out: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="Where weights, recipe and learning curve go; made if need be."),
    ],
    options: PlanOptions,
    jobs: Annotated[
        int | None,
        typer.Option(
            "-j", "--jobs", metavar="N", min=1, max=1024, help="Processes [default: one a processor]."
        ),
    ] = None,
    on: Annotated[Where, typer.Option(help="Learn on this machine, or on the arena's workers.")] = Where.HERE,
    as_json: AsJson = False,
) -> None:
    """Have a player learn from games against itself: rounds of games, and a fit of its weights to each.

    The weights depend on the plan and its seed alone; broken off, the same command goes on from there, but
    where an arena's workers learn they do so until `arena trainings cancel`.
    """
    plan = _plan(game, options)
    if on is Where.WORKERS:
        from arena.cli.trainings.there import learn_there

        if jobs is not None:
            raise UsageError(say("--jobs is for processes on this machine; the arena knows its workers"))
        learn_there(plan, out, as_json=as_json)
    else:
        _learn(plan, out, jobs, as_json=as_json)


def _plan(name: str, options: PlanOptions) -> Plan:
    """What was asked for.

    Raises:
        UsageError, GameError: it cannot be done.
    """
    from engines.games import all_games, find_game, find_row
    from engines.plugin import load
    from workers.training.plan import Plan

    if options.rounds is not None and options.games is not None:
        raise UsageError(say("--rounds says how many games each has: leave --games out"))
    row = find_row(name)
    if row.trainer is None:
        learned = ", ".join(sorted(each.name for each in all_games().values() if each.trainer))
        raise UsageError(say("nothing is learned about {game}; {learned} can be", game=name, learned=learned))
    game = find_game(name, sized_params(name, options.size, options.param))
    training: Training = load(row.trainer)(game)
    if options.rounds is None:
        chosen = list(training.usual(options.games or USUAL_GAMES))
    else:
        chosen = _rounds(options.rounds)
    for number, each in enumerate(chosen, start=1):
        _check(number, each)
    return Plan(training, options.seed, tuple(chosen))


def _rounds(text: str) -> list[Round]:
    """The rounds that were typed.

    Raises:
        UsageError: they cannot be read.
    """
    from engines.strategies.reversi_training import Round

    found = []
    for each in text.split(","):
        parts = each.strip().split(":")
        if len(parts) != FIELDS or not all(NUMBER.fullmatch(part) for part in parts):
            raise UsageError(
                say("{it!r} is no round; write GAMES:DEPTH:SOLVED:STEPS, such as 4000:2:10:20", it=each)
            )
        found.append(Round(*(int(part) for part in parts)))
    return found


def _check(number: int, each: Round) -> None:
    """Refuse a round that cannot be learned from.

    Raises:
        UsageError: a number of it is out of range.
    """
    from engines.strategies import reversi_training as limits

    bounds = {
        "games": (limits.MIN_GAMES, limits.MAX_GAMES),
        "depth": (1, limits.MAX_DEPTH),
        "solved": (0, limits.MAX_SOLVED),
        "steps": (1, limits.MAX_STEPS),
    }
    for name, (least, most) in bounds.items():
        value = getattr(each, name)
        if not least <= value <= most:
            raise UsageError(
                say(
                    "round {number} has {name}={value}; it must be from {least:,} to {most:,}",
                    number=number,
                    name=name,
                    value=value,
                    least=least,
                    most=most,
                )
            )


def _learn(plan: Plan, folder: Path, jobs: int | None, *, as_json: bool) -> None:
    """Carry the plan out, and print what came of it.

    Raises:
        InputError: the folder cannot be used.
        CliError: it was broken off.
    """
    from arena.cli.shared.progress import following
    from arena.cli.trainings.result import print_result
    from arena.local.trained import recipe, require_folder, write_result
    from arena.local.training import Trainer, Watch
    from workers.play.pool import cpu_count, interrupts

    checkpoint = require_folder(folder)
    trainer = Trainer(plan, jobs=jobs or cpu_count(), watch=Watch(following, _begun, _told))
    with interrupts() as stopped:
        progress = trainer.run(checkpoint, stopped)
    learned = progress.learned()
    if progress.done:
        write_result(folder, plan, learned)
    told = recipe(plan, learned)
    if as_json:
        print_json(told | {"folder": str(folder), "interrupted": not progress.done})
    else:
        print_result(told, folder)
    if not progress.done:
        raise CliError(say("interrupted; the same command goes on from there"))


def _begun(progress: Progress, cost: Forecast) -> None:
    """Tell beforehand what it costs."""
    from workers.training.plan import OPENINGS

    plan, minutes = progress.plan, cost.seconds / 60
    if cost.more:
        time = say("more than {minutes:,.1f} min", minutes=minutes)
    else:
        time = say("some {minutes:,.1f} min", minutes=minutes)
    note(
        say(
            "{rounds}: {games} of self-play, {compared:,} to compare each with the one before;"
            " what is left will take {time} of one processor, and the fits besides;"
            " the games take {size:,.1f} MB on disk",
            rounds=say_many("{number:,} round", "{number:,} rounds", len(plan.rounds)),
            games=say_many("{number:,} game", "{number:,} games", plan.games),
            compared=2 * OPENINGS * len(plan.rounds),
            time=time,
            size=plan.games * plan.training.record / 1e6,
        )
    )


def _told(learned: Learned, number: int, rounds: int) -> None:
    """Tell what a round came to."""
    note(
        say(
            "round {number} of {rounds}: error {error:.2f} discs, {share:.1%} of the points against the one"
            " before",
            number=number,
            rounds=rounds,
            error=math.sqrt(learned.held_out),
            share=learned.points / learned.games,
        )
    )
