"""Pairs of bots that are alike, on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.output import note, print_json, print_table
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.schemas.likeness import LikenessOut, LikeSide

Threshold = Annotated[float, typer.Option(min=0.1, max=1, help="How alike a pair has to be to be listed.")]
USUAL_THRESHOLD = 0.6


def show_likeness(found: LikenessOut, *, as_json: bool) -> None:
    """Print the pairs, and what was not compared."""
    if as_json:
        print_json(found)
        return
    rows = [
        (f"{pair.likeness:.0%}", *_side(pair.first), *_side(pair.second), pair.passages)
        for pair in found.pairs
    ]
    print_table((">likeness", "bot", ">own", "other", ">own", ">passages"), rows)
    note(
        say_many(
            "{number} bot was compared; the number does not tell why two are alike, nor who was first",
            "{number} bots were compared; the number does not tell why two are alike, nor who was first",
            found.compared,
        )
    )
    if found.hidden:
        note(
            say_many(
                "{number} was not compared, as its files are not yours to see",
                "{number} were not compared, as their files are not yours to see",
                found.hidden,
            )
        )
    for each in found.left_out:
        note(say("{bot} of {team} was not compared: {why}", bot=each.bot, team=each.team, why=each.why))


def _side(side: LikeSide) -> tuple[str, str]:
    return f"{side.bot} v{side.version} ({side.team})", f"{side.share:.0%}"
