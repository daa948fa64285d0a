"""Sprague and Grundy's theory, computed and not assumed: a position's number from its successors'.

In an impartial game that the player who cannot move loses, a finished position has the number 0, and every
other one the least number that none of its successors has. The side to move wins where it is not 0, and the
number of several games side by side is the XOR of theirs (Sprague 1935, Grundy 1939).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from engines.kernels import grundy as kernel
from engines.solvers.forward import Graph

S = TypeVar("S", bound=Hashable)


def grundy_numbers(graph: Graph[S]) -> npt.NDArray[np.int32]:
    """The Grundy number of every position of `graph`: shape (positions,)."""
    numbers = np.zeros(len(graph.states), np.int32)
    kernel.number_graph(numbers, graph.starts, graph.successors)
    return numbers
