"""Tie-breaks by the scores of one's opponents: Buchholz and Sonneborn-Berger.

FIDE Handbook C.07 as in force from 1 March 2026: articles 8.1 and 9.1, the cuts of article 14, and article 16
on rounds that were not played.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from arena.theory.standings.field import Field, Round, Sum


class Contribution(NamedTuple):
    """What a round adds: the score of the opponent or of its dummy, and what was made, in half points.

    Only in a Swiss tournament is a round `voluntary`: elsewhere it counts as played (15.2).
    """

    score: Sum
    made: int
    voluntary: bool


def buchholz(field: Field, *, lowest: int = 0, highest: int = 0) -> dict[int, Sum | None]:
    """The sum of the scores of everybody's opponents, in half points, without so many of the ends.

    Where means are compared it is the mean of the opponents' means of a game.
    """
    sums: dict[int, Sum | None] = {}
    for number, contributions in _contributions(field).items():
        kept = _cut(contributions, lowest, highest)
        total = sum(one.score for one in kept)
        sums[number] = (Fraction(total) / len(kept) if kept else None) if field.means else total
    return sums


def sonneborn_berger(field: Field) -> dict[int, Sum | None]:
    """The sum of the scores of everybody's opponents times what was made against them, in quarter points."""
    sums = {
        number: sum(one.score * one.made for one in contributions)
        for number, contributions in _contributions(field).items()
    }
    return field.per_game(sums)


def adjusted_scores(field: Field) -> dict[int, Sum]:
    """What everybody's score is worth to its opponents, in half points.

    In a Swiss tournament byes that somebody asked for, after the last round that was not voluntarily
    unplayed, are drawn (16.3.2).
    """
    if field.means:
        return {number: field.mean(number) for number in field.records}
    if not field.swiss:
        return dict(field.half_points)
    return {number: _adjusted(rows) for number, rows in field.records.items()}


def _adjusted(rows: tuple[Round, ...]) -> int:
    last = max((row.number for row in rows if not row.voluntary), default=0)
    return sum(row.games if row.number > last and row.opponent is None else row.half_points for row in rows)


def _contributions(field: Field) -> dict[int, list[Contribution]]:
    """One for each opponent; in a Swiss tournament also one for each round without one (16.4)."""
    adjusted, most = adjusted_scores(field), field.games * field.rounds
    contributions: dict[int, list[Contribution]] = {number: [] for number in field.records}
    for number, rows in field.records.items():
        own = field.half_points[number]
        for row in rows:
            if row.opponent is not None and field.counts(row):
                score = adjusted[row.opponent]
            elif not field.swiss:
                continue
            elif row.opponent is not None:
                score = min(own, adjusted[row.opponent])
            else:
                score = min(own, most)
            contributions[number].append(Contribution(score, row.half_points, field.swiss and row.voluntary))
    return contributions


def _cut(kept: list[Contribution], lowest: int, highest: int) -> list[Contribution]:
    """Without the `lowest` least and then the `highest` greatest ones (14.1 to 14.4, 16.5).

    The least of the voluntarily unplayed rounds goes before any other, as it is worth no less than the least.
    """
    for _ in range(min(lowest, len(kept))):
        kept.remove(min(kept, key=lambda one: (not one.voluntary, one.score)))
    for _ in range(min(highest, len(kept))):
        kept.remove(max(kept, key=lambda one: one.score))
    return kept
