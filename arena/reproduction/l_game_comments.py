"""What the exact solution of the L-Game adds to its document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.documents import l_game as document
from arena.reproduction.findings import Comment
from arena.reproduction.texts import comment


def many(analysis: Mapping[str, Any], least: int) -> Mapping[str, int]:
    """What the analysis counts of positions with at least so many moves."""
    return next(each for each in analysis["many_moves"] if each["at_least"] == least)


def comments(analysis: Mapping[str, Any]) -> Iterator[Comment]:
    """Further results of the exact solution."""
    start, values = analysis["start"], analysis["values"]
    counts = {name: values[name]["a_side"] for name in ("won", "lost", "drawn")}
    longest = max(analysis["distances"], key=lambda each: each["plies"])
    yield comment("l_game", "values", ("claims/forced-win",), start=start, longest=longest, **counts)
    likely = many(analysis, document.LIKELY_WIN_CHILDREN)
    if likely["won"] == likely["positions"] != likely["won_at_once"]:
        yield comment("l_game", "many-moves", ("claims/169",), likely=likely)
    corner = next(each for each in analysis["corners"] if each["which"] == "no move")
    if corner["covers_corner"] == corner["positions"] != corner["angle_in_corner"]:
        yield comment("l_game", "corner", ("claims/corner",), corner=corner)
