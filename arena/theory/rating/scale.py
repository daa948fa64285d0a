"""The scale that ratings are told on."""

from __future__ import annotations

import math

ELO = 400 / math.log(10)
"""A difference of so much is odds of e to 1, and one of 400 odds of ten to 1."""


def elo(strength: float) -> float:
    """A strength, a natural logarithm of odds, on the Elo scale to a thousandth; never minus zero."""
    return thousandth(float(strength) * ELO)


def thousandth(value: float) -> float:
    """A number to a thousandth; never minus zero."""
    return round(float(value), 3) + 0.0
