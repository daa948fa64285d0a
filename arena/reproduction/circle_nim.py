"""The circle-Nim document: what random play gives exactly, and its algorithms with many sets of records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from arena.reproduction import circle_nim_algorithms, circle_nim_figures, circle_nim_random
from arena.reproduction.circle_nim_comments import comments
from arena.reproduction.documents import circle_nim as document
from arena.reproduction.effort import Effort
from arena.reproduction.findings import Exhibit, Grid, Section, Words, counted, judged
from arena.reproduction.record_sets import Cell, Sets, play_sets, random_runs
from engines.games.circle_nim import CircleNim, lines
from engines.solvers.circle_nim import analyse

SOURCE = Words(
    f"{document.TITLE}，花蓮縣第 61 屆國民中小學科學展覽會（國中組）",
    f"{document.TITLE_IN_ENGLISH}, 61st science fair of Hualien County, junior high school group",
)


@dataclass(frozen=True)
class Played:
    """All of our numbers.

    `exact` is the probability that the side that begins wins, random against random, by rows; `perfect` the
    same when it plays perfectly. `runs` are games won in each of our own runs of random against random, by
    rows and games. `sets` are the algorithms' games.
    """

    exact: dict[int, float]
    perfect: dict[int, float]
    runs: dict[tuple[int, int], tuple[int, ...]]
    sets: dict[Cell, Sets]


def cells() -> list[Cell]:
    """The cells of tables 3 to 11, one a column."""
    return [
        Cell(table.rows, table.algorithm, column.records)
        for table in document.ALGORITHM_TABLES
        for column in table.columns
    ]


def steps(_effort: Effort) -> int:
    """How often `reproduce` reports progress."""
    return len(document.CHOICES) + len(cells())


def play(effort: Effort, seed: int, jobs: int, advance: Callable[[], None]) -> Played:
    """Everything that has to be solved and played; equal seeds give equal numbers for any number of jobs."""
    exact, perfect = {}, {}
    for rows in document.CHOICES:
        chances = analyse(CircleNim(rows))["chances"]
        exact[rows], perfect[rows] = (
            chances[players]["first_wins"] for players in ("random_random", "perfect_random")
        )
        advance()
    wanted = {(column.rows, column.games) for column in (*document.TABLE_1, *document.TABLE_2)}
    runs = {each: random_runs(*each, len(document.RUNS), seed) for each in sorted(wanted)}
    sets = play_sets(cells(), effort, seed, jobs, advance)
    return Played(exact, perfect, runs, sets)


def reproduce(effort: Effort, seed: int, jobs: int, advance: Callable[[], None]) -> Section:
    """The section of the report; `advance` is called `steps` times."""
    return section(play(effort, seed, jobs, advance))


def section(played: Played) -> Section:
    """The section that these numbers make."""
    found = exhibits(played)
    return Section(
        "circle_nim",
        Words("消圈圈（三角形的拈）", "Circle Nim"),
        SOURCE,
        found,
        circle_nim_figures.figures(played.exact, played.runs, played.sets),
        tuple(comments(found, played.exact, played.perfect, played.sets)),
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
        ]
    )


def _choices() -> Exhibit:
    """The lines that may be taken, against the lists of the appendix."""
    ours = {
        rows: tuple(sum(mask.bit_count() == length for mask in lines(rows).masks) for length in (1, 2, 3))
        for rows in document.CHOICES
    }
    comparisons = [
        counted(
            f"choices/{rows}/{length}",
            Words(f"{rows} 層，一次消 {length} 個", f"{rows} rows, lines of {length}"),
            listed[length - 1],
            ours[rows][length - 1],
            (at, length),
        )
        for at, (rows, listed) in enumerate(document.CHOICES.items())
        for length in (1, 2, 3)
    ]
    title = Words("附錄 genChoice：可以消去的選擇", "Appendix, genChoice: what can be taken")
    return Exhibit("choices", title, tuple(comparisons), _grid(document.CHOICES), _grid(ours))


def _grid(choices: Mapping[int, Sequence[int]]) -> Grid:
    rows = tuple((f"{rows} 層", *map(str, counts)) for rows, counts in choices.items())
    return Grid(("", "1 個", "2 個", "3 個"), rows)
