"""How much is played for a reproduction."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """Record sets for each cell of the algorithms' tables, games with each, and Reversi matches a seat.

    `set_games` is at least the documents' 3000 games of a cell, `record_sets` at least 2.
    """

    record_sets: int
    set_games: int
    matches: int


DEFAULT = Effort(record_sets=60, set_games=20_000, matches=30)
FULL = Effort(record_sets=200, set_games=50_000, matches=250)
