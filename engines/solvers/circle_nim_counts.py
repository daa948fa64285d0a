"""What the table of circle Nim says, counted: positions won and lost, and how the first player may begin."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engines.games.circle_nim import CircleNim, State, symmetries
from engines.solvers.oracle import Oracle, Solution, before, decoded, rank
from engines.symmetry import Permutation

PIECE = 1 << 22
"""Entries of a table that are counted at a time."""

WON, LOST = slice(1, None, 2), slice(2, None, 2)
"""The codes of won and of lost positions."""


def counts(game: CircleNim, table: memoryview) -> Solution:
    """Positions won and lost for the side to move, all of them and up to symmetry, and by distance.

    The empty triangle is a position too, a won one, because the other side has taken the last circle.
    """
    codes = np.frombuffer(table, np.uint8)
    by_code = np.zeros(256, np.int64)
    for first in range(0, len(codes), PIECE):
        by_code += np.bincount(codes[first : first + PIECE], minlength=256)
    turns = symmetries(game.rows)
    alike = (by_code + sum(_fixed(codes, turn) for turn in turns[1:])) // len(turns)
    distances = [
        {
            "distance": decoded(code).distance,
            "won": decoded(code).result > 0,
            "positions": int(by_code[code]),
            "up_to_symmetry": int(alike[code]),
        }
        for code in np.flatnonzero(by_code).tolist()
    ]
    return {"positions": _shares(by_code), "up_to_symmetry": _shares(alike), "distances": distances}


def first_moves(game: CircleNim, oracle: Oracle[State]) -> list[Solution]:
    """Every first move, those that are alike by symmetry together, the best first.

    `best` are those that the perfect player chooses from: the fastest wins, or the slowest losses.
    """
    start = game.initial()
    alike: dict[State, list[str]] = {}
    for move in game.legal_moves(start):
        shape = game.canonical(game.play(start, move))
        alike.setdefault(shape, []).append(game.move_to_text(move))
    ranks = {shape: rank(oracle.value(shape)) for shape in alike}
    best = max(ranks.values())
    return [
        {
            "moves": alike[shape],
            "wins": before(oracle.value(shape)).result > 0,
            "distance": before(oracle.value(shape)).distance,
            "best": ranks[shape] == best,
        }
        for shape in sorted(alike, key=ranks.__getitem__, reverse=True)
    ]


def _shares(by_code: npt.NDArray[np.int64]) -> dict[str, int]:
    won, lost = int(by_code[WON].sum()), int(by_code[LOST].sum())
    return {"all": won + lost, "won": won, "lost": lost}


def _fixed(codes: npt.NDArray[np.uint8], turn: Permutation) -> npt.NDArray[np.int64]:
    """How many sets of each code a symmetry takes to themselves: by Burnside's lemma the mean over all
    symmetries is the number of sets up to symmetry. They are the unions of the cycles of its circles.
    """  # noqa: D205
    sets = np.zeros(1, np.int64)
    seen: set[int] = set()
    for circle in range(len(turn)):
        cycle = 0
        at = circle
        while at not in seen:
            seen.add(at)
            cycle |= 1 << at
            at = turn[at]
        if cycle:
            sets = np.concatenate([sets, sets | cycle])
    return np.bincount(codes[sets], minlength=256)
