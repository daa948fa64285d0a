"""Everybody's tie-breaks counted once more, game by game from the rows of the database, and in no hurry.

It shares nothing with `arena.theory.standings`. What chess's federation says of Swiss rounds that were not
played is left to its own program and its exercises.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from arena.store.models import Tournament

HALF_BOARD = 8
"""Half of the squares of the stories' board."""

GAMES = text(
    "SELECT m.round, m.phase, a.number AS one, b.number AS other, r.kind, r.seats, "
    "r.first_half_points AS got, r.second_half_points AS lost, "
    "r.first_score AS own, r.second_score AS others FROM matches m "
    "JOIN results r ON r.match_id = m.id JOIN entries a ON a.id = m.first_id "
    "JOIN entries b ON b.id = m.second_id WHERE m.tournament_id = :cup"
)
BYES = text(
    "SELECT e.number, b.half_points FROM byes b JOIN entries e ON e.id = b.entry_id "
    "WHERE b.tournament_id = :cup"
)
ENTRIES = text("SELECT number, left_round FROM entries WHERE tournament_id = :cup")


class Game(NamedTuple):
    """One game from one side, in half points, discs and nanoseconds; unplayed, it has no time and discs."""

    round: int
    phase: str
    other: int
    got: int
    played: bool
    discs: int
    others: int
    time: int


Counts = dict[str, dict[int, Fraction | None]]


def recount(session: Session, cup: Tournament, read: Any) -> Counts:
    """What every tie-break that is told counts for every entry, by its number; None where there is nothing.

    `read` makes what a seat used of what the database has. Means are taken where the number of games, or of
    those that were played, is not the same for everybody.
    """
    numbers = {row.number: row.left_round for row in session.execute(ENTRIES, {"cup": cup.id})}
    games: dict[int, list[Game]] = {number: [] for number in numbers}
    for row in session.execute(GAMES, {"cup": cup.id}):
        played, uses = row.kind == "played", read(row.seats)
        times = [use["wall_ns"] if played else 0 for use in uses]
        own, others = (row.own, row.others) if played else (0, 0)
        head = row.round, row.phase
        games[row.one].append(Game(*head, row.other, row.got, played, own, others, times[0]))
        games[row.other].append(Game(*head, row.one, row.lost, played, others, own, times[1]))
    byes = {
        number: [row.half_points for row in session.execute(BYES, {"cup": cup.id}) if row.number == number]
        for number in numbers
    }
    swiss = cup.format in {"swiss", "swiss_dutch"}
    gone = {number for number, left in numbers.items() if left is not None}
    return _of_played(games) | (_swiss(games, byes, gone) if swiss else _fixed(games, gone))


def _mean(total: Fraction | int, count: int) -> Fraction | None:
    return Fraction(total) / count if count else None


def _same(counts: Iterable[int]) -> bool:
    return len(set(counts)) < 2


def _of_played(games: dict[int, list[Game]]) -> Counts:
    count = {number: sum(each.played for each in rows) for number, rows in games.items()}
    sums = {
        "discs": {number: sum(each.discs for each in rows) for number, rows in games.items()},
        "disc_difference": {
            number: sum(each.others - each.discs for each in rows) for number, rows in games.items()
        },
        "time": {number: sum(each.time for each in rows) for number, rows in games.items()},
    }
    whole = _same(count.values())
    return {
        name: {
            number: Fraction(value) if whole else _mean(value, count[number])
            for number, value in made.items()
        }
        for name, made in sums.items()
    }


