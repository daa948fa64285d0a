"""Which games the algorithms for circle Nim have records of.

A set of records belongs to a number of rows, the seat that uses it, whether that seat won or lost the games,
how many there are, and a seed. Its games are those of the document's random player against itself: game ``i``
draws from ``game_stream(run, i)``, where `run` is the first word of
``Stream("records", rows, seat, "won" or "lost", seed)``, and the first `size` games that the right seat won
are taken in the order of their indices. So winning and losing records come from different games, as in the
document, and a set is the same whoever makes it.
"""

from __future__ import annotations

from typing import NamedTuple

from engines.game import Seat
from engines.stream import Stream


class RecordSet(NamedTuple):
    """Which records: `won` by the player in `seat`, or lost by it."""

    rows: int
    seat: Seat
    won: bool
    size: int
    seed: int

    @property
    def run(self) -> int:
        """The run of the games that the records are taken from."""
        return Stream("records", self.rows, self.seat, "won" if self.won else "lost", self.seed).word()

    @property
    def winner(self) -> Seat:
        """The seat that wins in every record."""
        return self.seat if self.won else (1 if self.seat == 0 else 0)
