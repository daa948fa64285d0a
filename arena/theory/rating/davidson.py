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

from arena.theory.rating.likelihood import Floats, PairLikelihood


@dataclass(frozen=True, eq=False)
class Model(PairLikelihood):
    """Davidson's likelihood; its draws' parameter is ln nu."""

    @cached_property
    def games(self) -> Floats:
        """The games of every pair."""
        return self.counts.games.astype(np.float64)

    @cached_property
    def _observed(self) -> Floats:
        """What the games give to the gradient, whatever the parameters are."""
        wins, draws, losses = self.counts.outcomes.T
        return self.gathered((wins - losses) / 2, float(draws.sum()))

    def value_and_gradient(self, at: Floats) -> tuple[float, Floats]:
        """The function and its gradient, shape (size,), at `at`."""
        size, lean, drawn, total = self._chances(at)
        value = self.games @ (size + np.log(total)) - self._observed @ at
        slope = self.games * lean
        expected = self.gathered(slope / 2, float(self.games @ drawn) if self.draws else 0.0)
        gradient = expected - self._observed + self.precision * at
        return float(value + self.precision * (at @ at) / 2), gradient

    def hessian(self, at: Floats) -> Floats:
        """The second derivatives, shape (size, size): the observed information, and the prior's."""
        _, lean, drawn, _ = self._chances(at)
        weight = self.games * (1 - drawn - lean * lean) / 4
        return self.curved(weight, -self.games * lean * drawn / 2, float(self.games @ (drawn * (1 - drawn))))

    def _chances(self, at: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """By pair: |d/2|; the chance of a win less that of a loss; that of a draw; and what is divided by.

        That is the sum of the weights, the likelier win's being 1.
        """
        half = self.leads(at)
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
