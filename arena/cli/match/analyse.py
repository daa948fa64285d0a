"""`arena match analyse`: a recorded match judged by exact solvers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json, print_line, print_table
from arena.core.words import say, say_many


def analyse(
    name: Annotated[str, typer.Argument(metavar="FILE[#N]", help="A record file, and which match of it.")],
    as_json: AsJson = False,
) -> None:
    """Tell what each position of a recorded match was worth with perfect play, and which move lost it.

    Of Reversi on more than 4 by 4 squares the endings are known, as far back as a minute or so reaches.
    """
    from arena.cli.shared.progress import following
    from arena.local.analysis import analysed
    from arena.local.records import parse_name, read_one

    record = read_one(parse_name(name))
    with following(say("solving {name}", name=record.spec.game.name)) as progress:
        told = analysed(record, progress)
    print_json(told) if as_json else _print(told)


def _print(told: Mapping[str, Any]) -> None:
    if told["unsolved"]:
        note(told["unsolved"])
        return
    positions = told["positions"]
    if positions[0]["ply"]:
        note(say("positions before ply {ply} are not solved", ply=positions[0]["ply"]))
    columns = (">Ply", "Move", say("To move"), "Worth", "Best", say("What the move did"))
    print_table(columns, (_row(told["bots"], each) for each in positions))
    print_line(_lost(told))


def _row(bots: Sequence[str], position: Mapping[str, Any]) -> tuple[object, ...]:
    more = say(" and {more} more", more=position["more"]) if position["more"] else ""
    best = " ".join(position["best"]) + more
    worth = position["value"]
    if position["distance"]:
        worth += say(" in {distance}", distance=position["distance"])
    if position["margin"] is not None:
        worth += f" ({position['margin']:+d})"
    return position["ply"], position["move"] or "", bots[position["seat"]], worth, best, _did(position)


def _did(position: Mapping[str, Any]) -> str:
    judged = position["judgement"]
    if judged is None:
        return ""
    points = (
        say("{points} worse", points=say_many("{number} point", "{number} points", judged["points"]))
        if judged["points"]
        else ""
    )
    if judged["before"] == judged["after"]:
        return points
    return say("{before} before, {after} after", before=judged["before"], after=judged["after"]) + (
        f", {points}" if points else ""
    )


def _lost(told: Mapping[str, Any]) -> str:
    lost = told["lost"]
    if lost is None:
        return say("nobody stood lost at the end")
    bot = told["bots"][lost["seat"]]
    if lost["ply"] is None:
        return say("{bot} stood lost as far back as that is known", bot=bot)
    if lost["ply"] == 0:
        return say("{bot} stood lost before it had a choice", bot=bot)
    return say("{bot} lost it by ply {ply}, {told}", bot=bot, ply=lost["ply"], told=_move(told, lost["ply"]))


def _move(told: Mapping[str, Any], ply: int) -> str:
    return next(str(each["move"]) for each in told["positions"] if each["ply"] == ply)
