"""What is to be said about the circle-Nim document, each remark only where the numbers bear it out."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from arena.reproduction.agreement import Estimate, binomial, estimate
from arena.reproduction.documents import circle_nim as document
from arena.reproduction.documents.circle_nim import RandomColumn
from arena.reproduction.findings import LEVEL, Comment, Comparison, Exhibit, Method, Verdict, Words
from arena.reproduction.record_sets import Cell, Sets


def comments(
    exhibits: Sequence[Exhibit],
    exact: Mapping[int, float],
    ceiling: Mapping[int, float],
    sets: Mapping[Cell, Sets],
) -> Iterator[Comment]:
    """All that apply."""
    comparisons = {each.key: each for exhibit in exhibits for each in exhibit.comparisons}
    yield from _tests(comparisons)
    yield from _slips(comparisons)
    yield from _repeated()
    yield from _spread(comparisons)
    yield from _fairness(exact)
    yield from _records(sets)
    yield from _dips(sets)
    yield from _ceiling(ceiling, sets)
    yield from _differences(comparisons)


def _tests(comparisons: Mapping[str, Comparison]) -> Iterator[Comment]:
    """How the unadjusted p-values lie."""
    values = [each.p for each in comparisons.values() if each.p is not None]
    low = sum(value < LEVEL for value in values)
    least = min(values)
    yield Comment(
        (),
        Words(
            f"共做 {len(values)} 個檢定；未校正的 p 值小於 {LEVEL:g} 的有 {low} 個（若文件與我們相同，約可"
            f"預期 {LEVEL * len(values):.1f} 個），最小的 p 值是 {least:.2g}。判定用 Holm 校正後的 p 值。",
            f"{len(values)} tests were made. {low} unadjusted p-values lie below {LEVEL:g} (about"
            f" {LEVEL * len(values):.1f} are to be expected if the document and we describe the same), the"
            f" smallest is {least:.2g}. Verdicts use the p-values adjusted by Holm's method.",
        ),
    )


def _slips(comparisons: Mapping[str, Comparison]) -> Iterator[Comment]:
    """Means and standard deviations that do not follow from the printed runs."""
    for column in document.TABLE_1:
        mean = comparisons[f"table-1/{column.games}/mean"]
        spread = comparisons[f"table-1/{column.games}/deviation"]
        if mean.verdict is not Verdict.SLIP or spread.verdict is not Verdict.SLIP:
            continue
        single = _misprint(column)
        yield Comment(
            (mean.key, spread.key),
            Words(
                f"表 1 中 {column.games} 場那一欄，印出的五次勝率平均是 {mean.ours}（文件寫"
                f" {mean.document}），標準差是 {spread.ours}（文件寫 {spread.document}）；"
                + (
                    "改動其中一個數字即可同時解釋兩者。"
                    if single
                    else "改動任何單獨一個數字都無法同時解釋兩者。"
                ),
                f"Table 1, runs of {column.games:,} games: the printed rates have the mean {mean.ours}"
                f" (printed: {mean.document}) and the standard deviation {spread.ours} (printed:"
                f" {spread.document}). "
                + ("One misprinted rate" if single else "No single misprinted rate")
                + " would explain both.",
            ),
        )
    agreeing = [
        column for column in document.TABLE_1 if comparisons[f"table-1/{column.games}/deviation"].agrees
    ]
    if agreeing and all(_with_divisor_n(column) != column.deviation for column in agreeing):
        games = "、".join(str(column.games) for column in agreeing)
        yield Comment(
            tuple(f"table-1/{column.games}/deviation" for column in agreeing),
            Words(
                f"{games} 場各欄的標準差以 n − 1 為除數（樣本標準差）；以 n 為除數都得不到印出的數字。",
                f"The standard deviations of {len(agreeing)} columns are those with the divisor n - 1 (of"
                " a sample); the divisor n gives none of them.",
            ),
        )


def _misprint(column: RandomColumn) -> bool:
    """Whether changing one rate alone can give both the printed mean and the printed standard deviation."""
    rates = list(map(Decimal, column.runs))
    wanted = Decimal(column.mean) * len(rates)
    for at, rate in enumerate(rates):
        changed = [*rates[:at], wanted - (sum(rates) - rate), *rates[at + 1 :]]
        if abs(statistics.stdev(changed) - Decimal(column.deviation or 0)) < Decimal("0.00005"):
            return True
    return False


def _with_divisor_n(column: RandomColumn) -> str:
    places = -int(Decimal(column.deviation or "0").as_tuple().exponent)
    return f"{statistics.pstdev(map(Decimal, column.runs)):.{places}f}"


def _repeated() -> Iterator[Comment]:
    """A column of table 2 that is one of table 1."""
    for first in document.TABLE_1:
        for second in document.TABLE_2:
            if (first.rows, first.games, first.runs) == (second.rows, second.games, second.runs):
                yield Comment(
                    (f"table-2/{second.rows}/mean",),
                    Words(
                        f"表 2 的 {second.rows} 層與表 1 的 {first.games} 場是同一組數據，只檢定一次。",
                        f"Table 2's column for {second.rows} rows repeats table 1's for {first.games:,}"
                        " games; its runs are tested once.",
                    ),
                )


def _spread(comparisons: Mapping[str, Comparison]) -> Iterator[Comment]:
    """The document finds 10,000 games as steady as 100,000."""
    few, many = (comparisons[f"table-1/{games}/spread"] for games in (10_000, 100_000))
    printed = few.numbers["deviation"] / many.numbers["deviation"]
    usual = few.numbers["usual"] / many.numbers["usual"]
    if printed < usual / 2 and few.p is not None:
        yield Comment(
            (few.key, many.key),
            Words(
                f"文件說 10000 場與 100000 場的標準差差不多（{few.document} 與 {many.document}）。理論上前"
                f"者應是後者的 {usual:.2f} 倍（{few.ours} 與 {many.ours}）；文件的五次 10000 場碰巧特別接"
                f"近（未校正 p = {few.p:.2g}）。",
                "The document finds runs of 10,000 games about as steady as runs of 100,000"
                f" ({few.document} and {many.document}). The standard deviation of the former is"
                f" {usual:.2f} times that of the latter ({few.ours} and {many.ours}); its five runs of"
                f" 10,000 games happened to lie close together (unadjusted p = {few.p:.2g}).",
            ),
        )


def _fairness(exact: Mapping[int, float]) -> Iterator[Comment]:
    """The limit is the exact probability, which is not one half."""
    if all(chance != 0.5 for chance in exact.values()):
        wins = sum(int(Decimal(run) * 100_000) for run in document.TABLE_1[3].runs)
        p = binomial(wins, 500_000, 0.5).p
        listed = ", ".join(f"{rows}: {chance:.6f}" for rows, chance in exact.items())
        yield Comment(
            ("table-1/100000/mean", "table-2/5/mean"),
            Words(
                f"雙方都隨機時，先手勝率的極限不是 0.5，而是精確機率（層數: 機率）{listed}。文件自己的"
                f" 500000 場（5 層）與 0.5 相比，p = {p:.2g}。",
                "With random play on both sides the winning rate tends to the exact probability, not to"
                f" one half (rows: probability) {listed}. The document's own 500,000 games on five rows,"
                f" tested against one half, have p = {p:.2g}.",
            ),
        )


def _records(sets: Mapping[Cell, Sets]) -> Iterator[Comment]:
    """How much the records decide, where it is most."""
    estimates = {cell: estimate(played.wins, played.games) for cell, played in sets.items()}
    cell = max(estimates, key=lambda cell: estimates[cell].between)
    games = (estimates[cell].mean * (1 - estimates[cell].mean) / 3000) ** 0.5
    if estimates[cell].between > games:
        number = _table_of(cell)
        yield Comment(
            (f"table-{number}/{cell.records}",),
            Words(
                f"每一格只用一組棋譜。棋譜組之間的標準差最大可達 {estimates[cell].between:.4f}（表 {number}，"
                f"{cell.records} 個棋譜），大於 3000 場的抽樣誤差 {games:.4f}；因此比較時把兩者都算進去。",
                "Each cell uses one set of records. Between sets the winning rate has a standard deviation"
                f" of up to {estimates[cell].between:.4f} (table {number}, {cell.records:,} records), more"
                f" than the error of 3000 games, {games:.4f}; the comparison reckons with both.",
            ),
        )


def _dips(sets: Mapping[Cell, Sets]) -> Iterator[Comment]:
    """Where the document's mean falls although more records are used, and ours does not."""
    for table in document.ALGORITHM_TABLES:
        for less, more in pairwise(table.columns):
            before, after = (
                _estimate(sets, table.rows, table.algorithm, each.records) for each in (less, more)
            )
            if Decimal(more.mean) < Decimal(less.mean) and after.low > before.high:
                yield Comment(
                    (f"table-{table.number}/{less.records}", f"table-{table.number}/{more.records}"),
                    Words(
                        f"表 {table.number} 由 {less.records} 個棋譜增為 {more.records} 個時，文件的勝率由"
                        f" {less.mean} 降為 {more.mean}；以多組棋譜平均，勝率其實由 {before.mean:.4f} 升為"
                        f" {after.mean:.4f}。",
                        f"Table {table.number}: from {less.records:,} to {more.records:,} records the"
                        f" document's rate falls from {less.mean} to {more.mean}; over many record sets it"
                        f" rises, from {before.mean:.4f} to {after.mean:.4f}.",
                    ),
                )


