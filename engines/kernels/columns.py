"""The moves of a batch as columns without gaps: what is written a row a game, or a row a ply."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engines.kernels import Playouts
from engines.kernels.jit import Int8s, Int32s, Int64s, compiled


class PlyColumns(NamedTuple):
    """A row a ply: the index of its game, which of its plies it is, from 0 on, and that game's winner."""

    games: Int64s
    plies: Int32s
    winners: Int8s


def move_numbers(playouts: Playouts, moves: Int32s) -> Int32s:
    """The numbers of the moves of all games, one after the other."""
    out = np.empty(int(playouts.plies.sum(dtype=np.int64)), np.int32)
    _flatten(moves, playouts.plies, out)
    return out


def ply_columns(playouts: Playouts, start: int) -> PlyColumns:
    """A row for each ply of games whose first has index `start`."""
    rows = int(playouts.plies.sum(dtype=np.int64))
    columns = PlyColumns(np.empty(rows, np.int64), np.empty(rows, np.int32), np.empty(rows, np.int8))
    _spread(playouts.plies, playouts.winners, start, columns)
    return columns


@compiled
def _flatten(moves: Int32s, plies: Int32s, out: Int32s) -> None:
    """Write the first `plies` moves of each row."""
    at = 0
    for row in range(len(plies)):
        for ply in range(plies[row]):
            out[at] = moves[row, ply]
            at += 1


@compiled
def _spread(plies: Int32s, winners: Int8s, start: int, columns: PlyColumns) -> None:
    """Fill the columns."""
    games, numbers, wins = columns
    at = 0
    for row in range(len(plies)):
        for ply in range(plies[row]):
            games[at] = start + row
            numbers[at] = ply
            wins[at] = winners[row]
            at += 1
