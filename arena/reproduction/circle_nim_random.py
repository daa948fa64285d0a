"""Tables 1 and 2 of the circle-Nim document, random against random, beside the exact probabilities."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from arena.documents import circle_nim as document
from arena.documents.circle_nim import RandomColumn
from arena.documents.texts import Words
from arena.reproduction.agreement import binomial, deviation
from arena.reproduction.findings import Comparison, Exhibit, Grid, Method

RUN_NAMES = ("first", "second", "third", "fourth", "fifth")

Runs = Mapping[tuple[int, int], Sequence[int]]
"""Games won in each of our own runs, by rows and games of a run."""


def table_1(exact: Mapping[int, float], runs: Runs) -> Exhibit:
    """Winning rate against number of games, five rows: every run, the means and the standard deviations."""
    comparisons: list[Comparison] = []
    for at, column in enumerate(document.TABLE_1, start=1):
        what = Words(f"{column.games} 場", f"{column.games:,} games")
        key = f"table-1/{column.games}"
        comparisons += _runs(key, what, column, exact[column.rows], at)
        comparisons.append(_mean(key, what, column, at))
        comparisons += _deviations(key, what, column, exact[column.rows], at)
    return Exhibit(
        "table-1",
        Words(
            "表 1　先手勝率與遊戲次數的關係（5 層，隨機對隨機）",
            "Table 1. Winning rate and number of games (5 rows, random against random)",
        ),
        tuple(comparisons),
        _document_grid(document.TABLE_1, [f"{column.games} 場" for column in document.TABLE_1]),
        _our_grid(document.TABLE_1, [f"{column.games} 場" for column in document.TABLE_1], exact, runs),
    )


def table_2(exact: Mapping[int, float], runs: Runs) -> Exhibit:
    """Winning rate against rows. The column that only repeats one of table 1 is not tested a second time."""
    told = {(column.rows, column.games): column.runs for column in document.TABLE_1}
    comparisons: list[Comparison] = []
    for at, column in enumerate(document.TABLE_2, start=1):
        what = Words(f"{column.rows} 層", f"{column.rows} rows")
        key = f"table-2/{column.rows}"
        if told.get((column.rows, column.games)) != column.runs:
            comparisons += _runs(key, what, column, exact[column.rows], at)
        comparisons.append(_mean(key, what, column, at))
    headings = [f"{column.rows} 層堆疊" for column in document.TABLE_2]
    return Exhibit(
        "table-2",
        Words(
            "表 2　圈圈層數對勝率的影響（每次 10000 場，隨機對隨機）",
            "Table 2. Winning rate and rows (runs of 10,000 games, random against random)",
        ),
        tuple(comparisons),
        _document_grid(document.TABLE_2, headings),
        _our_grid(document.TABLE_2, headings, exact, runs),
    )


def _runs(key: str, what: Words, column: RandomColumn, chance: float, at: int) -> Iterator[Comparison]:
    """Each run of a column, tested against the exact probability."""
    for row, printed in enumerate(column.runs):
        wins = int(Decimal(printed) * column.games)
        test = binomial(wins, column.games, chance)
        yield Comparison(
            f"{key}/run-{row + 1}",
            Words(f"{what.zh}，{document.RUNS[row]}", f"{what.en}, {RUN_NAMES[row]} run"),
            printed,
            f"{chance:.5f}",
            Method.BINOMIAL,
            p=test.p,
            expected=(test.low, test.high),
            cell=(row, at),
            numbers={"wins": wins, "games": column.games, "probability": chance},
        )


def _mean(key: str, what: Words, column: RandomColumn, at: int) -> Comparison:
    """The printed mean against the mean of the printed runs."""
    mean = statistics.mean(map(Decimal, column.runs))
    return arithmetic(
        f"{key}/mean", Words(f"{what.zh}，平均", f"{what.en}, mean"), column.mean, mean, (5, at)
    )


def _deviations(key: str, what: Words, column: RandomColumn, chance: float, at: int) -> Iterator[Comparison]:
    """The printed standard deviation against that of the printed runs, and against what chance gives."""
    if column.deviation is None:
        return
    words = Words(f"{what.zh}，標準差", f"{what.en}, standard deviation")
    ours = Decimal(statistics.stdev(map(Decimal, column.runs)))
    yield arithmetic(f"{key}/deviation", words, column.deviation, ours, (6, at))
    usual = math.sqrt(chance * (1 - chance) / column.games)
    test = deviation(float(ours), len(column.runs), usual)
    yield Comparison(
        f"{key}/spread",
        Words(f"{what.zh}，各次結果的離散程度", f"{what.en}, spread of the runs"),
        f"{ours:.3g}",
        f"{usual:.3g}",
        Method.CHI_SQUARE,
        p=test.p,
        expected=(test.low, test.high),
        numbers={"deviation": float(ours), "usual": usual},
    )


def arithmetic(key: str, what: Words, printed: str, ours: Decimal, cell: tuple[int, int]) -> Comparison:
    """A figure that the document derives from others of its own; rounding may change its last place."""
    places = -int(Decimal(printed).as_tuple().exponent)
    agrees = abs(Decimal(printed) - ours) * 10**places <= Decimal("0.5000001")
    shown = f"{ours:.{places}f}"
    return Comparison(
        key, what, printed, shown, Method.ARITHMETIC, agrees=agrees, cell=cell, numbers={"ours": float(ours)}
    )


def _document_grid(columns: Sequence[RandomColumn], headings: Sequence[str]) -> Grid:
    rows = [(name, *(column.runs[row] for column in columns)) for row, name in enumerate(document.RUNS)]
    rows.append((document.MEAN, *(column.mean for column in columns)))
    if all(column.deviation for column in columns):
        rows.append((document.DEVIATION, *(column.deviation or "" for column in columns)))
    return Grid(("", *headings), tuple(rows))


def _our_grid(
    columns: Sequence[RandomColumn], headings: Sequence[str], exact: Mapping[int, float], runs: Runs
) -> Grid:
    """Runs of our own in the same form, and under them the exact probability."""
    rates = [[won / column.games for won in runs[column.rows, column.games]] for column in columns]
    places = [len(column.runs[0]) - 2 for column in columns]
    rows = [
        (name, *(f"{rate[row]:.{digits}f}" for rate, digits in zip(rates, places, strict=True)))
        for row, name in enumerate(document.RUNS)
    ]
    rows.append((document.MEAN, *(f"{statistics.fmean(rate):.5f}" for rate in rates)))
    rows.append((document.DEVIATION, *(f"{statistics.stdev(rate):.5f}" for rate in rates)))
    rows.append(("精確機率 exact", *(f"{exact[column.rows]:.6f}" for column in columns)))
    return Grid(("", *headings), tuple(rows))