def _ceiling(ceiling: Mapping[int, float], sets: Mapping[Cell, Sets]) -> Iterator[Comment]:
    """What the algorithms leave to be gained."""
    rows = sorted({cell.rows for cell in sets} & set(ceiling))
    best = {each: max((_rate(sets, cell), cell) for cell in sets if cell.rows == each) for each in rows}
    if best and all(ceiling[each] > best[each][0] for each in rows):
        listed = ", ".join(f"{each}: {best[each][0]:.3f} / {ceiling[each]:.3f}" for each in rows)
        yield Comment(
            tuple(f"table-{_table_of(best[each][1])}/{best[each][1].records}" for each in rows),
            Words(
                f"與對付隨機玩家的最佳策略相比（層數: 表中最高勝率 / 最佳策略先手勝率）：{listed}。",
                "Against the most that the side that begins can win from a random opponent (rows: best rate"
                f" of the tables / best response): {listed}.",
            ),
        )


def _differences(comparisons: Mapping[str, Comparison]) -> Iterator[Comment]:
    """Every tested figure that differs even after the adjustment."""
    for each in comparisons.values():
        if each.verdict is Verdict.DIFFERS and each.expected is not None and each.method is not Method.EXACT:
            yield Comment(
                (each.key,),
                Words(
                    f"{each.what.zh}：文件的 {each.document} 落在 {each.expected[0]:.4f} 到"
                    f" {each.expected[1]:.4f} 之外（校正後 p = {each.adjusted:.2g}），不能只用機遇解釋。",
                    f"{each.key}: the document's {each.document} lies outside {each.expected[0]:.4f} to"
                    f" {each.expected[1]:.4f} (adjusted p = {each.adjusted:.2g}); chance alone does not"
                    " explain it.",
                ),
            )


def _estimate(sets: Mapping[Cell, Sets], rows: int, algorithm: int, records: int) -> Estimate:
    played = sets[Cell(rows, algorithm, records)]
    return estimate(played.wins, played.games)


def _rate(sets: Mapping[Cell, Sets], cell: Cell) -> float:
    return sum(sets[cell].wins) / sets[cell].games / len(sets[cell].wins)


def _table_of(cell: Cell) -> int:
    return next(
        table.number
        for table in document.ALGORITHM_TABLES
        if (table.rows, table.algorithm) == (cell.rows, cell.algorithm)
    )
