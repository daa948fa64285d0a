"""The circle-Nim document: what random play gives exactly, and its algorithms with many sets of records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.documents import circle_nim as document
from arena.documents.inventory import DOCUMENTS
from arena.documents.texts import Words
from arena.reproduction import (
    circle_nim_algorithms,
    circle_nim_claims,
    circle_nim_figures,
    circle_nim_random,
)
from arena.reproduction.agreement import estimate
from arena.reproduction.circle_nim_comments import comments
from arena.reproduction.circle_nim_facts import Facts, facts
from arena.reproduction.claims import answered
from arena.reproduction.effort import Effort
from arena.reproduction.findings import Exhibit, Grid, Section, counted, judged
from arena.reproduction.record_sets import Cell, Sets, Where, play_sets, random_runs
from engines.games.circle_nim import CircleNim, lines
from engines.solvers.best_response import find_response
from engines.solvers.circle_nim import analyse


@dataclass(frozen=True)
class Played:
    """All of our numbers.

    `exact` is the probability that the side that begins wins, random against random, by rows; `ceiling` the
    same when it plays the best response to random moves. `runs` are games won in each of our own runs of
    random against random, by rows and games. `sets` are the algorithms' games, `million` those with 1,000,000
    records, if any were played.
    """

    exact: dict[int, float]
    ceiling: dict[int, float]
    runs: dict[tuple[int, int], tuple[int, ...]]
    sets: dict[Cell, Sets]
    million: Sets | None
    facts: Facts


def cells() -> list[Cell]:
    """The cells of tables 3 to 11, one a column."""
    return [
        Cell(table.rows, table.algorithm, column.records)
        for table in document.ALGORITHM_TABLES
        for column in table.columns
    ]


def steps(effort: Effort) -> int:
    """How often `reproduce` reports progress."""
    return len(document.CHOICES) + len(cells()) + bool(effort.million_sets) + 1


def play(effort: Effort, where: Where, advance: Callable[[], None]) -> Played:
    """Everything that has to be solved and played; equal seeds give equal numbers for any number of jobs."""
    exact, ceiling = {}, {}
    for rows in document.CHOICES:
        game = CircleNim(rows)
        exact[rows] = analyse(game)["chances"]["random_random"]["first_wins"]
        ceiling[rows], _ = find_response(game).scores
        advance()
    wanted = {(column.rows, column.games) for column in (*document.TABLE_1, *document.TABLE_2)}
    runs = {each: random_runs(*each, len(document.RUNS), where) for each in sorted(wanted)}
    sets = play_sets(cells(), effort, where, advance)
    known = facts(where.seed)
    advance()
    return Played(exact, ceiling, runs, sets, _million(effort, where, advance), known)


def _million(effort: Effort, where: Where, advance: Callable[[], None]) -> Sets | None:
    """The setting of the document's own program that none of its tables has, if it is to be played."""
    if not effort.million_sets:
        return None
    cell = Cell(5, 3, document.MAX_RECORDS)
    few = replace(effort, record_sets=effort.million_sets)
    return play_sets([cell], few, where, advance)[cell]


def reproduce(effort: Effort, where: Where, advance: Callable[[], None]) -> Section:
    """The section of the report; `advance` is called `steps` times."""
    return section(play(effort, where, advance))


def section(played: Played) -> Section:
    """The section that these numbers make."""
    all_exhibits = exhibits(played)
    compared = [each for exhibit in all_exhibits for each in exhibit.comparisons]
    return Section(
        "circle_nim",
        *DOCUMENTS["circle_nim"],
        all_exhibits,
        (*circle_nim_claims.figures(), *circle_nim_figures.figures(played.exact, played.runs, played.sets)),
        tuple(comments(all_exhibits, played.exact, played.ceiling, played.sets)),
        answered(
            "circle_nim",
            compared,
            circle_nim_claims.computed(played.exact, played.sets, played.facts, played.million),
        ),
    )


def exhibits(played: Played) -> tuple[Exhibit, ...]:
    """All tables, with the p-values of their tests adjusted together."""
    tables = (circle_nim_algorithms.exhibit(table, played.sets) for table in document.ALGORITHM_TABLES)
    return judged(
        [
            _choices(),
            circle_nim_random.table_1(played.exact, played.runs),
            circle_nim_random.table_2(played.exact, played.runs),
            *tables,
            *_of_the_million(played.million),
        ]
    )


def _of_the_million(played: Sets | None) -> Iterator[Exhibit]:
    """The third algorithm with as many records as its program is set to; nothing is printed of it."""
    if played is not None:
        estimated = estimate(played.wins, played.games)
        shown = Grid(
            ("", "algo3:1000000"),
            (("平均 mean", f"{estimated.mean:.4f}"), ("95 %", f"{estimated.low:.4f}–{estimated.high:.4f}")),
        )
        title = Words("演算法三，5 層，1000000 個棋譜", "Algorithm 3, 5 rows, 1,000,000 records")
        yield Exhibit("million", title, (), ours=shown)


def _choices() -> Exhibit:
    """The lines that may be taken, against the lists of the appendix."""
    ours = {
        rows: tuple(sum(mask.bit_count() == length for mask in lines(rows).masks) for length in (1, 2, 3))
        for rows in document.CHOICES
    }
    listed = {rows: sorted(document.CHOICE_LISTS[rows].split()) for rows in document.CHOICES}
    comparisons = [
        counted(
            f"choices/{rows}/{length}",
            Words(f"{rows} 層，一次消 {length} 個", f"{rows} rows, lines of {length}"),
            counts[length - 1],
            ours[rows][length - 1],
            (at, length),
        )
        for at, (rows, counts) in enumerate(document.CHOICES.items())
        for length in (1, 2, 3)
    ]
    comparisons += [
        counted(
            f"choices/{rows}/lines",
            Words(f"{rows} 層，不在我們的規則中的選擇", f"{rows} rows, lines that our rules do not have"),
            0,
            len(set(listed[rows]) ^ set(lines(rows).texts)),
        )
        for rows in document.CHOICES
    ]
    title = Words("附錄 genChoice：可以消去的選擇", "Appendix, genChoice: what can be taken")
    return Exhibit("choices", title, tuple(comparisons), _grid(document.CHOICES), _grid(ours))


def _grid(choices: Mapping[int, Sequence[int]]) -> Grid:
    rows = tuple((f"{rows} 層", *map(str, counts)) for rows, counts in choices.items())
    return Grid(("", "1 個", "2 個", "3 個"), rows)
