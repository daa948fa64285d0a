"""A chart of how an experiment's mean score came about: where its line and its interval run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.schemas.experiments import CoursePoint, PrintedOut

WIDTH, HEIGHT = 720, 280
LEFT, RIGHT, TOP, BOTTOM = 92, 16, 12, 32
STEPS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
MAX_LEVELS = 6


@dataclass(frozen=True)
class Chart:
    """A drawing of `WIDTH` by `HEIGHT`.

    `line` runs through the mean scores, and `band` around their intervals; a single point has neither, but
    is `last` anyway. `levels` are scores with their heights, `ends` games with their places, and `printed`
    is the mean that a document gives for the most games, with its height.
    """

    line: tuple[tuple[float, float], ...]
    band: tuple[tuple[float, float], ...]
    last: tuple[float, float, float, float]
    levels: tuple[tuple[float, float], ...]
    ends: tuple[tuple[int, float], ...]
    printed: tuple[str, float] | None


def chart(course: Sequence[CoursePoint], printed: Sequence[PrintedOut]) -> Chart | None:
    """The chart of these points; None where there are none yet."""
    if not course:
        return None
    most = course[-1].games
    best = max(printed, key=lambda each: each.games, default=None)
    means = [float(best.mean)] if best else []
    settled = [each for each in course if each.games * 20 >= most]
    seen = [value for each in settled for value in (each.low, each.high)]
    levels = _levels(min([*seen, *means]), max([*seen, *means]))

    def x_of(games: int) -> float:
        return round(LEFT + games / most * (WIDTH - LEFT - RIGHT), 1)

    def y_of(score: float) -> float:
        inside = min(max(score, levels[0]), levels[-1])
        share = (inside - levels[0]) / (levels[-1] - levels[0])
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    last = course[-1]
    below = [(x_of(each.games), y_of(each.low)) for each in reversed(course)]
    return Chart(
        line=tuple((x_of(each.games), y_of(each.mean)) for each in course),
        band=(*((x_of(each.games), y_of(each.high)) for each in course), *below),
        last=(x_of(most), y_of(last.mean), y_of(last.low), y_of(last.high)),
        levels=tuple((level, y_of(level)) for level in levels),
        ends=((0, x_of(0)), (most, x_of(most))),
        printed=(best.mean, y_of(float(best.mean))) if best else None,
    )


def _levels(low: float, high: float) -> list[float]:
    """Two to seven round scores, evenly spaced, between which all of them lie."""
    for step in STEPS:
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if last - first <= MAX_LEVELS:
            break
    return [round(step * number, 4) for number in range(first, max(last, first + 1) + 1)]
