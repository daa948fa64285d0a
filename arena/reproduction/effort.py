"""How much is played for a reproduction."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """Record sets for each cell of the algorithms' tables, games with each, and Reversi games a seat.

    `set_games` is at least the documents' 3000 games of a cell, `record_sets` at least 2. `person_games` are
    played for each number of hints, and `million_sets` (none, or at least 2) with 1,000,000 records.
    """

    record_sets: int
    set_games: int
    reversi_games: int
    person_games: int
    million_sets: int = 0


DEFAULT = Effort(record_sets=60, set_games=20_000, reversi_games=250, person_games=400)
FULL = Effort(record_sets=200, set_games=50_000, reversi_games=2_000, person_games=4_000, million_sets=10)
FEW_MILLION_SETS = 3
"""What is played of 1,000,000 records where only these are asked for."""
