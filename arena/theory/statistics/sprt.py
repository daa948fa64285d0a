"""Whether one player is better than another by so much: a sequential test, as testers of engines use it.

After every look the generalised likelihood ratio of two hypotheses, that the difference is `elo1` and that it
is `elo0`, decides for one of them or to go on: A. Wald, *Sequential tests of statistical hypotheses*, Annals
of Mathematical Statistics 16 (1945) 117-186, for the bounds; X. Li, J. Liu and Z. Ying, *Generalized
sequential probability ratio test for separate families of hypotheses*, Sequential Analysis 33 (2014) 539-563,
and M. Van den Bergh's notes on the GSPRT for games with draws, for the ratio.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, Self, get_args

from pydantic import Field, model_validator

from arena.core.errors import Worded
from workers.core.contract import Frozen

Model = Literal["pentanomial", "trinomial"]
Scale = Literal["logistic", "normalized"]
Verdict = Literal["elo1", "elo0", "undecided"]
MODELS: tuple[Model, ...] = get_args(Model)
SCALES: tuple[Scale, ...] = get_args(Scale)

NORMALIZED = 800 / math.log(10)
"""Normalised Elo of a mean score one standard deviation of a game above one half."""

ABSENT = 1e-3
"""What a count of 0 counts as, so that no outcome is held to be impossible."""

MAX_ELO = 1000.0
"""The logistic Elo, to either side, that may be asked for, and within which estimates are looked for."""

MAX_NORMALIZED = 200.0
"""Beyond this normalised Elo, no chances with a spread of their own may have such a mean."""

Elo = Annotated[float, Field(ge=-MAX_ELO, le=MAX_ELO, allow_inf_nan=False)]
Chance = Annotated[float, Field(gt=0, lt=0.5)]


class HypothesesError(Worded, ValueError):
    """Two hypotheses make no test."""


class Sprt(Frozen):
    """A test of `elo1` against `elo0`, for the first player.

    `alpha` and `beta` are the chances of deciding for `elo1` where `elo0` is true, and the other way round.
    The trinomial `model` takes games for independent; the pentanomial one only the pairs of games 2k and
    2k+1, which share an opening. Logistic Elo is a mean score of 1 / (1 + 10 ** (-elo / 400)); normalised Elo
    is in units of a game's standard deviation, `NORMALIZED` for one. It is looked after every `look` pairs.
    """

    elo0: Elo
    elo1: Elo
    alpha: Chance = 0.05
    beta: Chance = 0.05
    model: Model = "pentanomial"
    elo: Scale = "logistic"
    look: Annotated[int, Field(ge=1, le=500)] = 1

    @model_validator(mode="after")
    def _is_a_question(self) -> Self:
        if self.elo0 >= self.elo1:
            raise HypothesesError(
                "elo0 is less than elo1, not %(elo0)s and %(elo1)s",
                elo0=f"{self.elo0:g}",
                elo1=f"{self.elo1:g}",
            )
        if self.elo == "normalized" and max(-self.elo0, self.elo1) > MAX_NORMALIZED:
            raise HypothesesError(
                "normalized Elo lies between -%(most)s and %(most)s here", most=f"{MAX_NORMALIZED:g}"
            )
        return self

    @property
    def every(self) -> int:
        """The games between two looks."""
        return 2 * self.look

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log-likelihood ratio decides for `elo0` and for `elo1`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio, 0 without games.

        `counts` are the observations by their score, the lowest first: losses, draws and wins, or pairs by
        half points 0 to 4.
        """
        if not sum(counts):
            return 0.0
        total, shares = observed(counts)
        null, other = self._likeliest(shares, self.elo0), self._likeliest(shares, self.elo1)
        terms = zip(shares, null, other, strict=True)
        return total * math.fsum(share * math.log(one / nil) for share, nil, one in terms)

    def verdict(self, counts: Sequence[int]) -> Verdict:
        """What is decided after these games."""
        low, high = self.bounds
        ratio = self.ratio(counts)
        return "elo1" if ratio >= high else "elo0" if ratio <= low else "undecided"

    def _likeliest(self, shares: Sequence[float], elo: float) -> list[float]:
        """The likeliest chances of the outcomes under which the difference is `elo`."""
        if self.elo == "logistic":
            return with_mean(shares, logistic_score(elo))
        deviations = elo / NORMALIZED * math.sqrt(2 if len(shares) == 5 else 1)
        return with_deviations(shares, deviations)


class Observed(NamedTuple):
    """How many observations there are, and the share of each outcome; none is 0."""

    total: float
    shares: list[float]


def observed(counts: Sequence[int]) -> Observed:
    """The shares of `counts`, in which a count of 0 is taken for `ABSENT`."""
    filled = [count or ABSENT for count in counts]
    total = math.fsum(filled)
    return Observed(total, [count / total for count in filled])


def logistic_score(elo: float) -> float:
    """The mean score of a player so much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def moments(shares: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation of an observation's score, 0 to 1."""
    last = len(shares) - 1
    mean = math.fsum(place / last * share for place, share in enumerate(shares))
    variance = math.fsum((place / last - mean) ** 2 * share for place, share in enumerate(shares))
    return mean, math.sqrt(variance)


def with_mean(shares: Sequence[float], score: float) -> list[float]:
    """The likeliest chances with that mean score, for outcomes seen with these `shares`.

    By Lagrange's method they are share / (1 + x (value - score)), with the one x that makes the mean right:
    A. B. Owen, *Empirical likelihood ratio confidence intervals for a single functional*, Biometrika 75
    (1988) 237-249.
    """
    last = len(shares) - 1
    return _tilted(shares, [place / last - score for place in range(last + 1)])


def with_deviations(shares: Sequence[float], deviations: float) -> list[float]:
    """The likeliest chances whose mean is one half and so many standard deviations more.

    By Lagrange's method they are share / (1 + x b) with b = value - ½ - t s (1 + ((value - m) / s)²) / 2,
    where m and s are their own mean and deviation; found by repeating this from equal chances on.
    """
    last = len(shares) - 1
    chances = [1 / len(shares)] * len(shares)
    for _ in range(1000):
        mean, deviation = moments(chances)
        offsets = [
            place / last - 0.5 - deviations * deviation * (1 + ((place / last - mean) / deviation) ** 2) / 2
            for place in range(last + 1)
        ]
        before, chances = chances, _tilted(shares, offsets)
        if max(abs(one - other) for one, other in zip(before, chances, strict=True)) < 1e-13:
            break
    return chances


def _tilted(shares: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """Chances share / (1 + x offset), with the x that makes the mean of `offsets` 0, by bracketed Newton."""
    low, high = -1 / max(offsets), -1 / min(offsets)
    at = 0.0
    for _ in range(200):
        weights = [share / (1 + at * offset) for share, offset in zip(shares, offsets, strict=True)]
        mean = math.fsum(weight * offset for weight, offset in zip(weights, offsets, strict=True))
        low, high = (at, high) if mean > 0 else (low, at)
        slope = math.fsum(
            weight * weight / share * offset * offset
            for weight, share, offset in zip(weights, shares, offsets, strict=True)
        )
        following = at + mean / slope
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - at) <= 1e-15 * (high - low) or following == at:
            break
        at = following
    return [share / (1 + at * offset) for share, offset in zip(shares, offsets, strict=True)]
