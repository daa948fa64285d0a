"""What is to be said about the circle-Nim document, each remark only where the numbers bear it out."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import pairwise, product

from arena.documents import circle_nim as document
from arena.documents.circle_nim import RandomColumn
from arena.documents.texts import Words
from arena.reproduction.agreement import binomial, estimate
from arena.reproduction.findings import LEVEL, Comment, Comparison, Exhibit, Method, Verdict
from arena.reproduction.record_sets import Cell, Sets
from arena.reproduction.texts import comment

_comment = partial(comment, "circle_nim")


def comments(
    exhibits: Sequence[Exhibit],
    exact: Mapping[int, float],
    ceiling: Mapping[int, float],
    sets: Mapping[Cell, Sets],
) -> Iterator[Comment]:
    """All that apply."""
    comparisons = {each.key: each for exhibit in exhibits for each in exhibit.comparisons}
    yield _tests(comparisons)
    yield from _slips(comparisons)
    yield from _repeated()
    yield from _spread(comparisons)
    yield from _fairness(exact)
    yield from _records(sets)
    yield from _dips(sets)
    yield from _ceiling(ceiling, sets)
    yield from _differences(comparisons)


def _tests(comparisons: Mapping[str, Comparison]) -> Comment:
    """How the unadjusted p-values lie."""
    values = [each.p for each in comparisons.values() if each.p is not None]
    low = sum(value < LEVEL for value in values)
    numbers = {"level": LEVEL, "expected": LEVEL * len(values), "least": min(values)}
    return _comment("tests", (), tests=len(values), low=low, **numbers)


ONE_MISPRINT = Words("改動其中一個數字即可同時解釋兩者。", "One misprinted rate")
NO_MISPRINT = Words("改動任何單獨一個數字都無法同時解釋兩者。", "No single misprinted rate")


def _slips(comparisons: Mapping[str, Comparison]) -> Iterator[Comment]:
    """Means and standard deviations that do not follow from the printed runs."""
    agreeing = []
    for column in document.TABLE_1:
        mean = comparisons[f"table-1/{column.games}/mean"]
        spread = comparisons[f"table-1/{column.games}/deviation"]
        if mean.verdict is spread.verdict is Verdict.SLIP:
            rate = ONE_MISPRINT if _misprint(column) else NO_MISPRINT
            numbers = {"games": column.games, "mean": mean, "spread": spread, "rate": rate}
            yield _comment("slips", (mean.key, spread.key), **numbers)
        if spread.agrees:
            agreeing.append(column)
    if agreeing and all(_with_divisor_n(column) != column.deviation for column in agreeing):
        about = tuple(f"table-1/{column.games}/deviation" for column in agreeing)
        games = "、".join(str(column.games) for column in agreeing)
        yield _comment("divisor", about, games=games, columns=len(agreeing))


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
    for first, second in product(document.TABLE_1, document.TABLE_2):
        if (first.rows, first.games, first.runs) == (second.rows, second.games, second.runs):
            yield _comment("repeated", (f"table-2/{second.rows}/mean",), first=first, second=second)


def _spread(comparisons: Mapping[str, Comparison]) -> Iterator[Comment]:
    """The document finds 10,000 games as steady as 100,000."""
    few, many = (comparisons[f"table-1/{games}/spread"] for games in (10_000, 100_000))
    printed = few.numbers["deviation"] / many.numbers["deviation"]
    usual = few.numbers["usual"] / many.numbers["usual"]
    if printed < usual / 2 and few.p is not None:
        yield _comment("spread", (few.key, many.key), few=few, many=many, usual=usual)


def _fairness(exact: Mapping[int, float]) -> Iterator[Comment]:
    """The limit is the exact probability, which is not one half."""
    if all(chance != 0.5 for chance in exact.values()):
        wins = sum(int(Decimal(run) * 100_000) for run in document.TABLE_1[3].runs)
        listed = ", ".join(f"{rows}: {chance:.6f}" for rows, chance in exact.items())
        about = ("table-1/100000/mean", "table-2/5/mean")
        yield _comment("fairness", about, listed=listed, p=binomial(wins, 500_000, 0.5).p)


def _records(sets: Mapping[Cell, Sets]) -> Iterator[Comment]:
    """How much the records decide, where it is most."""
    estimates = {cell: estimate(played.wins, played.games) for cell, played in sets.items()}
    cell = max(estimates, key=lambda cell: estimates[cell].between)
    between = estimates[cell].between
    games = (estimates[cell].mean * (1 - estimates[cell].mean) / 3000) ** 0.5
    if between > games:
        numbers = {"number": _table_of(cell), "records": cell.records, "games": games}
        yield _comment("records", (_key_of(cell),), between=between, **numbers)


def _dips(sets: Mapping[Cell, Sets]) -> Iterator[Comment]:
    """Where the document's mean falls although more records are used, and ours does not."""
    for table in document.ALGORITHM_TABLES:
        for less, more in pairwise(table.columns):
            cells = [Cell(table.rows, table.algorithm, each.records) for each in (less, more)]
            before, after = (estimate(sets[cell].wins, sets[cell].games) for cell in cells)
            if Decimal(more.mean) < Decimal(less.mean) and after.low > before.high:
                about = tuple(map(_key_of, cells))
                yield _comment("dips", about, table=table, less=less, more=more, before=before, after=after)


def _ceiling(ceiling: Mapping[int, float], sets: Mapping[Cell, Sets]) -> Iterator[Comment]:
    """What the algorithms leave to be gained."""
    rows = sorted({cell.rows for cell in sets} & set(ceiling))
    best = {each: max((_rate(sets, cell), cell) for cell in sets if cell.rows == each) for each in rows}
    if best and all(ceiling[each] > best[each][0] for each in rows):
        listed = ", ".join(f"{each}: {best[each][0]:.3f} / {ceiling[each]:.3f}" for each in rows)
        yield _comment("ceiling", tuple(_key_of(cell) for _, cell in best.values()), listed=listed)


def _differences(comparisons: Mapping[str, Comparison]) -> Iterator[Comment]:
    """Every tested figure that differs even after the adjustment."""
    for each in comparisons.values():
        if each.verdict is Verdict.DIFFERS and each.expected is not None and each.method is not Method.EXACT:
            low, high = each.expected
            what = Words(each.what.zh, each.key)
            yield _comment("differs", (each.key,), what=what, each=each, low=low, high=high)


def _key_of(cell: Cell) -> str:
    """The comparison of a cell's mean."""
    return f"table-{_table_of(cell)}/{cell.records}"


def _rate(sets: Mapping[Cell, Sets], cell: Cell) -> float:
    return sum(sets[cell].wins) / sets[cell].games / len(sets[cell].wins)


def _table_of(cell: Cell) -> int:
    return next(
        table.number
        for table in document.ALGORITHM_TABLES
        if (table.rows, table.algorithm) == (cell.rows, cell.algorithm)
    )
