"""The mean score of a number of games with its error, also where games are drawn or come in pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from arena.theory.statistics.intervals import Interval, Method, wilson
from arena.theory.statistics.shares import share_interval

SCORES = (1.0, 0.5, 0.0)
"""The score of a win, a draw and a loss."""


class Estimate(NamedTuple):
    """A mean score, its standard error, an interval for it, and how the error was found."""

    mean: float
    error: float
    interval: Interval
    method: str


def score_estimate(
    counts: tuple[int, int, int],
    pairs: Sequence[int] = (),
    confidence: float = 0.95,
    method: Method = "wilson",
) -> Estimate:
    """The mean score of the wins, draws and losses in `counts`.

    Where games of a pair had the same opening, `pairs` counts the pairs by their half points, 0 to 4, and the
    error is taken from them. `method` is the interval's where no game was drawn and there are no pairs: there
    the score is the share of wins. Otherwise it is `effective_interval`.

    Raises:
        ValueError: there are no games.
    """
    games = sum(counts)
    if games <= 0:
        raise ValueError("without games there is no score")
    mean = sum(score * count for score, count in zip(SCORES, counts, strict=True)) / games
    if sum(pairs):
        error = paired_error(pairs)
        return Estimate(mean, error, effective_interval(mean, error, games, confidence), "pentanomial")
    error = multinomial_error(counts)
    if counts[1] == 0:
        return Estimate(mean, error, share_interval(counts[0], games, confidence, method), method)
    return Estimate(mean, error, effective_interval(mean, error, games, confidence), "multinomial")


def multinomial_error(counts: tuple[int, int, int]) -> float:
    """The standard error of the mean score of independent games: wins, draws and losses are multinomial."""
    return _error(SCORES, counts)


def paired_error(pairs: Sequence[int]) -> float:
    """The standard error of the mean score of pairs of games, counted by their half points 0 to 4.

    Two games from one opening with seats exchanged are not independent, but the pairs are: each is one
    observation, with the mean of its two scores (W. G. Cochran, *Sampling Techniques*, 1977, chapter 9, on
    clusters of equal size). Testers of chess programs call these five counts pentanomial.
    """
    return _error([half_points / 4 for half_points in range(5)], pairs)


def effective_interval(mean: float, error: float, games: int, confidence: float = 0.95) -> Interval:
    """Wilson's interval for a mean of scores between 0 and 1 that has that standard error.

    It is the interval of as many won or lost games as would have the same error: L. Kish's effective sample
    size (*Survey Sampling*, 1965). With many games it is `mean` ± z · `error`; near 0 and 1 it stays between
    them. Where all games ended equally and the error says nothing, the games count as won or lost ones.
    """
    spread = mean * (1 - mean)
    size = spread / error**2 if error > 0 and spread > 0 else games
    return wilson(mean * size, size, confidence)


def _error(values: Sequence[float], counts: Sequence[int]) -> float:
    """The standard error of the mean of `values` that came `counts` times."""
    total = sum(counts)
    mean = sum(value * count for value, count in zip(values, counts, strict=True)) / total
    squares = sum(count * (value - mean) ** 2 for value, count in zip(values, counts, strict=True))
    return math.sqrt(squares) / total
