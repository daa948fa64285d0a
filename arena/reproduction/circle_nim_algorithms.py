"""Tables 3 to 11 of the circle-Nim document: an algorithm that begins against random.

A cell of these tables is three runs of 1000 games, all with the same set of records. The records that it got
move the winning rate too, so the document's mean is compared with what one further record set and 3000 games
would give, judged by many record sets of ours.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping
from decimal import Decimal

from arena.documents import circle_nim as document
from arena.documents.circle_nim import AlgorithmColumn, AlgorithmTable
from arena.documents.texts import Words
from arena.reproduction.agreement import deviation, estimate, prediction
from arena.reproduction.circle_nim_random import arithmetic
from arena.reproduction.findings import Comparison, Exhibit, Grid, Method
from arena.reproduction.record_sets import Cell, Sets

GAMES = 3 * document.GAMES_A_RUN
HEADINGS = ("", *(f"{records} 個" for records in document.RECORDS))
ALGORITHMS = {1: "演算法一", 2: "演算法二", 3: "演算法三"}


def exhibit(table: AlgorithmTable, sets: Mapping[Cell, Sets]) -> Exhibit:
    """One of the tables."""
    comparisons: list[Comparison] = []
    for at, column in enumerate(table.columns, start=1):
        comparisons += _column(table, column, sets[Cell(table.rows, table.algorithm, column.records)], at)
    rows = [
        (name, *(column.runs[at] for column in table.columns)) for at, name in enumerate(document.RUNS[:3])
    ]
    rows.append((document.MEAN, *(column.mean for column in table.columns)))
    return Exhibit(
        f"table-{table.number}",
        Words(
            f"表 {table.number}　{ALGORITHMS[table.algorithm]}，{table.rows} 層：先手勝率與棋譜數量的關係",
            f"Table {table.number}. Algorithm {table.algorithm}, {table.rows} rows: winning rate and"
            " number of records",
        ),
        tuple(comparisons),
        Grid(HEADINGS, tuple(rows)),
        _our_grid(table, sets),
    )


def _column(table: AlgorithmTable, column: AlgorithmColumn, played: Sets, at: int) -> Iterator[Comparison]:
    key = f"table-{table.number}/{column.records}"
    what = Words(f"棋譜 {column.records} 個，平均", f"{column.records:,} records, mean")
    mean = statistics.mean(map(Decimal, column.runs))
    test = prediction(float(mean), GAMES, played.wins, played.games)
    ours = estimate(played.wins, played.games)
    yield Comparison(
        key,
        what,
        column.mean,
        f"{ours.mean:.4f}",
        Method.PREDICTION,
        p=test.p,
        expected=(test.low, test.high),
        interval=(ours.low, ours.high),
        cell=(3, at),
        numbers={
            "document mean": float(mean),
            "mean": ours.mean,
            "between sets": ours.between,
            "sets": len(played.wins),
            "games a set": played.games,
        },
    )
    yield _spread(key, column, float(mean))
    words = Words(f"{what.zh}的計算", f"{what.en} as computed")
    yield arithmetic(f"{key}/mean", words, column.mean, mean, (3, at))


def _spread(key: str, column: AlgorithmColumn, mean: float) -> Comparison:
    """Whether the three runs, all with one set of records, lie as far apart as chance has it."""
    rates = [float(run) for run in column.runs]
    spread, usual = statistics.stdev(rates), math.sqrt(mean * (1 - mean) / document.GAMES_A_RUN)
    test = deviation(spread, len(rates), usual)
    return Comparison(
        f"{key}/spread",
        Words(f"棋譜 {column.records} 個，三次的離散程度", f"{column.records:,} records, spread of the runs"),
        f"{spread:.4f}",
        f"{usual:.4f}",
        Method.CHI_SQUARE,
        p=test.p,
        expected=(test.low, test.high),
        numbers={"deviation": spread, "usual": usual},
    )


def _our_grid(table: AlgorithmTable, sets: Mapping[Cell, Sets]) -> Grid:
    played = [sets[Cell(table.rows, table.algorithm, column.records)] for column in table.columns]
    estimates = [estimate(each.wins, each.games) for each in played]
    rows = (
        ("平均 mean", *(f"{each.mean:.4f}" for each in estimates)),
        ("95 % 信賴區間 interval", *(f"{each.low:.4f}–{each.high:.4f}" for each in estimates)),
        ("棋譜間標準差 SD between sets", *(f"{each.between:.4f}" for each in estimates)),
        ("最低一組 lowest set", *(f"{min(each.wins) / each.games:.4f}" for each in played)),
        ("最高一組 highest set", *(f"{max(each.wins) / each.games:.4f}" for each in played)),
    )
    return Grid(HEADINGS, rows)
