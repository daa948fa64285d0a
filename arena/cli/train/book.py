"""`arena book`: an opening book made by the search of the reference bot champion."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.completing import games
from arena.cli.shared.failures import CliError
from arena.cli.shared.groups import grouped
from arena.cli.shared.options import AsJson, Force, Params, sized_params
from arena.cli.shared.output import note, print_json, print_line
from arena.core.words import say, say_many
from arena.local.files import require_place, write_whole

if TYPE_CHECKING:
    from engines.solvers.reversi_book import Book

RECIPE = ".json"
"""How the name of the recipe ends that is written beside a book."""


@dataclass(frozen=True)
class BookOptions:
    """What decides the book."""

    size: Annotated[int | None, typer.Option(metavar="N", help="Short for --param size=N.")] = None
    param: Params = None
    depth: Annotated[
        int, typer.Option(metavar="PLIES", min=1, max=20, help="How deep positions are searched.")
    ] = 12
    plies: Annotated[
        int, typer.Option(metavar="N", min=1, max=30, help="How far the book goes from the first position.")
    ] = 16
    loss: Annotated[
        float,
        typer.Option(
            metavar="POINTS",
            min=0,
            max=64,
            help="How much in all the side may give up that does not play by the book.",
        ),
    ] = 2.0


@grouped
def book(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.", autocompletion=games)],
    *,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The book; its recipe goes into FILE.json.")],
    options: BookOptions,
    jobs: Annotated[
        int | None,
        typer.Option(
            "-j", "--jobs", metavar="N", min=1, max=1024, help="Processes [default: one a processor]."
        ),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make an opening book for the reference bot champion, by its own search.

    The book depends on what judges and on depth, plies and loss alone: it is the same on every machine.
    """
    from arena.local.opening_book import make_book, recipe
    from engines.games import find_game
    from engines.solvers.reversi_book import BookPlan
    from workers.play.pool import cpu_count, interrupts

    rules = find_game(game, sized_params(game, options.size, options.param))
    plan = BookPlan(options.depth, options.plies, options.loss)
    beside = out.with_name(out.name + RECIPE)
    for path in (out, beside):
        require_place(path, force=force)
    with interrupts() as stopped:
        made = make_book(rules, plan, jobs=jobs or cpu_count(), told=_told, stopped=stopped)
    if made is None:
        raise CliError(say("interrupted; nothing is written"))
    told = recipe(rules, plan, made)
    write_whole(out, [made.packed()], force=force)
    write_whole(beside, [json.dumps(told, indent=2).encode() + b"\n"], force=force)
    if as_json:
        print_json(told | {"file": str(out)})
        return
    print_line(
        say(
            "{file}: {positions}, {size}, SHA-256 {digest}",
            file=out,
            positions=_positions(told["book"]["positions"]),
            size=say_many("{number:,} byte", "{number:,} bytes", told["book"]["bytes"]),
            digest=told["book"]["sha256"],
        )
    )


def _told(made: Book) -> None:
    """Tell how far it is."""
    positions = _positions(len(made.pages()))
    note(say("{positions} in the book, {searched:,} searched", positions=positions, searched=made.searched))


def _positions(number: int) -> str:
    return say_many("{number:,} position", "{number:,} positions", number)
