"""How many games an experiment needs."""

from __future__ import annotations

import math
from statistics import NormalDist

from arena.theory.statistics.intervals import quantile
from arena.theory.statistics.scores import effective_interval

LEAST = 1e-9
"""The least half width or difference that is planned for; less is lost in the rounding of floats."""


def variance(score: float, draws: float = 0.0) -> float:
    """The variance of one game's score where its mean is `score` and a share `draws` of games is drawn.

    Raises:
        ValueError: no wins, draws and losses have that mean and that share of draws.
    """
    if not 0 <= draws <= 1 or not draws / 2 <= score <= 1 - draws / 2:
        raise ValueError(
            f"a mean score of {score:g} cannot be where a share of {draws:g} of the games is drawn"
        )
    return score * (1 - score) - draws / 4


def games_for_half_width(
    half_width: float, confidence: float = 0.95, score: float = 0.5, draws: float = 0.0
) -> int:
    """The fewest games for which the mean score's interval reaches at most `half_width` to each side.

    That is the interval of `arena.theory.statistics.scores.effective_interval`, if the games come out as
    expected.

    Raises:
        ValueError: a number is out of range.
    """
    if not LEAST <= half_width < 0.5:
        raise ValueError(f"a half width lies between {LEAST:g} and 0.5, not {half_width:g}")
    one = variance(score, draws)

    def wide(games: int) -> bool:
        error = math.sqrt(one / games)
        return effective_interval(score, error, games, confidence).half_width > half_width

    enough = 1
    while wide(enough):
        enough *= 2
    least = enough // 2
    while enough - least > 1:
        middle = (least + enough) // 2
        least, enough = (middle, enough) if wide(middle) else (least, middle)
    return enough


def games_to_detect(
    difference: float, power: float = 0.9, confidence: float = 0.95, score: float = 0.5, draws: float = 0.0
) -> int:
    """The games that each of two experiments needs to tell their mean scores apart.

    `score` is the first mean and ``score + difference`` the second. With so many games a two-sided z-test at
    level ``1 - confidence`` finds them different with probability `power`: J. L. Fleiss, B. Levin and
    M. C. Paik, *Statistical Methods for Rates and Proportions* (2003), chapter 4, with the variances of
    scores in place of those of shares.

    Raises:
        ValueError: a number is out of range.
    """
    if abs(difference) < LEAST:
        raise ValueError(f"a difference of less than {LEAST:g} cannot be detected, and so not {difference:g}")
    if not 0 < power < 1:
        raise ValueError(f"a power lies between 0 and 1, such as 0.9, not {power:g}")
    first, second = variance(score, draws), variance(score + difference, draws)
    pooled = variance(score + difference / 2, draws)
    false_alarm, miss = quantile(confidence), NormalDist().inv_cdf(power)
    reach = false_alarm * math.sqrt(2 * pooled) + miss * math.sqrt(first + second)
    return max(1, math.ceil((reach / difference) ** 2))
