"""The interval for a share of games by the method that one asks for."""

from __future__ import annotations

from arena.theory.statistics.intervals import METHODS, Interval, Method, wilson


def share_interval(count: int, games: int, confidence: float = 0.95, method: Method = "wilson") -> Interval:
    """The interval by `method` for the share that `count` of `games` estimates.

    Raises:
        ValueError: there is no such method, or no such confidence.
    """
    if method == "wilson":
        return wilson(count, games, confidence)
    if method not in METHODS:
        raise ValueError(f"an interval is by {' or '.join(METHODS)}, not {method!r}")
    from arena.theory.statistics.exact import clopper_pearson  # noqa: PLC0415 - SciPy takes long to read

    return clopper_pearson(count, games, confidence)
