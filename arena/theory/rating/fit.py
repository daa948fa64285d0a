"""The strengths that make the games likeliest, and how well the games tell them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs
from scipy.optimize import minimize

from arena.theory.rating.counts import Counts
from arena.theory.rating.davidson import Model
from arena.theory.rating.graph import seats_compared, strongly_connected
from arena.theory.rating.likelihood import Floats, PairLikelihood

PRIOR_DEVIATION = 2.0
"""Where the games alone do not tell, each parameter is normal around 0 with this deviation: 347 Elo."""

FARTHEST = 25.0
"""An advantage or ln nu beyond this is on its way to infinity: no number of games played tells such odds."""

VAGUEST = 1e3
"""With an error beyond this a parameter is on its way to infinity, even where rounding has made the slope 0.

Where there is a maximum, some results speak against every change, which tells each parameter to about a unit.
"""

STEPS = 200

SMALL = 1e-5
"""A step of Newton's that small was the last: what is left is about its square."""

ROUGH = {"maxiter": 60, "maxcor": 10, "ftol": 1e-8, "gtol": 0.1}

Reason = Literal["not connected", "separated"]


class UnratableError(ValueError):
    """A model of another program has no ratings for these games; the message says why."""


class SeparatedError(ValueError):
    """The likelihood has no maximum: the likeliest parameters are infinite."""


@dataclass(frozen=True, eq=False)
class Fit:
    """What the games say, in natural logarithms of odds; the strengths add up to 0.

    `covariance`, shape (entrants, entrants), is that of the strengths under this constraint. `seat` is the
    advantage of moving first, None where seats were not exchanged; `draw` is ln nu, None without draws; each
    with its standard error. `prior` says why a normal prior was needed, None where it was not.
    """

    strengths: Floats
    covariance: Floats
    seat: tuple[float, float] | None
    draw: tuple[float, float] | None
    prior: Reason | None

    @property
    def errors(self) -> Floats:
        """The standard errors of the strengths."""
        return np.asarray(np.sqrt(np.diag(self.covariance)), dtype=np.float64)


def fit(counts: Counts, part: Fit | None = None) -> Fit:
    """Rate the entrants of `counts`; sooner where `part` has rated the same ones by a part of these games.

    Where the comparison graph is not strongly connected, or the likelihood still grows without end towards an
    infinite advantage or share of draws, all parameters get a normal prior (A. Albert and J. A. Anderson, *On
    the existence of maximum likelihood estimates in logistic regression models*, Biometrika 71 (1984) 1-10,
    on such separated results).

    Raises:
        ValueError: there are no games, or an entrant without any.
    """
    if counts.entrants < 2 or not counts.games_of_each.all():
        raise ValueError("ratings need two entrants or more, and a game of each")
    seat = (part is not None and part.seat is not None) or seats_compared(counts)
    draws = bool(counts.outcomes[:, 1].any())
    is_connected = (part is not None and part.prior != "not connected") or strongly_connected(counts)
    reason: Reason | None = None if is_connected else "not connected"
    if reason is None:
        try:
            model = Model(counts, seat, draws)
            return _told(model, maximise(model, _start(model, part, None)), None)
        except SeparatedError:
            reason = "separated"
    model = Model(counts, seat, draws, 1 / PRIOR_DEVIATION**2)
    return _told(model, maximise(model, _start(model, part, reason)), reason)


def _start(model: Model, part: Fit | None, reason: Reason | None) -> Floats | None:
    """The parameters of a fit of the same kind, shape (size,)."""
    if part is None or part.prior != reason or model.seat != (part.seat is not None):
        return None
    rest = [pair[0] for pair in (part.seat, part.draw) if pair is not None]
    start = np.concatenate([part.strengths, rest])
    return start if len(start) == model.size else None


