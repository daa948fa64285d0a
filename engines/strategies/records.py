"""Records of whole games, in which the algorithms for circle Nim look up their moves.

Which games they are is a matter of their `RecordSet`; who makes them makes the same.
"""

from __future__ import annotations

import importlib
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import count as count_from

from engines.games.circle_nim import CircleNim, circle
from engines.solvers.oracle import Progress
from engines.solvers.tables import open_table
from engines.strategies.circle_nim import Moves, draw, kinds, untouched
from engines.strategies.record_sets import RecordSet
from engines.stream import Stream, game_stream

MAX_RECORDS = 1_000_000
END = 0xFF
"""Follows the last move of a game; no move has this number."""

WORTH_KEEPING = 5_000
"""Making so many records takes plain Python longer than a bot's process should take to start."""


class Records:
    """Games in ascending order of their move numbers, one after the other, each filled up to `width` bytes.

    The moves' numbers fit a byte. Games that begin in the same way are therefore neighbours.
    """

    def __init__(self, packed: bytes, width: int) -> None:
        self.packed = packed
        self.width = width
        self._at: dict[int, Moves] = {}

    def consistent(self, history: bytes) -> range:
        """The numbers of the records that begin with exactly these moves in this order."""

        def beginning(number: int) -> bytes:
            return self.packed[number * self.width : number * self.width + len(history)]

        numbers = range(len(self.packed) // self.width)
        first = bisect_left(numbers, history, key=beginning)
        return range(first, bisect_right(numbers, history, first, key=beginning))

    def move(self, number: int, ply: int) -> int:
        """What was played at `ply` (from 0) in a record."""
        return self.packed[number * self.width + ply]

    def moves_at(self, ply: int) -> Moves:
        """All that was played at `ply` in any record that is so long."""
        if ply not in self._at:
            self._at[ply] = sum(1 << move for move in set(self.packed[ply :: self.width]) - {END})
        return self._at[ply]

    def some_are_over(self, ply: int) -> bool:
        """Whether a record has no move at `ply`."""
        return ply >= self.width or END in self.packed[ply :: self.width]

    def next_moves(self, consistent: range, ply: int) -> Moves:
        """All that was played at `ply` in records that agree on everything before."""
        moves, number = 0, consistent.start
        while number < consistent.stop:
            move = self.move(number, ply)
            moves |= 1 << move
            number = bisect_right(
                range(consistent.stop), move, number, key=lambda other: self.move(other, ply)
            )
        return moves


@lru_cache(maxsize=8)
def records(which: RecordSet) -> Records:
    """The records of a set. Large ones are kept among the tables on disk, for other processes."""
    if which.size < WORTH_KEEPING:
        return make(which)

    def build(_: Progress) -> memoryview:
        return memoryview(_compiled(which) or make(which).packed)

    kind = "won" if which.won else "lost"
    content = f"records-{which.seat}-{kind}-{which.size}-{which.seed}"
    return Records(bytes(open_table(CircleNim(which.rows), content, build)), circle(which.rows, 0))


def _compiled(which: RecordSet) -> bytes | None:
    """The records of a set, made by compiled code; None where Numba cannot be imported."""
    try:
        kernel = importlib.import_module("engines.kernels.circle_nim_collecting")
    except ImportError:  # a bot on a bare interpreter
        return None
    packed: bytes = kernel.collect(which).tobytes()
    return packed


def make(which: RecordSet) -> Records:
    """The records of a set, in plain Python."""
    width, run = circle(which.rows, 0), which.run
    games: list[bytes] = []
    for index in count_from():
        moves = _random_game(which.rows, game_stream(run, index))
        if len(moves) % 2 == which.winner:
            games.append(moves.ljust(width, bytes([END])))
            if len(games) == which.size:
                break
    return Records(b"".join(sorted(games)), width)


def _random_game(rows: int, stream: Stream) -> bytes:
    """The moves of one game. Their number tells who won: seat 1 where it is odd and seat 0 took the last."""
    of, rest = kinds(rows), untouched(rows)
    left, moves = sum(of), bytearray()
    while left:
        move = draw(left, of, stream)
        moves.append(move)
        left &= rest[move]
    return bytes(moves)
