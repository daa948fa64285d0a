"""How long matches take, drawn from what is known of the bots.

A match takes what its two bots use, each from its own start to its last answer, and the rest: processes,
messages, the referee. What a bot uses is drawn from what it used in the games that are known of it. How
little these may tell is part of it: each resample first draws as many of them as there are, with replacement
(B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 6), and one more besides
from anybody's, so that a bot with few games borrows from all. A bot of which nothing is known is like one of
the others, another one in each resample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.core.terms import Source
from arena.planning.scheduling import Floats

Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class DurationSample:
    """What is known: for bots (by whatever names them) the seconds that each used in each of its games.

    `rest` is what matches took besides, and `games` how many matches all that is from. Neither may be empty.
    """

    source: Source
    games: int
    uses: Mapping[int, Sequence[float]]
    rest: Sequence[float]


class Durations:
    """Resampled durations of matches between `bots` (None or a name without uses: nothing is known of it).

    No match takes longer than `longest` seconds. Bots are spoken of by their place among `bots`.
    """

    def __init__(
        self,
        evidence: DurationSample,
        bots: Sequence[int | None],
        longest: float,
        resamples: int,
        random: np.random.Generator,
    ) -> None:
        known = [name for name, uses in evidence.uses.items() if len(uses)]
        if not known or not len(evidence.rest):
            raise ValueError("durations need the uses of one bot or more, and the rest of one match or more")
        self.resamples = resamples
        self._random = random
        self._longest = longest
        self._every = np.arange(resamples)[:, None]
        self._draw_uses([np.asarray(evidence.uses[name], dtype=np.float64) for name in known])
        rest = np.asarray(evidence.rest, dtype=np.float64)
        self._rest = rest[random.integers(len(rest), size=(resamples, len(rest)))]
        place = {name: number for number, name in enumerate(known)}
        like = random.integers(len(known), size=(resamples, len(bots)))
        for number, bot in enumerate(bots):
            if bot in place:
                like[:, number] = place[bot]
        self._like = like

    def _draw_uses(self, uses: Sequence[Floats]) -> None:
        """For each resample every bot's own games drawn anew, and one of anybody's; bot after bot."""
        flat = np.concatenate(uses)
        counts = np.array([len(each) for each in uses], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        self._sizes = counts + 1
        self._begins = np.concatenate([[0], np.cumsum(self._sizes)[:-1]])
        owners = np.repeat(np.arange(len(uses)), self._sizes)
        drawn = self._random.random((self.resamples, len(owners))) * self._sizes[owners]
        number = drawn.astype(np.int64)
        anybody = self._random.integers(len(flat), size=number.shape)
        self._uses = flat[np.where(number < counts[owners], starts[owners] + number, anybody)]

    def of(self, pairs: Ints) -> Floats:
        """The seconds that matches between `pairs` (a row a match) take: a row a resample, a column each."""
        shape = (self.resamples, len(pairs))
        rest = self._rest[self._every, self._random.integers(self._rest.shape[1], size=shape)]
        taken = rest + self._use(pairs[:, 0], shape) + self._use(pairs[:, 1], shape)
        return np.minimum(taken, self._longest)

    def _use(self, bots: Ints, shape: tuple[int, int]) -> Floats:
        like = self._like[:, bots]
        number = (self._random.random(shape) * self._sizes[like]).astype(np.int64)
        return np.asarray(self._uses[self._every, self._begins[like] + number], dtype=np.float64)

    def total(self, seats: Ints) -> Floats:
        """The seconds of many matches together, a number a resample; bot number i has ``seats[i]`` seats.

        Their sum is drawn as a whole: normal, with the moments of what `of` draws.
        """
        matches = seats.sum() / 2
        means, variances = self._moments()
        rows = self._every
        mean = (means[rows, self._like] * seats).sum(axis=1) + matches * self._rest.mean(axis=1)
        variance = (variances[rows, self._like] * seats).sum(axis=1) + matches * self._rest.var(axis=1)
        drawn = mean + np.sqrt(variance) * self._random.standard_normal(self.resamples)
        return np.asarray(np.clip(drawn, 0, matches * self._longest), dtype=np.float64)

    def _moments(self) -> tuple[Floats, Floats]:
        """Mean and variance of every known bot's uses in every resample."""
        means = np.add.reduceat(self._uses, self._begins, axis=1) / self._sizes
        squares = np.add.reduceat(self._uses**2, self._begins, axis=1) / self._sizes
        return means, np.maximum(squares - means**2, 0)

    def left(self, pairs: Ints, elapsed: Floats) -> Floats:
        """What is left, in seconds, of matches that have been going on for `elapsed`, shaped as by `of`.

        Of several durations drawn the first that is longer counts; where none is, it is about to end.
        """
        left = np.zeros((self.resamples, len(pairs)))
        for _ in range(TRIES):
            drawn = self.of(pairs) - elapsed
            left = np.where(left > 0, left, np.maximum(drawn, 0))
        return left


TRIES = 16
"""How many durations are drawn for a match that goes on already, to find one that is long enough."""
