"""How ratings came about: the maximum likelihood by the games of the first round, the first two, and so on.

Rounds are those of the schedule, so that the order in which results arrived changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from arena.theory.rating.counts import Counts, Ints
from arena.theory.rating.fit import Fit, Reason, fit
from arena.theory.rating.history_points import evenly
from arena.theory.rating.scale import elo


@dataclass(frozen=True)
class Snapshot:
    """The ratings by the games of the rounds up to `round`: Elo and standard error by entry.

    The mean of those who have games is 0. `prior` says why a normal prior was needed, None where it was not.
    """

    round: int
    games: int
    ratings: Mapping[int, tuple[float, float]]
    prior: Reason | None


def by_round(met: Ints, most: int) -> list[Snapshot]:
    """The ratings after rounds chosen evenly, at most so many, the last one included; no order matters.

    `met` has shape (rows, 6): a round, two entries, and what the first mover won, drew and lost.
    """
    met = met[met[:, 3:].any(axis=1)]
    rounds = np.unique(met[:, 0])
    snapshots: list[Snapshot] = []
    entries: Ints = np.array([], dtype=np.int64)
    fitted: Fit | None = None
    for number in evenly(len(rounds), most):
        so_far = met[met[:, 0] <= rounds[number - 1], 1:]
        before, entries = entries, np.unique(so_far[:, :2])
        places = np.searchsorted(entries, so_far[:, :2])
        counts = Counts.of_arrays(len(entries), places[:, 0], places[:, 1], so_far[:, 2:])
        fitted = fit(counts, fitted if np.array_equal(entries, before) else None)
        snapshots.append(_told(int(rounds[number - 1]), entries, counts, fitted))
    return snapshots


def _told(end: int, entries: Ints, counts: Counts, fitted: Fit) -> Snapshot:
    told = zip(
        entries.tolist(), map(elo, fitted.strengths.tolist()), map(elo, fitted.errors.tolist()), strict=True
    )
    return Snapshot(
        round=end,
        games=int(counts.games.sum()),
        ratings={entry: (strength, error) for entry, strength, error in told},
        prior=fitted.prior,
    )
