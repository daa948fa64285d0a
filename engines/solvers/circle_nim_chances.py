"""How often each side of circle Nim wins where chance plays: dynamic programming, nothing sampled."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt

from engines.games.circle_nim import CircleNim, State, lines, symmetries
from engines.kernels import circle_nim_values as kernel
from engines.solvers.forward import runs
from engines.solvers.oracle import Progress, Solution, no_progress
from engines.symmetry import Permutation, moved

FRACTION_ROWS = 5
"""With more rows the exact fraction is longer than a line."""

MARKING, AMONG_RANDOM, AGAINST_PERFECT, PARTS = 0, 1, 3, 5
"""The parts that the work has for `progress`: one, and then two quantities each."""


def chances(game: CircleNim, table: memoryview, progress: Progress = no_progress) -> Solution:
    """The first player's chance to win and the mean number of plies, for random and for perfect players.

    Random is the document's player; perfect wins as fast and loses as late as it can, and takes each of
    several such moves equally often. The numbers are right to about 15 digits; for few rows the chance
    among random players is given as a fraction too. Seven rows need 1 GB.
    """

    def part(number: int) -> Progress:
        return lambda done, total: progress(number * total + done, PARTS * total)

    triangle = _triangle(game, part(MARKING))
    won, plies = (
        float(_among_random(triangle, sign, part(AMONG_RANDOM + number)))
        for number, sign in enumerate((-1, 1))
    )
    exact = str(chance_among_random(game)) if game.rows <= FRACTION_ROWS else None
    codes = np.frombuffer(table, np.uint8)
    losses, lengths = (
        _against_perfect(triangle, codes, goal, part(AGAINST_PERFECT + number))
        for number, goal in enumerate((1, 0))
    )
    return {
        "random_random": {"first_wins": won, "fraction": exact, "plies": plies},
        "perfect_random": {"first_wins": 1 - losses[0], "plies": lengths[0]},
        "random_perfect": {"first_wins": losses[1], "plies": lengths[1]},
    }


def chance_among_random(game: CircleNim) -> Fraction:
    """The exact chance that the first of two random players wins, from the rules."""
    masks = lines(game.rows).masks

    @cache
    def won(left: int) -> Fraction:
        kinds: dict[int, list[Fraction]] = {}
        for mask in masks:
            if mask & left == mask:
                after = game.canonical(State(left ^ mask, 0)).left
                kinds.setdefault(mask.bit_count(), []).append(won(after))
        means = [sum(kind, Fraction()) / len(kind) for kind in kinds.values()]
        return 1 - sum(means, Fraction()) / max(1, len(means))

    return won(game.initial().left)


def _among_random(triangle: kernel.Triangle, sign: int, progress: Progress) -> float:
    """The first player's chance to win (`sign` -1), or the mean number of plies (1)."""
    values = np.zeros(triangle.before[-1])
    values[0] = sign < 0
    for first, last in runs(len(triangle.words), progress):
        kernel.among_random(values, float(sign), triangle, first, last)
    return float(values[-1])


def _against_perfect(
    triangle: kernel.Triangle, codes: npt.NDArray[np.uint8], goal: int, progress: Progress
) -> list[float]:
    """The random side's chance to win (`goal` 1), or the mean number of plies (0): second, and beginning."""
    values = np.zeros((2, triangle.before[-1]))
    values[1, 0] = goal
    for first, last in runs(len(triangle.words), progress):
        kernel.against_perfect(values, codes, triangle, first, last)
    return [float(value) for value in values[:, -1]]


def _triangle(game: CircleNim, progress: Progress) -> kernel.Triangle:
    """The lines and shapes of a game's triangle."""
    sets, piece = 1 << game.circles, kernel.PIECE_BITS
    turns = symmetries(game.rows)
    pieces = [
        [
            [_moved(some << first, turn) for some in range(1 << piece)]
            for first in range(0, game.circles, piece)
        ]
        for turn in turns
    ]
    masks = lines(game.rows).masks
    kinds = np.cumsum(np.bincount([mask.bit_count() for mask in masks]))
    words = np.zeros(max(1, sets >> kernel.WORD_BITS), np.uint64)
    for first, last in runs(len(words), progress):
        kernel.mark_shapes(words, np.array(pieces, np.int64), sets, first, last)
    before = np.zeros(len(words) + 1, np.int64)
    np.cumsum(np.bitwise_count(words), out=before[1:])
    turned = np.array([[moved(mask, turn) for turn in turns] for mask in masks], np.int64)
    return kernel.Triangle(words, before, np.array(pieces, np.int64), turned, kinds)


def _moved(board: int, turn: Permutation) -> int:
    return moved(board & (1 << len(turn)) - 1, turn)
