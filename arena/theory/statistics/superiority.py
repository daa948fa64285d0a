"""How likely one of two players is the stronger one, by the games between them."""

from __future__ import annotations


def likelihood_of_superiority(wins: int, losses: int) -> float:
    """The chance that the share of wins among decided games is above a half, all shares as likely before.

    The tail above a half of the beta distribution with parameters ``wins + 1`` and ``losses + 1``; draws say
    nothing. Rounded to six digits.

    Raises:
        ValueError: a number is negative.
    """
    if wins < 0 or losses < 0:
        raise ValueError(f"{wins} wins and {losses} losses cannot be: neither is negative")
    from scipy.special import betainc  # noqa: PLC0415 - SciPy takes long to read

    return round(float(betainc(losses + 1, wins + 1, 0.5)), 6)
