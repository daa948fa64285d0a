"""How likely wins, draws and losses are between two strengths, and how that changes with them.

R. R. Davidson, *On extending the Bradley-Terry model to accommodate ties in paired comparison experiments*,
Journal of the American Statistical Association 65 (1970) 317-328; the advantage of moving first as in R. R.
Davidson and R. J. Beaver, *On extending the Bradley-Terry model to incorporate within-pair order effects*,
Biometrics 33 (1977) 693-702. With d the first mover's strength less the other's plus the advantage, win, draw
and loss have chances in proportion to exp(d/2), nu and exp(-d/2). Without draws that is Bradley and Terry's
model.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from arena.rating.counts import Counts

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Model:
    """Minus the logarithm of the likelihood of `counts`, and of the prior, as a function of the parameters.

    The parameters are one vector: the strengths, then the advantage of moving first if `seat`, then ln nu if
    `draws`. `precision` is one over the variance of the normal prior of each of them around 0, 0 for none.
    """

    counts: Counts
    seat: bool
    draws: bool
    precision: float = 0.0

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return self.counts.entrants + self.seat + self.draws

    @cached_property
    def games(self) -> Floats:
        """The games of every pair."""
        return self.counts.games.astype(np.float64)

    @cached_property
    def _observed(self) -> Floats:
        """What the games give to the gradient, whatever the parameters are."""
        wins, draws, losses = self.counts.outcomes.T
        return self._gathered((wins - losses) / 2, float(draws.sum()))

    def value_and_gradient(self, at: Floats) -> tuple[float, Floats]:
        """The function and its gradient, shape (size,), at `at`."""
        size, lean, drawn, total = self._chances(at)
        value = self.games @ (size + np.log(total)) - self._observed @ at
        slope = self.games * lean
        expected = self._gathered(slope / 2, float(self.games @ drawn) if self.draws else 0.0)
        gradient = expected - self._observed + self.precision * at
        return float(value + self.precision * (at @ at) / 2), gradient

    def hessian(self, at: Floats) -> Floats:
        """The second derivatives, shape (size, size): the observed information, and the prior's."""
        entrants, games = self.counts.entrants, self.games
        _, lean, drawn, _ = self._chances(at)
        weight = games * (1 - drawn - lean * lean) / 4
        matrix: Floats = np.zeros((self.size, self.size))
        matrix[self.counts.first, self.counts.second] = -weight
        strengths = matrix[:entrants, :entrants]
        strengths += strengths.T.copy()
        np.fill_diagonal(strengths, -strengths.sum(axis=1))
        if self.seat:
            self._set(matrix, entrants, self._spread(weight), float(weight.sum()))
        if self.draws:
            cross = -games * lean * drawn / 2
            row = self._spread(cross)
            if self.seat:
                row[entrants] = cross.sum()
            self._set(matrix, self.size - 1, row, float(games @ (drawn * (1 - drawn))))
        matrix[np.diag_indices(self.size)] += self.precision
        return matrix

    def _chances(self, at: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """By pair: |d/2|; the chance of a win less that of a loss; that of a draw; and what is divided by.

        That is the sum of the weights, the likelier win's being 1.
        """
        half = at[self.counts.first]
        half -= at[self.counts.second]
        if self.seat:
            half += at[self.counts.entrants]
        half *= 0.5
        size = np.abs(half)
        q = np.exp(-size)
        level = q * np.exp(at[-1]) if self.draws else np.zeros_like(q)
        q *= q
        total = 1 + level + q
        level /= total
        q -= 1
        q /= -total
        return size, np.copysign(q, half), level, total

    def _gathered(self, slope: Floats, ties: float) -> Floats:
        """A vector of the parameters: what `slope` by pair, and `ties`, come to for each of them."""
        gathered = self._spread(slope)
        if self.seat:
            gathered[self.counts.entrants] = slope.sum()
        if self.draws:
            gathered[-1] = ties
        return gathered

    def _spread(self, by_pair: Floats) -> Floats:
        """What the pairs give to the strengths: to the first mover's for, to the other's against."""
        gains = np.bincount(self.counts.first, by_pair, self.size)
        return np.asarray(gains - np.bincount(self.counts.second, by_pair, self.size), dtype=np.float64)

    @staticmethod
    def _set(matrix: Floats, place: int, row: Floats, corner: float) -> None:
        matrix[place, :] = row
        matrix[:, place] = row
        matrix[place, place] = corner
