"""The play graph of Reversi, on the smallest board."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engines.games.reversed_reversi import ReversedReversi
from engines.solvers import reversed_reversi
from engines.solvers.play_graph import PlayGraph


@lru_cache(maxsize=2)
def find_graph(game: ReversedReversi) -> PlayGraph | None:
    """It; None on a larger board."""
    if not reversed_reversi.is_solved(game):
        return None
    graph = reversed_reversi.graph_of(game)
    keys = np.array([reversed_reversi.key(state) for state in graph.states], np.int64)
    _, places, number = np.unique(keys, return_index=True, return_inverse=True)  # the same for either seat
    starts, successors = [0], []
    moves: list[int] = []
    ends, scores, forced = [], [], []
    for old in places.tolist():
        state = graph.states[old]
        moves += game.legal_moves(state)
        successors.append(number[graph.successors[graph.starts[old] : graph.starts[old + 1]]])
        starts.append(len(moves))
        discs = state.own.bit_count(), state.opp.bit_count()
        better = (discs[0] > discs[1]) - (discs[0] < discs[1])
        ends.append(-better if game.reversed else better)
        scores.append(discs)
        forced.append(game.forced_pass(state) is not None)
    return PlayGraph(
        int(number[graph.numbers[game.initial()]]),
        np.array(starts, np.int64),
        np.concatenate(successors).astype(np.int32),
        np.array(moves, np.int32),
        np.array(ends, np.int8),
        np.array(forced, np.bool_),
        np.array(scores, np.int16),
    )
