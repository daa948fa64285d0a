"""Tie-breaks by what an entrant made itself, or by who its opponents were.

FIDE Handbook C.07 as in force from 1 March 2026: wins 7.1, progressive score 7.5, Koya 9.2, average rating
10.1. The Brightwell quotient: World Othello Championship rules, 2017.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import accumulate
from math import floor

from arena.standings.field import Field
from engines.stream import Stream

BRIGHTWELL_HALVES = 3
"""Discs for half a point of an opponent: the constant is 6 for a point."""

BRIGHTWELL_ROUNDS = 8
"""With fewer rounds the discs are taken as they are."""

LOTS = 1_000_000_000


def full_byes(field: Field) -> dict[int, int]:
    """The games that everybody was given as won in rounds without an opponent."""
    return {
        number: sum(row.games for row in rows if row.opponent is None and row.half_points == 2 * row.games)
        for number, rows in field.records.items()
    }


def progressive(field: Field) -> dict[int, int]:
    """The sum of everybody's scores after each round, in half points."""
    found = {}
    for number, rows in field.records.items():
        made = [0] * field.rounds
        for row in rows:
            made[row.number - 1] += row.half_points
        found[number] = sum(accumulate(made))
    return found


def koya(field: Field) -> dict[int, int]:
    """The half points made against those who have at least half of what anybody could have made."""
    most = _most(field)
    return {
        number: sum(
            row.half_points
            for row in rows
            if row.opponent is not None and 2 * field.half_points[row.opponent] >= most
        )
        for number, rows in field.records.items()
    }


def _most(field: Field) -> int:
    """The most half points that could be made; fixed pairings give no points without an opponent."""
    if field.swiss:
        return 2 * field.games * field.rounds
    games = (sum(row.games for row in rows if row.opponent is not None) for rows in field.records.values())
    return 2 * max(games, default=0)


def average_rating(field: Field, ratings: Mapping[int, float | None]) -> dict[int, int | None]:
    """The mean rating of the opponents that everybody had games with, a half rounded up; None without any."""
    found: dict[int, int | None] = {}
    for number, rows in field.records.items():
        total, games = Fraction(0), 0
        for row in rows:
            rating = ratings.get(row.opponent) if row.opponent is not None and row.played else None
            if rating is not None:
                total += row.games * Fraction(rating)
                games += row.games
        found[number] = floor(total / games + Fraction(1, 2)) if games else None
    return found


def brightwell(
    field: Field, discs: Mapping[int, int], against_left: Mapping[int, int], left: Collection[int], half: int
) -> dict[int, int]:
    """The Brightwell quotient: the discs, and 6 for each point of each opponent; plain discs in few rounds.

    Games with opponents that have left, and byes, count as half a board and 6 for each of the own points.

    Args:
        field: the rounds.
        discs: everybody's discs of all games: the own ones, or the others' where fewest win.
        against_left: those of them from games with opponents that have left.
        left: who has left the tournament.
        half: half of the board's squares.
    """
    if field.rounds < BRIGHTWELL_ROUNDS:
        return {number: discs[number] for number in field.records}
    return {
        number: discs[number]
        - against_left.get(number, 0)
        + sum(
            row.games * _worth(field, number, row.opponent, left, half)
            for row in rows
            if row.opponent is not None or row.half_points
        )
        for number, rows in field.records.items()
    }


def _worth(field: Field, number: int, opponent: int | None, left: Collection[int], half: int) -> int:
    """What a game adds beside its discs; without an opponent who is still there, instead of them."""
    if opponent is None or opponent in left:
        return half + BRIGHTWELL_HALVES * field.half_points[number]
    return BRIGHTWELL_HALVES * field.half_points[opponent]


def lots(numbers: Collection[int], seed: int) -> dict[int, int]:
    """The lot of everybody, drawn from `seed` and its number alone; the lowest goes first."""
    return {number: Stream("lot", seed, number).below(LOTS) for number in numbers}