def _swiss(games: dict[int, list[Game]], byes: dict[int, list[int]], gone: set[int]) -> Counts:
    points = {number: sum(each.got for each in rows) + sum(byes[number]) for number, rows in games.items()}
    whole = max(
        (
            len([1 for each in rows if (each.round, each.other) == (game.round, game.other)])
            for rows in games.values()
            for game in rows
        ),
        default=1,
    )
    wins = {
        number: sum(each.got == 2 for each in rows) + sum(each // 2 for each in byes[number])
        for number, rows in games.items()
    }
    rounds = max((each.round for rows in games.values() for each in rows), default=0)
    quotient: dict[int, Fraction | None] = {}
    count = {number: sum(each.played for each in rows) for number, rows in games.items()}
    for number, rows in games.items():
        if rounds < 8:
            discs = sum(each.others for each in rows)
            quotient[number] = Fraction(discs) if _same(count.values()) else _mean(discs, count[number])
            continue
        own = HALF_BOARD + 3 * points[number]
        total = sum(whole * own for each in byes[number] if each)
        for each in rows:
            if each.other in gone:
                total += own
            elif not each.played:
                total += own if each.got else 0
            else:
                total += each.others + 3 * points[each.other]
        quotient[number] = Fraction(total)
    return {
        "points": {number: Fraction(value) for number, value in points.items()},
        "wins": {number: Fraction(value) for number, value in wins.items()},
        "brightwell": quotient,
    }


def _fixed(games: dict[int, list[Game]], gone: set[int]) -> Counts:
    """By the mean of a game, which is in the same order as the sums where all have as many games."""
    found: Counts = {
        name: {}
        for name in (
            "points",
            "wins",
            "sonneborn_berger",
            "koya",
            "buchholz",
            "buchholz_cut1",
            "buchholz_median",
            "progressive",
            "brightwell",
        )
    }
    count = {number: len(rows) for number, rows in games.items()}
    points = {number: sum(each.got for each in rows) for number, rows in games.items()}
    level = _same(count.values())
    worth = {
        number: Fraction(points[number]) if level else (_mean(points[number], count[number]) or Fraction(0))
        for number in games
    }
    most = max(count.values(), default=0)
    rounds = max((each.round for rows in games.values() for each in rows), default=0)
    played = {number: sum(each.played for each in rows) for number, rows in games.items()}
    for number, rows in games.items():

        def told(name: str, total: Fraction | int, number: int = number) -> None:
            found[name][number] = Fraction(total) if level else _mean(total, count[number])

        told("points", points[number])
        told("wins", sum(each.got == 2 for each in rows))
        told("sonneborn_berger", sum((each.got * worth[each.other] for each in rows), Fraction(0)))
        told("koya", sum(each.got for each in rows if points[each.other] >= count[each.other]))
        met = sorted({(each.round, each.phase, each.other) for each in rows})
        scores = sorted(worth[other] for _, _, other in met)
        for name, kept in (
            ("buchholz", scores),
            ("buchholz_cut1", scores[1:]),
            ("buchholz_median", scores[1:-1]),
        ):
            found[name][number] = (
                sum(kept, Fraction(0)) if level else _mean(sum(kept, Fraction(0)), len(kept))
            )
        made = [sum(each.got for each in rows if (each.round, each.phase, each.other) == one) for one in met]
        size = [sum((each.round, each.phase, each.other) == one for each in rows) for one in met]
        if level:
            found["progressive"][number] = Fraction(
                sum(got * (rounds - one[0] + 1) for got, one in zip(made, met, strict=True))
            )
        else:
            weights = [len(met) - at for at in range(len(met))]
            found["progressive"][number] = _mean(
                sum(w * got for w, got in zip(weights, made, strict=True)),
                sum(w * n for w, n in zip(weights, size, strict=True)),
            )
        if rounds < 8:
            discs = sum(each.others for each in rows)
            found["brightwell"][number] = (
                Fraction(discs) if _same(played.values()) else _mean(discs, played[number])
            )
            continue
        scale = 1 if level else most
        own = HALF_BOARD + 3 * scale * worth[number]
        total = Fraction(0)
        for each in rows:
            if each.other in gone:
                total += own
            elif not each.played:
                total += own if each.got else 0
            else:
                total += each.others + 3 * scale * worth[each.other]
        told("brightwell", total)
    return found
