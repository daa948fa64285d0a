"""Ratings as the program BayesElo tells them, for comparing figures.

Its draws are P. V. Rao's and L. L. Kupper's (*Ties in paired-comparison experiments: a generalization of the
Bradley-Terry model*, Journal of the American Statistical Association 62 (1967) 194-204): with x the first
mover's lead and t > 0, a win has the chance 1 / (1 + exp(t - x)), a loss 1 / (1 + exp(t + x)), and a draw
the rest; D. R. Hunter, *MM algorithms for generalized Bradley-Terry models*, Annals of Statistics 32 (2004)
384-406, has its likeliest parameters. Everybody adds one virtual draw to the games, half in either seat and
shared among its opponents as its games are, and so has about two of them. Strengths are told so that near
equality they mean what they do without draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import expit, log_expit

from arena.theory.rating.counts import Counts
from arena.theory.rating.fit import Fit, SeparatedError, UnratableError, covariance, maximise
from arena.theory.rating.graph import connected
from arena.theory.rating.likelihood import Floats, PairLikelihood
from arena.theory.rating.scale import ELO

PRIOR = 0.5
"""The virtual draws that everybody adds in either seat."""


class Thresholds(NamedTuple):
    """The advantage of moving first, and t, in natural logarithms of odds."""

    seat: float
    draw: float


CHESS = Thresholds(32.8 / ELO, 97.3 / ELO)
"""What the program takes them for unless it is told to fit them."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RaoKupper(PairLikelihood):
    """Rao and Kupper's likelihood of `outcomes`, shape (pairs, 3), in place of those of `counts`.

    Where `known` is given, advantage and t are no parameters.
    """

    outcomes: Floats
    known: Thresholds | None

    def value_and_gradient(self, at: Floats) -> tuple[float, Floats]:
        """The function and its gradient, shape (size,), at `at`; infinite where t is not above 0."""
        threshold = self._threshold(at)
        if threshold <= 0:
            return math.inf, np.zeros_like(at)
        wins, draws, losses = self.outcomes.T
        above, below = self._above_and_below(at, threshold)
        ties = float(draws.sum())
        value = -(
            wins @ log_expit(above)
            + draws @ (log_expit(-above) + log_expit(below))
            + losses @ log_expit(-below)
        ) - ties * math.log(-math.expm1(-2 * threshold))
        over = wins - (wins + draws) * expit(above)
        under = draws - (draws + losses) * expit(below)
        slope = float((over - under).sum()) - 2 * ties / math.expm1(2 * threshold)
        return float(value), self.gathered(-over - under, slope)

    def hessian(self, at: Floats) -> Floats:
        """The second derivatives, shape (size, size)."""
        threshold = self._threshold(at)
        wins, draws, losses = self.outcomes.T
        above, below = self._above_and_below(at, threshold)
        over = (wins + draws) * expit(above) * expit(-above)
        under = (draws + losses) * expit(below) * expit(-below)
        corner = float((over + under).sum()) + float(draws.sum()) / math.sinh(threshold) ** 2
        return self.curved(over + under, under - over, corner)

    def _threshold(self, at: Floats) -> float:
        return float(at[-1]) if self.known is None else self.known.draw

    def _above_and_below(self, at: Floats, threshold: float) -> tuple[Floats, Floats]:
        """The lead less t, and the lead plus t, by pair."""
        lead = self.leads(at) + (0.0 if self.known is None else self.known.seat)
        return lead - threshold, lead + threshold


def fit_bayeselo(counts: Counts, known: Thresholds | None = None) -> Fit:
    """What BayesElo makes of `counts`: its `mm 1 1`, or its `mm` if advantage and t are `known`.

    Strengths and covariance (its `covariance`, that takes advantage and t for known) are on its own scale;
    `draw` is t.

    Raises:
        UnratableError: groups of entrants never met, or the likeliest advantage or t is infinite.
    """
    if not connected(counts):
        raise UnratableError("these games have no ratings by BayesElo: groups of players never met")
    both_ways, outcomes = _with_virtual_draws(counts)
    model = RaoKupper(both_ways, known is None, known is None, outcomes=outcomes, known=known)
    start = np.concatenate([np.zeros(counts.entrants), CHESS if known is None else ()])
    try:
        at = maximise(model, start)
        inverse = covariance(model, at)
    except SeparatedError:
        raise UnratableError(
            "these games have no ratings by BayesElo: an infinite advantage or share of draws would fit best"
        ) from None
    thresholds = known or Thresholds(float(at[-2]), float(at[-1]))
    strengths = at[: counts.entrants]
    held = replace(model, seat=False, draws=False, known=thresholds)
    spread = inverse if known else covariance(held, strengths)
    scale = 1 / math.cosh(thresholds.draw / 2) ** 2
    errors = (0.0, 0.0) if known else np.sqrt(np.diag(inverse)[-2:])
    return Fit(
        strengths=strengths * scale,
        covariance=spread * scale**2,
        seat=(thresholds.seat, float(errors[0])),
        draw=(thresholds.draw, float(errors[1])),
        prior=None,
    )


def _with_virtual_draws(counts: Counts) -> tuple[Counts, Floats]:
    """The same games with a row for either seat of who met, and their outcomes with the virtual draws."""
    keys = counts.first * counts.entrants + counts.second
    turned = counts.second * counts.entrants + counts.first
    rows = np.union1d(keys, turned)
    outcomes = np.zeros((len(rows), 3), dtype=np.int64)
    outcomes[np.searchsorted(rows, keys)] = counts.outcomes
    share = counts.games * (1 / counts.games_of_each[counts.first] + 1 / counts.games_of_each[counts.second])
    with_draws = outcomes.astype(np.float64)
    for way in (keys, turned):
        with_draws[np.searchsorted(rows, way), 1] += PRIOR * share
    return Counts(counts.entrants, rows // counts.entrants, rows % counts.entrants, outcomes), with_draws
