"""Tie-breaks by the scores of one's opponents: Buchholz and Sonneborn-Berger.

FIDE Handbook C.07 as in force from 1 March 2026: articles 8.1 and 9.1, the cuts of article 14, and article 16
on rounds that were not played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from arena.standings.field import Field, Round


class Contribution(NamedTuple):
    """What a round adds: the score of the opponent or of its dummy, and what was made, in half points.

    Only in a Swiss tournament is a round `voluntary`: elsewhere it counts as played (15.2).
    """

    score: int
    made: int
    voluntary: bool


def buchholz(field: Field, *, lowest: int = 0, highest: int = 0) -> dict[int, int]:
    """The sum of the scores of everybody's opponents, in half points, without so many of the ends."""
    return _sums(field, lambda one: one.score, lowest, highest)


def sonneborn_berger(field: Field) -> dict[int, int]:
    """The sum of the scores of everybody's opponents times what was made against them, in quarter points."""
    return _sums(field, lambda one: one.score * one.made, 0, 0)


def adjusted_scores(field: Field) -> dict[int, int]:
    """What everybody's score is worth to its opponents, in half points.

    In a Swiss tournament byes that somebody asked for, after the last round that was not voluntarily
    unplayed, are drawn (16.3.2).
    """
    if not field.swiss:
        return dict(field.half_points)
    return {number: _adjusted(rows) for number, rows in field.records.items()}


def _adjusted(rows: tuple[Round, ...]) -> int:
    last = max((row.number for row in rows if not row.voluntary), default=0)
    return sum(row.games if row.number > last and row.opponent is None else row.half_points for row in rows)


def _sums(field: Field, value: Callable[[Contribution], int], lowest: int, highest: int) -> dict[int, int]:
    adjusted = adjusted_scores(field)
    return {
        number: sum(map(value, _cut(_contributions(field, number, adjusted), value, lowest, highest)))
        for number in field.records
    }


def _contributions(field: Field, number: int, adjusted: dict[int, int]) -> list[Contribution]:
    """One for each opponent; in a Swiss tournament also one for each round without one (16.4)."""
    own, most = field.half_points[number], field.games * field.rounds
    found = []
    for row in field.records[number]:
        if row.opponent is not None and field.counts(row):
            score = adjusted[row.opponent]
        elif not field.swiss:
            continue
        elif row.opponent is not None:
            score = min(own, adjusted[row.opponent])
        else:
            score = min(own, most)
        found.append(Contribution(score, row.half_points, field.swiss and row.voluntary))
    return found


def _cut(
    kept: list[Contribution], value: Callable[[Contribution], int], lowest: int, highest: int
) -> list[Contribution]:
    """Without the `lowest` least and then the `highest` greatest ones (14.1 to 14.4, 16.5).

    The least is what the lowest opponent gave, or the least of a voluntarily unplayed round where that is no
    less.
    """
    for _ in range(min(lowest, len(kept))):
        least = min(kept, key=lambda one: (one.score, value(one)))
        unplayed = [one for one in kept if one.voluntary]
        if unplayed:
            candidate = min(unplayed, key=lambda one: (value(one), one.score))
            least = candidate if value(candidate) >= value(least) else least
        kept.remove(least)
    for _ in range(min(highest, len(kept))):
        kept.remove(max(kept, key=lambda one: (one.score, value(one))))
    return kept
