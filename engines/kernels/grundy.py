"""Grundy numbers, each the least number that none of a position's successors has."""

from __future__ import annotations

import numpy as np

from engines.kernels.jit import Int32s, Int64s, compiled


@compiled
def number_graph(numbers: Int32s, starts: Int64s, successors: Int32s) -> None:
    """Fill `numbers` for a graph whose every position comes after its successors.

    The successors of position ``p`` are ``successors[starts[p]:starts[p + 1]]``.
    """
    most = 0
    for position in range(len(numbers)):
        most = max(most, starts[position + 1] - starts[position])
    seen_by = np.full(most + 2, -1, np.int64)
    for position in range(len(numbers)):
        for at in range(starts[position], starts[position + 1]):
            seen_by[numbers[successors[at]]] = position
        number = 0
        while seen_by[number] == position:
            number += 1
        numbers[position] = number
