"""Who can be compared with whom: what the games must be like for ratings to exist."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from arena.theory.rating.counts import Counts


def strongly_connected(counts: Counts) -> bool:
    """Whether from every entrant a chain of wins and draws leads to every other.

    Without that some entrants' strengths, compared with the others', grow without end: L. R. Ford, *Solution
    of a ranking problem from binary comparisons*, American Mathematical Monthly 64 (1957) 28-33.
    """
    wins, draws, losses = counts.outcomes.T
    up, down = wins + draws > 0, losses + draws > 0
    tails = np.concatenate([counts.first[up], counts.second[down]])
    heads = np.concatenate([counts.second[up], counts.first[down]])
    shape = (counts.entrants, counts.entrants)
    edges = coo_array((np.ones(len(tails)), (tails, heads)), shape=shape).tocsr()
    return int(connected_components(edges, connection="strong", return_labels=False)) == 1


def connected(counts: Counts) -> bool:
    """Whether games, however they ended, lead from every entrant to every other."""
    return int(connected_components(_moved_first(counts), directed=False, return_labels=False)) == 1


def seats_compared(counts: Counts) -> bool:
    """Whether the advantage of moving first can be told from the strengths.

    It cannot where numbers could be given to the entrants so that in every game the first mover's is greater
    by one: then such a difference in strength and an advantage explain the games equally well.
    """
    moved_first = _moved_first(counts)
    if moved_first.multiply(moved_first.T.tocsr()).nnz:
        return True
    levels = _levels(counts, moved_first)
    return bool((levels[counts.first] - levels[counts.second] != 1).any())


def _levels(counts: Counts, moved_first: csr_array) -> NDArray[np.int64]:
    """Numbers such that along a spanning tree of every part the first mover's is greater by one."""
    size = counts.entrants
    both = (moved_first + moved_first.T).tocsr()
    rises = {(int(a), int(b)) for a, b in zip(counts.first, counts.second, strict=True)}
    levels: NDArray[np.int64] = np.zeros(size, dtype=np.int64)
    seen: set[int] = set()
    for root in range(size):
        if root in seen:
            continue
        order, before = breadth_first_order(both, root, directed=False)
        seen.update(map(int, order))
        for node in map(int, order[1:]):
            parent = int(before[node])
            levels[node] = levels[parent] + (-1 if (parent, node) in rises else 1)
    return levels


def _moved_first(counts: Counts) -> csr_array:
    """1 where the row's entrant moved first against the column's."""
    met = np.ones(len(counts.first)), (counts.first, counts.second)
    return coo_array(met, shape=(counts.entrants, counts.entrants)).tocsr()
