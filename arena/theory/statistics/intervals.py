"""Intervals for a share of games, such as the share that one side won."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Literal, NamedTuple, get_args

Method = Literal["wilson", "clopper-pearson"]
METHODS: tuple[Method, ...] = get_args(Method)


class Interval(NamedTuple):
    """From `low` to `high`, both included."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of its length."""
        return (self.high - self.low) / 2


def quantile(confidence: float) -> float:
    """How many standard errors to each side a normal interval of that confidence reaches: 1.96 for 0.95.

    Raises:
        ValueError: `confidence` is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, such as 0.95, not {confidence}")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(count: float, games: float, confidence: float = 0.95) -> Interval:
    """Wilson's score interval: the shares that a score test would not reject, given `count` of `games`.

    E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, Journal of the
    American Statistical Association 22 (1927) 209-212. Neither number needs to be whole.

    Raises:
        ValueError: there are no games, or not 0 to `games` of them are counted.
    """
    if games <= 0 or not 0 <= count <= games:
        raise ValueError(f"{count} of {games} games is no share")
    z, share = quantile(confidence), count / games
    shrunk = 1 + z * z / games
    centre = (share + z * z / (2 * games)) / shrunk
    reach = z / shrunk * math.sqrt(share * (1 - share) / games + (z / (2 * games)) ** 2)
    return Interval(0.0 if count == 0 else centre - reach, 1.0 if count == games else centre + reach)
