"""Circle Nim's records, made by compiled code: rows of bytes in ascending order, a row a game.

A byte is the number of a move, and 255 follows the last; `engines.strategies.record_sets` says which games.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock

import numpy as np
import numpy.typing as npt

from engines.games.circle_nim import circle
from engines.kernels.arithmetic import U64, game_state
from engines.kernels.circle_nim_lines import ONE, Tables, draw, tables, take
from engines.kernels.jit import compiled
from engines.strategies.record_sets import RecordSet

Rows = npt.NDArray[np.uint8]

_making = Lock()


def collect(which: RecordSet) -> Rows:
    """The records of a set, a row a record; made once, also where several threads ask."""
    with _making:
        return _collected(which)


@lru_cache(maxsize=8)
def _collected(which: RecordSet) -> Rows:
    width = circle(which.rows, 0)
    games = np.zeros((which.size, width), np.uint8)
    _collect(tables(which.rows), U64(which.run), which.winner, games)
    ordered: Rows = np.sort(games.view(f"S{width}"), axis=0).view(np.uint8)
    return ordered - np.uint8(1)


@compiled
def _collect(tables: Tables, run: U64, winner: int, games: Rows) -> None:
    """Fill each row with the moves of a game that `winner` wins, 1 added to each so that 0 means none."""
    full, first, left = tables
    index, collected = U64(0), 0
    while collected < len(games):
        state, lines, made = game_state(run, index), full, 0
        while lines[0]:
            move, state = draw(lines, first, state)
            lines = take(lines, left, move)
            games[collected, made] = move + ONE
            made += 1
        if made % 2 == winner:
            collected += 1
        else:
            games[collected] = 0
        index += ONE
