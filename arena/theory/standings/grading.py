"""Grades: points for taking part, for results against reference bots, and for places; `docs/grading.md`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from math import ceil
from typing import NamedTuple


class Unit(StrEnum):
    """What a band of places is measured in."""

    PLACES = "places"
    PERCENT = "percent"


class Threshold(NamedTuple):
    """So many points for at least that share of the points of the games against a reference bot."""

    bot: str
    share: Decimal
    points: Decimal


class Band(NamedTuple):
    """So many points for one of the first places: so many of them, or so many percent of the teams."""

    up_to: int
    unit: Unit
    points: Decimal


@dataclass(frozen=True)
class Scheme:
    """How a tournament is graded. `base` is for taking part; nobody gets more than `most`, if that is set.

    Every threshold that is met counts; of the bands that a place is in the best one does.
    """

    base: Decimal = Decimal(0)
    thresholds: tuple[Threshold, ...] = ()
    bands: tuple[Band, ...] = ()
    most: Decimal | None = None


@dataclass(frozen=True)
class Performance:
    """What a team made: its place among so many teams, its games, and what it made against reference bots.

    `against` has the games and half points by the bots' names.
    """

    place: int
    teams: int
    games: int
    against: Mapping[str, tuple[int, int]]
    disqualified: bool = False


class Passed(NamedTuple):
    """What became of a threshold: half points and games against its bot, and the points for it, maybe 0."""

    threshold: Threshold
    games: int
    half_points: int
    points: Decimal

    @property
    def met(self) -> bool:
        """Whether the share was reached, which nobody does without a game."""
        return is_met(self.threshold, self.games, self.half_points)


@dataclass(frozen=True)
class Graded:
    """A grade, and how it came about: `limited` says that there would have been more than the most."""

    points: Decimal
    base: Decimal
    passed: tuple[Passed, ...]
    band: Band | None
    limited: bool


def is_met(threshold: Threshold, games: int, half_points: int) -> bool:
    """Whether a share of the points was reached, compared exactly."""
    return games > 0 and half_points >= threshold.share * 2 * games


def last_place(band: Band, teams: int) -> int:
    """The last place that is in a band; of a percentage the part of a team that is left counts as one."""
    return band.up_to if band.unit is Unit.PLACES else ceil(band.up_to * teams / 100)


def grade(scheme: Scheme, made: Performance) -> Graded:
    """The grade of a team by a scheme; who was disqualified, or has not played a game, gets nothing."""
    took_part = made.games > 0 and not made.disqualified
    passed = []
    for threshold in scheme.thresholds:
        games, half_points = made.against.get(threshold.bot, (0, 0))
        met = took_part and is_met(threshold, games, half_points)
        passed.append(Passed(threshold, games, half_points, threshold.points if met else Decimal(0)))
    within = [band for band in scheme.bands if took_part and made.place <= last_place(band, made.teams)]
    band = max(within, key=lambda each: each.points, default=None)
    base = scheme.base if took_part else Decimal(0)
    points = base + sum((each.points for each in passed), Decimal(0)) + (band.points if band else 0)
    limited = scheme.most is not None and points > scheme.most
    return Graded(
        scheme.most if limited and scheme.most is not None else points, base, tuple(passed), band, limited
    )
