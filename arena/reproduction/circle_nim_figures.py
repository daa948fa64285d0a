"""Figures 5 to 13 of the circle-Nim document, redrawn from our numbers with its points in them.

The band around a line is where 95 of 100 of the document's points lie if it and we play the same.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence

from scipy.stats import chi2

from arena.documents import circle_nim as document
from arena.documents.circle_nim import AlgorithmTable
from arena.documents.texts import Words
from arena.reproduction.agreement import LOWER, UPPER, estimate, prediction
from arena.reproduction.circle_nim_algorithms import GAMES
from arena.reproduction.circle_nim_random import Runs
from arena.reproduction.drawing import Chart, Curve, Point, draw
from arena.reproduction.findings import Figure
from arena.reproduction.record_sets import Cell, Sets

RATE = "先手勝率 winning rate of the first side"
RECORDS = "棋譜數量 records of each kind"


def figures(exact: Mapping[int, float], runs: Runs, sets: Mapping[Cell, Sets]) -> tuple[Figure, ...]:
    """All nine, in the document's order."""
    return (
        *_random(exact, runs),
        *(_by_algorithm(8 + at, algorithm, sets) for at, algorithm in enumerate((1, 2, 3))),
        *(_by_rows(11 + at, rows, sets) for at, rows in enumerate((5, 4, 3))),
    )


def _random(exact: Mapping[int, float], runs: Runs) -> Iterator[Figure]:
    """Figures 5 to 7: means of five runs, their standard deviations, and rows."""
    means, deviations = [], []
    for column in document.TABLE_1:
        chance = exact[column.rows]
        usual = math.sqrt(chance * (1 - chance) / column.games)
        rates = [won / column.games for won in runs[column.rows, column.games]]
        low, high = _normal(chance, usual / math.sqrt(len(rates)))
        means.append(Point(column.games, statistics.fmean(rates), low, high))
        deviations.append(Point(column.games, statistics.stdev(rates), *_of_deviation(usual, len(rates))))
    printed = [Point(column.games, float(column.mean)) for column in document.TABLE_1]
    spread = [Point(column.games, float(column.deviation or 0)) for column in document.TABLE_1]
    level = (exact[5], "精確 exact")
    lines = [Curve("五次平均 mean of five runs", means, printed)]
    yield _figure(
        5,
        Words("先手平均勝率與遊戲次數（5 層，隨機對隨機）", "Mean winning rate and number of games (5 rows)"),
        Chart("figure-5", "每次場數 games of a run", RATE, lines, log="x", level=level),
    )
    yield _figure(
        6,
        Words("平均勝率的標準差與遊戲次數", "Standard deviation of the winning rate and number of games"),
        Chart(
            "figure-6",
            "每次場數 games of a run",
            "五次的標準差 standard deviation of five runs",
            [Curve("五次 five runs", deviations, spread)],
            log="xy",
        ),
    )
    yield _rows(exact)


def _rows(exact: Mapping[int, float]) -> Figure:
    ours = []
    for rows, chance in exact.items():
        ours.append(Point(rows, chance, *_normal(chance, math.sqrt(chance * (1 - chance) / 50_000))))
    printed = [Point(column.rows, float(column.mean)) for column in document.TABLE_2]
    return _figure(
        7,
        Words("先手平均勝率與堆疊數（隨機對隨機）", "Mean winning rate and rows (random against random)"),
        Chart(
            "figure-7",
            "層數 rows",
            RATE,
            [Curve("隨機對隨機 random", ours, printed)],
            level=(0.5, "一半 one half"),
        ),
    )


def _by_algorithm(number: int, algorithm: int, sets: Mapping[Cell, Sets]) -> Figure:
    tables = [table for table in document.ALGORITHM_TABLES if table.algorithm == algorithm]
    lines = [
        _line(f"{table.rows} 層 rows", table, sets) for table in sorted(tables, key=lambda table: table.rows)
    ]
    words = Words(f"演算法{'一二三'[algorithm - 1]}對各種堆疊的平均勝率", f"Algorithm {algorithm}, by rows")
    return _figure(number, words, Chart(f"figure-{number}", RECORDS, RATE, lines, log="x"))


def _by_rows(number: int, rows: int, sets: Mapping[Cell, Sets]) -> Figure:
    tables = [table for table in document.ALGORITHM_TABLES if table.rows == rows]
    lines = [_line(f"演算法 algorithm {table.algorithm}", table, sets) for table in tables]
    words = Words(f"{rows} 層堆疊對各演算法的平均勝率", f"{rows} rows, by algorithm")
    return _figure(number, words, Chart(f"figure-{number}", RECORDS, RATE, lines, log="x"))


def _line(name: str, table: AlgorithmTable, sets: Mapping[Cell, Sets]) -> Curve:
    ours = []
    for column in table.columns:
        played = sets[Cell(table.rows, table.algorithm, column.records)]
        mean = estimate(played.wins, played.games).mean
        _, low, high = prediction(mean, GAMES, played.wins, played.games)
        ours.append(Point(column.records, mean, low, high))
    return Curve(name, ours, [Point(column.records, float(column.mean)) for column in table.columns])


def _figure(number: int, title: Words, chart: Chart) -> Figure:
    words = Words(f"圖 {number}　{title.zh}", f"Figure {number}. {title.en}")
    return Figure(chart.key, words, draw(chart))


def _normal(mean: float, error: float) -> Sequence[float]:
    """The middle 95 % of a normal distribution."""
    law = statistics.NormalDist(mean, error)
    return law.inv_cdf(LOWER), law.inv_cdf(UPPER)


def _of_deviation(usual: float, runs: int) -> Sequence[float]:
    """Where 95 % of the standard deviations of so many runs lie, if one run's is the usual one."""
    return [usual * math.sqrt(each / (runs - 1)) for each in chi2.ppf([LOWER, UPPER], runs - 1)]
