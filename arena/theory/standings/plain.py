"""Tie-breaks by what an entrant made itself, or by who its opponents were.

FIDE Handbook C.07 as in force from 1 March 2026: wins 7.1, progressive score 7.5, Koya 9.2, average rating
10.1. The Brightwell quotient: World Othello Championship rules, 2017.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import floor
from typing import NamedTuple

from arena.theory.standings.field import Field, Round, Sum
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


def progressive(field: Field) -> dict[int, Sum | None]:
    """The sum of everybody's scores after each round, in half points.

    Where means are compared it is the mean of a game over the own rounds, in which each counts as often as
    it does in that sum.
    """
    if field.means:
        return {number: _early(rows) for number, rows in field.records.items()}
    sums: dict[int, Sum | None] = {}
    for number, rows in field.records.items():
        made = [0] * field.rounds
        for row in rows:
            made[row.number - 1] += row.half_points
        sums[number] = sum(accumulate(made))
    return sums


def _early(rows: Sequence[Round]) -> Fraction | None:
    met = [row for row in rows if row.opponent is not None]
    weights = range(len(met), 0, -1)
    games = sum(weight * row.games for weight, row in zip(weights, met, strict=True))
    made = sum(weight * row.half_points for weight, row in zip(weights, met, strict=True))
    return Fraction(made, games) if games else None


def koya(field: Field) -> dict[int, Sum | None]:
    """The half points made against those who have at least half of what anybody could have made.

    Where means are compared that is half of what they could have made in their own games.
    """
    most = _most(field)
    good = {
        number: 2 * made >= (2 * field.met_games[number] if field.means else most)
        for number, made in field.half_points.items()
    }
    sums = {
        number: sum(row.half_points for row in rows if row.opponent is not None and good[row.opponent])
        for number, rows in field.records.items()
    }
    return field.per_game(sums)


def _most(field: Field) -> int:
    """The most half points that could be made; fixed pairings give no points without an opponent."""
    return 2 * field.games * field.rounds if field.swiss else 2 * max(field.met_games.values(), default=0)


def average_rating(field: Field, ratings: Mapping[int, float | None]) -> dict[int, int | None]:
    """The mean rating of the opponents in games that were played, a half rounded up; None without any."""
    averages: dict[int, int | None] = {}
    for number, rows in field.records.items():
        total, games = Fraction(0), 0
        for row in rows:
            rating = ratings.get(row.opponent) if row.opponent is not None and row.played else None
            if rating is not None:
                total += (row.games - row.unplayed) * Fraction(rating)
                games += row.games - row.unplayed
        averages[number] = floor(total / games + Fraction(1, 2)) if games else None
    return averages


class Discs(NamedTuple):
    """What the Brightwell quotient counts beside the rounds, by entrants' numbers.

    `own` are the own discs of all games that were played, or the others' where the fewest win, `played` how
    many games these are, and `against_left` those discs of them from games with opponents that have `left`.
    `unplayed` are the games that were decided without being played, each as an entrant, the opponent and the
    half points, from both sides. `half` is half of the board's squares.
    """

    own: Mapping[int, int]
    played: Mapping[int, int]
    against_left: Mapping[int, int]
    left: Collection[int]
    unplayed: Collection[tuple[int, int, int]]
    half: int


def is_plain(field: Field) -> bool:
    """Whether there are so few rounds that the Brightwell quotient is the discs alone."""
    return field.rounds < BRIGHTWELL_ROUNDS


def brightwell(field: Field, discs: Discs) -> dict[int, Sum | None]:
    """The Brightwell quotient: the discs, and 6 for each point of each opponent.

    A bye, a game with an opponent that has left, and one that was won or drawn without being played count as
    half a board and 6 for each of the own points, one that was lost without being played as nothing. In few
    rounds it is the discs of the games that were played, or their mean where numbers of these differ. With
    means it is the mean of a game, and points are what they would be in as many games as anybody had.
    """
    if is_plain(field):
        return per_played(discs.own, discs.played)
    scale = max(field.met_games.values(), default=0)
    points = {
        number: field.mean(number) * scale if field.means else field.half_points[number]
        for number in field.records
    }
    sums: dict[int, Sum] = {
        number: discs.own[number] - discs.against_left.get(number, 0) for number in field.records
    }
    for number, rows in field.records.items():
        bye = discs.half + BRIGHTWELL_HALVES * points[number]
        for row in rows:
            if row.opponent is None or row.opponent in discs.left:
                sums[number] += row.games * bye if row.opponent is not None or row.half_points else 0
            else:
                sums[number] += row.games * BRIGHTWELL_HALVES * points[row.opponent]
    for number, opponent, half_points in discs.unplayed:
        if opponent not in discs.left:
            bye = discs.half + BRIGHTWELL_HALVES * points[number] if half_points else 0
            sums[number] += bye - BRIGHTWELL_HALVES * points[opponent]
    return field.per_game(sums)


def per_played(sums: Mapping[int, int], played: Mapping[int, int]) -> dict[int, Sum | None]:
    """The sums, or their means of a game that was played where entrants have different numbers of these.

    None is for who has played none.
    """
    if len(set(played.values())) <= 1:
        return dict(sums)
    return {
        number: Fraction(value, played[number]) if played[number] else None for number, value in sums.items()
    }


def lots(numbers: Collection[int], seed: int) -> dict[int, int]:
    """The lot of everybody, drawn from `seed` and its number alone; the lowest goes first."""
    return {number: Stream("lot", seed, number).below(LOTS) for number in numbers}
