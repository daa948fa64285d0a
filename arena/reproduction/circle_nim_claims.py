"""What is computed about the claims of the circle-Nim document, and its first figures drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise

from arena.documents import circle_nim as document
from arena.documents.texts import Words
from arena.reproduction.agreement import estimate
from arena.reproduction.boards import sheet, triangle
from arena.reproduction.circle_nim_facts import OFTEN_RECORDS, OFTEN_ROWS, Facts
from arena.reproduction.claims import Fact, fact
from arena.reproduction.findings import Figure
from arena.reproduction.record_sets import Cell, Sets
from engines.games.circle_nim import MAX_ROWS, MIN_ROWS, lines

FULL_15 = (1 << 15) - 1


class Rates:
    """Our winning rates of the algorithms."""

    def __init__(self, sets: Mapping[Cell, Sets]) -> None:
        self._means = {cell: estimate(each.wins, each.games).mean for cell, each in sets.items()}

    def row(self, algorithm: int, rows: int) -> list[float]:
        """By the number of records, ascending."""
        return [self._means[Cell(rows, algorithm, records)] for records in document.RECORDS]

    def told(self, algorithm: int, rows: int) -> str:
        """The same as text."""
        return " / ".join(f"{rate:.3f}" for rate in self.row(algorithm, rows))


def computed(
    exact: Mapping[int, float], sets: Mapping[Cell, Sets], facts: Facts, million: Sets | None
) -> Iterator[Fact]:
    """What decides the claims that no comparison does, and the numbers of their answers."""
    rates = Rates(sets)
    yield from _game(facts)
    yield from random_play(exact, facts.five)
    yield _unfair(exact, facts.fewer)
    yield from _records(exact, rates)
    yield from _means(rates)
    yield from _third(rates)
    yield _million(million)


def _game(facts: Facts) -> Iterator[Fact]:
    listed = {rows: set(choices.split()) for rows, choices in document.CHOICE_LISTS.items()}
    yield fact("figure-1", all(listed[rows] == set(lines(rows).texts) for rows in document.CHOICES))
    plies, alike = document.EXAMPLE_GAME_PLIES, facts.example
    yield fact("figure-3", 0 < alike.games == alike.lost, plies=plies, alike=alike)
    yield fact("layers-3-to-6", fewest=MIN_ROWS, most=MAX_ROWS)
    checked, wrong = facts.odd
    yield fact("figure-4", wrong == 0, checked=checked, wrong=wrong)
    twice = facts.twice
    yield fact(
        "strategy-2-once", twice.more_than_once == 0, rows=OFTEN_ROWS, records=OFTEN_RECORDS, twice=twice
    )
    yield fact("strategy-3-always-odd", facts.even.open == 0 == facts.even.two, even=facts.even)
    first = [float(run) for run in document.ALGORITHM_TABLES[0].columns[0].runs]
    summed = list(accumulate(first))
    yield fact("counter-reset", summed[-1] <= 1, told=", ".join(f"{each:.3f}" for each in summed))
    people = facts.people
    shares = {"won": people.won / people.games, "broken_off": people.broken_off / people.games}
    yield fact("people-player", people=people, **shares)


WINNERS = {
    1: Words("先手必勝", "the first player wins"),
    -1: Words("後手必勝", "the second player wins"),
    0: Words("是和", "it is drawn"),
}


def random_play(exact: Mapping[int, float], five: int) -> Iterator[Fact]:
    """About random against random; `five` is what five rows come to with perfect play."""
    yield fact("to-one-half", exact[5] == 0.5, exact=exact)
    fair = exact[5] == 0.5 and five == 0
    yield fact("fair-five", fair, off=abs(0.5 - exact[5]), winner=WINNERS[five])
    spreads = [math.sqrt(exact[5] * (1 - exact[5]) / column.games) for column in document.TABLE_1]
    yield fact("smaller-spread", spreads == sorted(spreads, reverse=True))
    ratio, (less, more) = spreads[-2] / spreads[-1], document.TABLE_1[-2:]
    yield fact("same-spread", round(ratio) == 1, ratio=ratio, less=less, more=more)
    by_games = dict(zip((column.games for column in document.TABLE_1), spreads, strict=True))
    few, many = by_games[1_000], by_games[10_000]
    yield fact("thousand-games", many < 0.01, few=few, many=many, three=few / math.sqrt(3))
    yield fact(
        "fewer-rows",
        all(less <= more for less, more in pairwise(exact[each] for each in sorted(exact))),
        listed=", ".join(f"{rows}: {chance:.6f}" for rows, chance in exact.items()),
    )


def _unfair(exact: Mapping[int, float], fewer: tuple[int, int]) -> Fact:
    """About three and four rows; `fewer` is what they come to with perfect play."""
    off = {rows: 0.5 - exact[rows] for rows in (3, 4, 5)}
    three, four = (WINNERS[result] for result in fewer)
    unfair = min(off[3], off[4]) > 2 * abs(off[5])
    return fact("unfair-small", unfair, off=off, three=three, four=four)


def _records(exact: Mapping[int, float], rates: Rates) -> Iterator[Fact]:
    """About more and more records."""
    every = [(algorithm, rows) for algorithm in (1, 2, 3) for rows in (3, 4, 5)]
    yield fact("aim", all(rates.row(algorithm, rows)[-1] > exact[rows] for algorithm, rows in every))
    steps = [
        pair for algorithm, rows in every if algorithm < 3 for pair in pairwise(rates.row(algorithm, rows))
    ]
    yield fact("more-records", all(more >= less - 0.003 for less, more in steps))
    gains = {rows: rates.row(1, rows)[-1] - rates.row(1, rows)[0] for rows in (3, 4, 5)}
    told = ", ".join(f"{rows}: {gain:+.3f}" for rows, gain in gains.items())
    yield fact("small-boards-gain", min(gains[3], gains[4]) > gains[5], gains=told)
    five = rates.row(1, 5)
    yield fact("dip-at-10000", five[2] <= five[1], one=rates.told(1, 5))
    printed = _least_printed(3, 4, 5)
    above = all(rate > 0.5 for rows in (3, 4, 5) for rate in rates.row(1, rows)[2:])
    yield fact(
        "all-above-half",
        float(printed) > 0.5,
        printed=printed,
        ours=five[2],
        above=Words("各層皆超過", "all are above") if above else Words("並非各層都超過", "not all are above"),
    )
    printed = _least_printed(3, 6)
    both = {"one": rates.told(1, 5), "two": rates.told(2, 5)}
    yield fact("five-above-half", float(printed) > 0.5, printed=printed, **both)


def _means(rates: Rates) -> Iterator[Fact]:
    """About the shape of single curves."""
    steps = [more - less for less, more in pairwise(rates.row(2, 4))]
    shown = ", ".join(f"{step:+.3f}" for step in steps)
    yield fact("algo2-linear", all(0.03 < step < 0.08 for step in steps), shown=shown)
    three = [rates.row(algorithm, 3) for algorithm in (1, 2, 3)]
    yield fact(
        "three-rows-level",
        all(abs(rate[3] - rate[1]) < 0.03 for rate in three),
        one=rates.told(1, 3),
        two=rates.told(2, 3),
        three=rates.told(3, 3),
    )


def _third(rates: Rates) -> Iterator[Fact]:
    """About the third algorithm beside others."""
    apart = [three - four for three, four in zip(rates.row(3, 3), rates.row(3, 4), strict=True)]
    passes = Words("，並超過 3 層", ", where four pass three")
    yield fact(
        "four-near-three",
        abs(apart[-1]) < apart[0] / 2,
        four=rates.told(3, 4),
        three=rates.told(3, 3),
        before=apart[0],
        after=abs(apart[-1]),
        passes=passes if apart[-1] < 0 else Words("", ""),
    )
    one, two, three = (rates.row(algorithm, 5) for algorithm in (1, 2, 3))
    yield fact(
        "algo3-on-five",
        all(third > max(first, second) + 0.02 for first, second, third in zip(one, two, three, strict=True)),
        one=rates.told(1, 5),
        two=rates.told(2, 5),
        three=rates.told(3, 5),
    )


def _least_printed(*numbers: int) -> str:
    """The least mean that the tables with these numbers print for more than 1,000 records."""
    tables = (table for table in document.ALGORITHM_TABLES if table.number in numbers)
    return min((each.mean for table in tables for each in table.columns if each.records > 1000), key=float)


def _million(played: Sets | None) -> Fact:
    if played is None:
        known = Words("以 --million 在報告中重做。", "With --million the report plays it.")
        return fact("million-records", known=known)
    rate = estimate(played.wins, played.games).mean
    known = Words(f"這次得到 {rate:.4f}。", f"Played here: {rate:.4f}.")
    return Fact("million-records", numbers={"known": known}, about=("million",))


def figures() -> Iterator[Figure]:
    """Its figures 1, 2 and 4; the third would need the circles of a game that is not told."""
    yield Figure(
        "figure-1",
        Words("圖 1　五層圈圈的編號", "Figure 1. The numbers of five rows"),
        sheet(
            [
                triangle(5, FULL_15, [(3, 4, 5)], caption="4-5-6"),
                triangle(5, FULL_15, [(3, 4, 8)], caption="4-5-9 ✗"),
            ],
            2,
        ),
    )
    gone = FULL_15 & ~(1 << 4)
    yield Figure(
        "figure-2",
        Words(
            "圖 2　不能穿越已消去的圈圈（同類例子）",
            "Figure 2. No jump over a circle that is gone (an example of the kind)",
        ),
        sheet([triangle(5, gone, [(3, 5)], caption="4-6 ✗")], 1),
    )
    yield Figure(
        "figure-4",
        Words(
            "圖 4　留下奇數個單個圈圈（同類例子）",
            "Figure 4. An odd number of single circles is left (examples of the kind)",
        ),
        sheet(
            [
                triangle(5, sum(1 << at for at in circles))
                for circles in ((12,), (0, 10, 12), (0, 4, 10, 12, 14))
            ],
            3,
        ),
    )