def maximise(model: PairLikelihood, start: Floats | None = None) -> Floats:
    """The likeliest parameters, shape (size,): L-BFGS near them, unless there is a `start`, then Newton's.

    Raises:
        SeparatedError: there are none. Not all that are infinite are found here: see `covariance`.
    """
    at = np.zeros(model.size) if start is None else start
    if start is None and model.counts.entrants > 50:
        at = _near(model, at)
    value, gradient = model.value_and_gradient(at)
    for _ in range(STEPS):
        step = _newton(model, at, gradient)
        value, at, gradient = _descended(model, at, value, gradient, step)
        if np.abs(at[model.counts.entrants :]).max(initial=0.0) > FARTHEST:
            break
        if np.abs(step).max() < SMALL:
            at[: model.counts.entrants] -= at[: model.counts.entrants].mean()
            return at
    raise SeparatedError("the likeliest parameters are infinite")


def _near(model: PairLikelihood, at: Floats) -> Floats:
    """Parameters near the likeliest ones; each is measured by its information, to go straight there."""
    scale = 1 / np.sqrt(_information(model, at))

    def scaled(point: Floats) -> tuple[float, Floats]:
        value, gradient = model.value_and_gradient(point * scale)
        return value, gradient * scale

    rough = minimize(scaled, at / scale, jac=True, method="L-BFGS-B", options=ROUGH)
    return np.asarray(rough.x * scale, dtype=np.float64)


def _information(model: PairLikelihood, at: Floats) -> Floats:
    """About the diagonal of the second derivatives."""
    games = np.concatenate([model.counts.games_of_each, np.full(model.size - model.counts.entrants, 1)])
    games[model.counts.entrants :] = model.counts.games.sum()
    return np.asarray(games / 4 + model.precision + np.zeros_like(at), dtype=np.float64)


def _newton(model: PairLikelihood, at: Floats, gradient: Floats) -> Floats:
    step, _ = dpotrs(_factor(model, at), -gradient, lower=True)
    return np.asarray(step, dtype=np.float64)


def _factor(model: PairLikelihood, at: Floats) -> Floats:
    """Cholesky's factor of the information, once the common level of the strengths is held fast.

    Raises:
        SeparatedError: the games say nothing about a parameter.
    """
    matrix, entrants = model.hessian(at), model.counts.entrants
    matrix[:entrants, :entrants] += np.trace(matrix[:entrants, :entrants]) / entrants**2
    factor, failed = dpotrf(matrix.T, lower=True, overwrite_a=True)  # symmetric, and as LAPACK wants it
    if failed:
        raise SeparatedError("the games say nothing about a parameter")
    return np.asarray(factor, dtype=np.float64)


def _descended(
    model: PairLikelihood, at: Floats, value: float, gradient: Floats, step: Floats
) -> tuple[float, Floats, Floats]:
    """One step down, halved until it goes down."""
    slope, share = float(gradient @ step), 1.0
    while True:
        there, climbed = model.value_and_gradient(at + share * step)
        if there <= value + 1e-4 * share * slope or share < 1e-6 or abs(slope) < 1e-9 * abs(value) + 1e-15:
            return there, at + share * step, climbed
        share /= 2


def covariance(model: PairLikelihood, at: Floats) -> Floats:
    """That of the parameters, shape (size, size), with the sum of the strengths held at 0.

    Raises:
        SeparatedError: the games say nothing about a parameter, or it is infinite.
    """
    entrants = model.counts.entrants
    inverse, _ = dpotri(_factor(model, at), lower=True)
    if np.diag(inverse).max() > VAGUEST**2:
        raise SeparatedError("the likeliest parameters are infinite")
    inverse = np.tril(inverse) + np.tril(inverse, -1).T
    level = inverse[:, :entrants].sum(axis=1)
    inverse -= np.outer(level, level) / level[:entrants].sum()
    return np.asarray(inverse, dtype=np.float64)


def _told(model: Model, at: Floats, reason: Reason | None) -> Fit:
    entrants = model.counts.entrants
    inverse = covariance(model, at)
    errors = np.sqrt(np.diag(inverse))
    rest = [(float(at[place]), float(errors[place])) for place in range(entrants, model.size)]
    return Fit(
        strengths=at[:entrants],
        covariance=inverse[:entrants, :entrants],
        seat=rest[0] if model.seat else None,
        draw=rest[-1] if model.draws else None,
        prior=reason,
    )
