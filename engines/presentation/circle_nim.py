"""Circle Nim's analysis in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from engines.presentation import LEFT_THE_LAST, Presentation, Words
from engines.presentation.tables import share, table_lines

PLAYERS = {
    "random_random": ("random", "random"),
    "perfect_random": ("perfect", "random"),
    "random_perfect": ("random", "perfect"),
}


class CircleNimPresentation(Presentation):
    """How circle Nim is shown."""

    board = "engines.presentation:boards/circle_nim.html"
    reasons: ClassVar = {"left_the_last": LEFT_THE_LAST}

    def title(self, params: Mapping[str, Any]) -> Words:
        """Its name and its rows."""
        return Words(f"Circle Nim {params['rows']} rows", f"消圈圈 {params['rows']} 層")

    def solution(self, result: Mapping[str, Any]) -> Iterator[str]:
        """What `engines.solvers.circle_nim.analyse` found."""
        yield (
            f"{result['params']['rows']} rows, {result['circles']} circles: with perfect play the"
            f" {result['winner']} player wins after {result['distance']} plies"
        )
        yield from _first_moves(result["first_moves"])
        yield from _positions(result)
        yield from _chances(result["chances"])


def _first_moves(moves: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield ""
    yield "First moves, those alike by symmetry in one line (* the perfect player's)"
    rows = [
        (
            "*" if each["best"] else "",
            "wins" if each["wins"] else "loses",
            each["distance"],
            ", ".join(each["moves"]),
        )
        for each in moves
    ]
    yield from table_lines(("", "result", "plies", "moves"), rows)


def _positions(result: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    counted = (("positions", result["positions"]), ("up to symmetry", result["up_to_symmetry"]))
    rows = [
        (name, each["all"], each["won"], each["lost"], share(each["won"], each["all"]))
        for name, each in counted
    ]
    yield from table_lines(("for the side to move", "all", "won", "lost", "share won"), rows)
    yield ""
    yield "Distance to the end (the winner hurries, the loser delays)"
    distances = [
        (each["distance"], "won" if each["won"] else "lost", each["positions"], each["up_to_symmetry"])
        for each in result["distances"]
    ]
    yield from table_lines(("plies", "result", "positions", "up to symmetry"), distances)


def _chances(chances: Mapping[str, Mapping[str, Any]] | None) -> Iterator[str]:
    yield ""
    if chances is None:
        yield "The chances of random players take minutes with 7 rows: --probabilities computes them"
        return
    yield "The first player's chance to win, computed and not sampled"
    rows = [
        (*players, f"{chances[name]['first_wins']:.12g}", f"{chances[name]['plies']:.6f}")
        for name, players in PLAYERS.items()
    ]
    yield from table_lines(("first", "second", "first wins", "plies on average"), rows)
    if chances["random_random"]["fraction"]:
        yield f"random against random exactly: {chances['random_random']['fraction']}"
