"""Errors of ratings by resampling the pairs of games that share an opening.

The two games from one opening with seats exchanged are not independent, but pairs of games are. Each resample
draws as many of them as there are, with replacement, and rates them (B. Efron and R. J. Tibshirani, *An
Introduction to the Bootstrap*, 1993, chapter 6, with pairs as observations).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.theory.rating.counts import Counts, Ints
from arena.theory.rating.fit import fit
from arena.theory.rating.likelihood import Floats
from engines.stream import Stream

_GAMMA = np.uint64(0x9E3779B97F4A7C15)


class OpeningPair(NamedTuple):
    """What `one` and `other` made from an opening, `times` times.

    `forth` are the games in which `one` moved first, that it won, drew and lost; `back` those in which
    `other` did, that it (`other`) won, drew and lost.
    """

    one: int
    other: int
    forth: tuple[int, int, int]
    back: tuple[int, int, int]
    times: int


class Resampled(NamedTuple):
    """The standard deviation of every strength over the resamples, and how many of them needed a prior."""

    errors: Floats
    with_prior: int


def resample(entrants: int, pairs: Sequence[OpeningPair], resamples: int, seed: int) -> Resampled:
    """The errors of the strengths of `entrants` by so many resamples, drawn from `seed`.

    Where an entrant is left without games by a resample, it counts as neither stronger nor weaker there.

    Raises:
        ValueError: there are fewer than two resamples, or no pairs.
    """
    if resamples < 2 or not pairs:
        raise ValueError("errors need two resamples or more of one pair of games or more")
    pairs = sorted(pairs)
    ends = np.cumsum([pair.times for pair in pairs])
    strengths, with_prior = [], 0
    for number in range(resamples):
        drawn = _drawn(int(ends[-1]), Stream("ratings", seed, number).word())
        times = np.bincount(np.searchsorted(ends, drawn, side="right"), minlength=len(pairs))
        one, prior = _rated(_counts(entrants, pairs, times))
        strengths.append(one)
        with_prior += prior
    return Resampled(np.asarray(np.std(strengths, axis=0, ddof=1), dtype=np.float64), with_prior)


def _drawn(total: int, state: int) -> NDArray[np.int64]:
    """As many numbers below `total` as it says: the upper halves of the words after `state`, scaled down."""
    z = np.uint64(state) + _GAMMA * np.arange(1, total + 1, dtype=np.uint64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    high = (z ^ (z >> np.uint64(31))) >> np.uint64(32)
    return np.asarray((high * np.uint64(total)) >> np.uint64(32), dtype=np.int64)


def _counts(entrants: int, pairs: Sequence[OpeningPair], times: Ints) -> Counts:
    one = np.array([pair.one for pair in pairs], dtype=np.int64)
    other = np.array([pair.other for pair in pairs], dtype=np.int64)
    forth = np.array([pair.forth for pair in pairs], dtype=np.int64) * times[:, None]
    back = np.array([pair.back for pair in pairs], dtype=np.int64) * times[:, None]
    return Counts.of_arrays(
        entrants, np.concatenate([one, other]), np.concatenate([other, one]), np.concatenate([forth, back])
    )


def _rated(counts: Counts) -> tuple[Floats, bool]:
    """The strengths of all entrants, and whether they needed a prior."""
    strengths: Floats = np.zeros(counts.entrants)
    there = np.flatnonzero(counts.games_of_each)
    place = np.zeros(counts.entrants, dtype=np.int64)
    place[there] = np.arange(len(there))
    fitted = fit(Counts.of_arrays(len(there), place[counts.first], place[counts.second], counts.outcomes))
    strengths[there] = fitted.strengths
    return strengths, fitted.prior is not None
