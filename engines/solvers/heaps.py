"""Every position that heaps can come to, by its index: a digit a heap, the first the most significant."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from engines.kernels import heaps as kernel
from engines.kernels.jit import Codes
from engines.solvers.forward import recoded, runs
from engines.solvers.oracle import Progress, no_progress


def solve_heaps(sizes: Sequence[int], *, misere: bool, progress: Progress = no_progress) -> Codes:
    """The code of everything that heaps of `sizes` can come to: shape (product of the sizes + 1,), uint16.

    A move takes any number from one heap; whoever takes the last one of all wins, or loses with `misere`.
    """
    walk = _walk(sizes)
    values = np.empty(prod(size + 1 for size in sizes), np.uint16)
    values[0] = kernel.TOP if misere else 0
    lows = np.empty(walk.starts[-1], np.uint16)
    for first, last in runs(len(values), progress):
        kernel.settle(values, lows, walk, first, last)
    return recoded(values)


def grundy_against_xor(sizes: Sequence[int], progress: Progress = no_progress) -> int:
    """In how many of the positions that heaps of `sizes` can come to the Grundy number is not their XOR.

    The numbers are found from the moves: each is the least that none of the position's successors has.
    """
    walk = _walk(sizes)
    words = -(-(1 << max(sizes).bit_length()) // kernel.WORD)
    seen = np.zeros((walk.starts[-1], words), np.uint64)
    positions = prod(size + 1 for size in sizes)
    return sum(
        int(kernel.count_other_numbers(seen, walk, first, last)) for first, last in runs(positions, progress)
    )


def rule_against_codes(sizes: Sequence[int], codes: Codes, *, misere: bool) -> tuple[int, int]:
    """How many positions are lost by their `codes`, and on how many the XOR rule says otherwise."""
    lost, different = kernel.count_lost(codes, _walk(sizes), misere)
    return int(lost), int(different)


def _walk(sizes: Sequence[int]) -> kernel.Walk:
    strides = [prod(size + 1 for size in sizes[heap + 1 :]) for heap in range(len(sizes))]
    starts = np.cumsum([0, *strides], dtype=np.int64)
    return kernel.Walk(np.array(sizes, np.int64), np.zeros(len(sizes), np.int64), starts)
