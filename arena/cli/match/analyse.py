"""`arena match analyse`: a recorded match judged by exact solvers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.match.worth import best_of, deed_of, loser_of, turn_of, worth_of
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.words import say

if TYPE_CHECKING:
    from arena.local.analysis import Analysed


def analyse(
    name: Annotated[str, typer.Argument(metavar="FILE[#N]", help="A record file, and which match of it.")],
    as_json: AsJson = False,
) -> None:
    """Tell what each position of a recorded match was worth with perfect play, and which move lost it.

    Of Reversi on more than 4 by 4 squares the endings are known, as far back as a minute or so reaches.
    """
    from arena.cli.shared.progress import following
    from arena.local.analysis import analysed
    from arena.local.records import moves_of, parse_name, read_one

    record = read_one(parse_name(name))
    with following(say("solving {name}", name=record.spec.game.name)) as progress:
        told = analysed(record.spec, moves_of(record), progress)
    bots = [bot.name for bot in record.spec.bots]
    if as_json:
        print_json({"bots": bots, **told.model_dump()})
    else:
        _print(told, bots, record.result.winner)


def _print(told: Analysed, bots: Sequence[str], winner: int | None) -> None:
    if told.unsolved:
        note(told.unsolved)
        return
    if not told.positions:
        note(say("no position is solved: the game was broken off before its ending"))
        return
    first = told.positions[0]
    if first.ply:
        note(say("positions before ply {ply} are not solved", ply=first.ply))
    columns = (">Ply", "Move", say("To move"), "Worth", "Best", say("What the move did"))
    print_table(
        columns,
        (
            (
                each.ply,
                each.move or "",
                bots[each.seat],
                worth_of(each),
                best_of(each),
                deed_of(each.judgement),
            )
            for each in told.positions
        ),
    )
    print_line(loser_of(told, bots, winner))
    if turn := turn_of(told, bots):
        print_line(turn)
