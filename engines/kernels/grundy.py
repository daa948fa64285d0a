"""Grundy numbers, each the least number that none of a position's successors has."""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.kernels.jit import compiled


@compiled
def number_graph(numbers: Any, starts: Any, successors: Any) -> None:
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
