"""The Elo of counted games by itself, without regard to why there are no more of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

from arena.theory.statistics.intervals import quantile
from arena.theory.statistics.sprt import NORMALIZED, moments, observed

NEAREST = 1e-3
"""How near to 0 and to 1 a mean score is taken to lie, so that its Elo is finite."""


class PlainElo(NamedTuple):
    """Logistic and normalised Elo, each with the half width of its interval.

    `superiority` is the likelihood that the first player is the stronger one, its score being normal.
    """

    logistic: float
    logistic_error: float
    normalized: float
    normalized_error: float
    superiority: float


def plain_elo(counts: Sequence[int], confidence: float = 0.95) -> PlainElo | None:
    """The Elo of losses, draws and wins, or of pairs by half points 0 to 4; None without games.

    The interval of the score is normal; that of the logistic Elo reaches half as far as its ends are apart,
    and that of the normalised one is the same for all scores (M. Van den Bergh, *Normalized Elo*).

    Raises:
        ValueError: `confidence` is not between 0 and 1.
    """
    if not sum(counts):
        return None
    reach = quantile(confidence)
    total, shares = observed(counts)
    mean, deviation = moments(shares)
    error = deviation / math.sqrt(total)
    games_of_one = 2 if len(counts) == 5 else 1
    of_a_game = deviation * math.sqrt(games_of_one)
    return PlainElo(
        logistic=logistic_elo(mean),
        logistic_error=(logistic_elo(mean + reach * error) - logistic_elo(mean - reach * error)) / 2,
        normalized=(mean - 0.5) / of_a_game * NORMALIZED,
        normalized_error=reach * NORMALIZED / math.sqrt(games_of_one * total),
        superiority=NormalDist().cdf((mean - 0.5) / error),
    )


def logistic_elo(score: float) -> float:
    """How much stronger a player of that mean score is: `logistic_score` the other way round."""
    kept = min(max(score, NEAREST), 1 - NEAREST)
    return 400 * math.log10(kept / (1 - kept))
