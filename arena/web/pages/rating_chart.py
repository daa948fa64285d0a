"""A chart of ratings: where the lines run in a drawing of fixed size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.schemas.ratings import RatingHistory, RatingOut

MAX_LINES = 8
"""The best bots are drawn, as many as eyes can tell apart."""

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 150, 12, 28
LABEL_HEIGHT = 16
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


@dataclass(frozen=True)
class Curve:
    """One bot's line through `points` (x, y), with its name at height `label_y`."""

    bot: str
    points: tuple[tuple[float, float], ...]
    label_y: float


@dataclass(frozen=True)
class Chart:
    """Curves in a drawing of `WIDTH` by `HEIGHT`; `levels` are ratings with their heights, `ends` games."""

    curves: tuple[Curve, ...]
    levels: tuple[tuple[int, float], ...]
    ends: tuple[tuple[int, float], ...]


def chart(history: RatingHistory) -> Chart | None:
    """The chart of the best bots; None with fewer than two points."""
    shown = [line for line in history.items if line.ratings and line.ratings[-1] is not None][:MAX_LINES]
    return drawn([point.games for point in history.points], [(line.bot, line.ratings) for line in shown])


def drawn(games: Sequence[int], lines: Sequence[tuple[str, Sequence[float | None]]]) -> Chart | None:
    """The chart of bots' ratings after so many games, best first; None with fewer than two points."""
    if len(games) < 2 or not lines:
        return None
    levels = _levels([rating for _, ratings in lines for rating in ratings if rating is not None])

    def x_of(count: int) -> float:
        return round(LEFT + (count - games[0]) / (games[-1] - games[0]) * (WIDTH - LEFT - RIGHT), 1)

    def y_of(rating: float) -> float:
        share = (rating - levels[0]) / (levels[-1] - levels[0])
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    curves = [
        tuple(
            (x_of(count), y_of(rating))
            for count, rating in zip(games, ratings, strict=True)
            if rating is not None
        )
        for _, ratings in lines
    ]
    labels = _apart([points[-1][1] for points in curves])
    return Chart(
        curves=tuple(
            Curve(bot, points, label) for (bot, _), points, label in zip(lines, curves, labels, strict=True)
        ),
        levels=tuple((level, y_of(level)) for level in levels),
        ends=((games[0], x_of(games[0])), (games[-1], x_of(games[-1]))),
    )


def _levels(ratings: Sequence[float]) -> list[int]:
    """Two to seven round ratings, evenly spaced, between which all of them lie."""
    low, high = min(ratings), max(ratings)
    for step in STEPS:
        first, last = math.floor(low / step), math.ceil(high / step)
        if last - first <= 6:
            break
    return [step * number for number in range(first, max(last, first + 1) + 1)]


def _apart(heights: Sequence[float]) -> list[float]:
    """The heights, best first, moved down until no name covers another, then up into the drawing."""
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + LABEL_HEIGHT) if moved else height)
    above = max(0.0, moved[-1] - (HEIGHT - BOTTOM))
    return [round(height - above, 1) for height in moved]


BAR_WIDTH, BAR_HEIGHT = 160, 16
ERRORS = 2.0
"""So many standard errors to each side hold the true rating 95 times of 100."""


@dataclass(frozen=True)
class Bar:
    """A rating at `at`, its error from `low` to `high`, and where 0 is, in a drawing `BAR_WIDTH` wide."""

    low: float
    at: float
    high: float
    zero: float


def error_bars(lines: Sequence[RatingOut]) -> dict[int, Bar]:
    """The ratings and errors of all that have both, on one scale that holds them and 0, by their entries."""
    known = {
        line.entry: (line.rating, ERRORS * line.error)
        for line in lines
        if line.rating is not None and line.error is not None
    }
    least = min([0.0, *(rating - error for rating, error in known.values())])
    most = max([0.0, *(rating + error for rating, error in known.values())])

    def x_of(rating: float) -> float:
        return round(4 + (rating - least) / ((most - least) or 1) * (BAR_WIDTH - 8), 1)

    return {
        entry: Bar(x_of(rating - error), x_of(rating), x_of(rating + error), x_of(0))
        for entry, (rating, error) in known.items()
    }
