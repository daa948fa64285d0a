"""The games that ratings are made from, counted by ordered pair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Pair(NamedTuple):
    """The games in which `first` moved first against `second`: those it won, drew and lost."""

    first: int
    second: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, eq=False)
class Counts:
    """Games between entrants 0 to ``entrants - 1``, a row for every ordered pair that met, ascending.

    `first` and `second` have shape (pairs,), `outcomes` (pairs, 3): wins, draws and losses of `first`.
    """

    entrants: int
    first: Ints
    second: Ints
    outcomes: Ints

    @classmethod
    def of(cls, entrants: int, pairs: Iterable[Pair]) -> Counts:
        """The counts of `pairs`, in whatever order they come and however they are split.

        Raises:
            ValueError: an entrant would meet itself or does not exist, or a count is negative.
        """
        rows: Ints = np.array(list(pairs), dtype=np.int64).reshape(-1, 5)
        return cls.of_arrays(entrants, rows[:, 0], rows[:, 1], rows[:, 2:])

    @classmethod
    def of_arrays(cls, entrants: int, first: Ints, second: Ints, outcomes: Ints) -> Counts:
        """The same from columns.

        Raises:
            ValueError: as `of`.
        """
        if first.size and not (min(first.min(), second.min()) >= 0 and outcomes.min() >= 0):
            raise ValueError("entrants and counts of games are not negative")
        if (first == second).any() or (first.size and max(first.max(), second.max()) >= entrants):
            raise ValueError(f"an entrant meets another one of the {entrants}")
        keys, place = np.unique(first * entrants + second, return_inverse=True)
        summed: Ints = np.zeros((len(keys), 3), dtype=np.int64)
        np.add.at(summed, place, outcomes)
        played = summed.sum(axis=1) > 0
        keys, summed = keys[played], summed[played]
        return cls(entrants, keys // max(entrants, 1), keys % max(entrants, 1), summed)

    @property
    def games(self) -> Ints:
        """The games of every pair, shape (pairs,)."""
        total: Ints = self.outcomes.sum(axis=1)
        return total

    @property
    def games_of_each(self) -> Ints:
        """The games of every entrant, shape (entrants,)."""
        return self._sums(self.first) + self._sums(self.second)

    def _sums(self, side: Ints) -> Ints:
        sums: Any = np.bincount(side, self.games, self.entrants)
        return np.asarray(sums, dtype=np.int64)
