"""What models of paired games have in common: their parameters, and sums over pairs for each of these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.theory.rating.counts import Counts

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PairLikelihood(ABC):
    """Minus the logarithm of the likelihood of `counts`, and of the prior, as a function of the parameters.

    The parameters are one vector: the strengths, then the advantage of moving first if `seat`, then one that
    tells of draws if `draws`. The first mover's lead is its strength less the other's, plus the advantage.
    `precision` is one over the variance of the normal prior of each of them around 0, 0 for none.
    """

    counts: Counts
    seat: bool
    draws: bool
    precision: float = 0.0

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return self.counts.entrants + self.seat + self.draws

    @abstractmethod
    def value_and_gradient(self, at: Floats) -> tuple[float, Floats]:
        """The function and its gradient, shape (size,), at `at`."""

    @abstractmethod
    def hessian(self, at: Floats) -> Floats:
        """The second derivatives, shape (size, size): the observed information, and the prior's."""

    def leads(self, at: Floats) -> Floats:
        """The first mover's lead in every pair, shape (pairs,)."""
        lead: Floats = at[self.counts.first]
        lead -= at[self.counts.second]
        if self.seat:
            lead += at[self.counts.entrants]
        return lead

    def gathered(self, slope: Floats, ties: float) -> Floats:
        """A gradient from that by the lead of each pair, shape (pairs,), and that by the draws' parameter."""
        gathered = self._spread(slope)
        if self.seat:
            gathered[self.counts.entrants] = slope.sum()
        if self.draws:
            gathered[-1] = ties
        return gathered

    def curved(self, weight: Floats, cross: Floats | None = None, corner: float = 0.0) -> Floats:
        """Second derivatives, shape (size, size), from those by lead, lead and draws, and draws alone.

        `weight` and `cross` have shape (pairs,); where the model has draws, `cross` is needed.
        """
        entrants = self.counts.entrants
        matrix: Floats = np.zeros((self.size, self.size))
        matrix[self.counts.first, self.counts.second] = -weight
        strengths = matrix[:entrants, :entrants]
        strengths += strengths.T.copy()
        np.fill_diagonal(strengths, -strengths.sum(axis=1))
        if self.seat:
            self._set(matrix, entrants, self._spread(weight), float(weight.sum()))
        if self.draws and cross is not None:
            row = self._spread(cross)
            if self.seat:
                row[entrants] = cross.sum()
            self._set(matrix, self.size - 1, row, corner)
        matrix[np.diag_indices(self.size)] += self.precision
        return matrix

    def _spread(self, by_pair: Floats) -> Floats:
        """What the pairs give to the strengths: to the first mover's for, to the other's against."""
        gains = np.bincount(self.counts.first, by_pair, self.size)
        return np.asarray(gains - np.bincount(self.counts.second, by_pair, self.size), dtype=np.float64)

    @staticmethod
    def _set(matrix: Floats, place: int, row: Floats, corner: float) -> None:
        matrix[place, :] = row
        matrix[:, place] = row
        matrix[place, place] = corner
