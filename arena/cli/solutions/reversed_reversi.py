"""Reversi's analysis in words: the smallest board, or the ending of a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def lines(result: Mapping[str, Any]) -> Iterator[str]:
    """What `engines.solvers.reversed_reversi.analyse` found."""
    size, goal = result["params"]["size"], "fewer" if result["params"]["reversed"] else "more"
    yield f"Reversi on {size} by {size} squares, {goal} discs win"
    if "position" in result:
        yield from (f"  {row}" for row in result["position"]["board"])
        yield f"{result['position']['to_move']} to move, empty squares: {result['empty']}"
    cross, nought = result["score"]
    yield f"With perfect play {_winner(result['winner'])}; for the best score it ends X {cross}, O {nought}"
    yield f"Line: {' '.join(result['line']) or 'none, it is over'}"
    yield from _searched(result) if "position" in result else _counts(result)


def _winner(winner: str | None) -> str:
    return "nobody wins" if winner is None else f"{winner} wins"


def _searched(result: Mapping[str, Any]) -> Iterator[str]:
    yield f"{result['nodes']} positions searched"


def _counts(result: Mapping[str, Any]) -> Iterator[str]:
    if result["distance"] is not None:
        yield f"The winner can make it end after {result['distance']} plies, passes counted, and no sooner"
    positions, plies = result["positions"], result["plies"]
    yield ""
    yield (
        f"{positions['all']} positions that play can reach, {positions['up_to_symmetry']} up to symmetry,"
        f" {positions['finished']} of all finished"
    )
    yield f"{result['games']} different games of {plies['shortest']} to {plies['longest']} plies"
