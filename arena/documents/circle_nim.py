"""Tables 1 to 11 of the circle-Nim document, in its own digits.

Source: 提升先手勝率於「拈」的演算法之研究與程式開發
(Raising the first player's winning rate in Nim: algorithms and programs), 61st science fair of Hualien
County, junior high school group, section 伍 and appendix.
"""

from __future__ import annotations

from typing import NamedTuple

TITLE = "提升先手勝率於「拈」的演算法之研究與程式開發"
TITLE_IN_ENGLISH = "Raising the first player's winning rate in Nim: algorithms and programs"

RUNS = ("第一次", "第二次", "第三次", "第四次", "第五次")
MEAN, DEVIATION = "平均", "標準差"

RECORDS = (100, 1_000, 10_000, 100_000)
"""The columns of tables 3 to 11: how many winning records, and as many losing ones, are consulted."""

GAMES_A_RUN = 1_000
"""Tables 3 to 11: three runs of so many games, all three with the same records."""

CHOICES = {3: (6, 9, 3), 4: (10, 18, 9), 5: (15, 30, 18), 6: (21, 45, 30)}
"""What `genChoice` in its appendix lists: lines of one circle, of two and of three, by rows."""


CHOICE_LISTS = {
    3: ("1 2 3 4 5 6 2-3 4-5 5-6 1-2 2-4 3-5 1-3 3-6 2-5 4-5-6 1-2-4 1-3-6"),
    4: (
        "1 2 3 4 5 6 7 8 9 10 2-3 4-5 5-6 7-8 8-9 9-10 1-2 2-4 4-7 3-5 5-8 6-9 1-3 3-6 6-10 2-5 5-9 "
        "4-8 4-5-6 7-8-9 8-9-10 3-5-8 1-2-4 2-4-7 2-5-9 1-3-6 3-6-10"
    ),
    5: (
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 2-3 4-5 5-6 7-8 8-9 9-10 11-12 12-13 13-14 14-15 1-2 "
        "2-4 4-7 7-11 3-5 5-8 8-12 6-9 9-13 10-14 1-3 3-6 6-10 10-15 2-5 5-9 9-14 4-8 8-13 7-12 "
        "4-5-6 7-8-9 8-9-10 11-12-13 12-13-14 13-14-15 6-9-13 3-5-8 5-8-12 1-2-4 2-4-7 4-7-11 "
        "4-8-13 2-5-9 5-9-14 1-3-6 3-6-10 6-10-15"
    ),
    6: (
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 2-3 4-5 5-6 7-8 8-9 9-10 11-12 12-13 "
        "13-14 14-15 16-17 17-18 18-19 19-20 20-21 1-2 2-4 4-7 7-11 11-16 3-5 5-8 8-12 12-17 6-9 "
        "9-13 13-18 10-14 14-19 15-20 1-3 3-6 6-10 10-15 15-21 2-5 5-9 9-14 14-20 4-8 8-13 13-19 "
        "7-12 12-18 11-17 4-5-6 7-8-9 8-9-10 11-12-13 12-13-14 13-14-15 16-17-18 17-18-19 18-19-20 "
        "19-20-21 10-14-19 6-9-13 9-13-18 3-5-8 5-8-12 8-12-17 1-2-4 2-4-7 4-7-11 7-11-16 7-12-18 "
        "4-8-13 8-13-19 2-5-9 5-9-14 9-14-20 1-3-6 3-6-10 6-10-15 10-15-21"
    ),
}
"""What `genChoice` lists, line by line in its order, by rows."""


class RandomColumn(NamedTuple):
    """A column of table 1 or 2: random against random, winning rates of the side that begins."""

    rows: int
    games: int
    runs: tuple[str, str, str, str, str]
    mean: str
    deviation: str | None


class AlgorithmColumn(NamedTuple):
    """A column of tables 3 to 11: winning rates of an algorithm that begins against random."""

    records: int
    runs: tuple[str, str, str]
    mean: str


class AlgorithmTable(NamedTuple):
    """One of tables 3 to 11."""

    number: int
    algorithm: int
    rows: int
    columns: tuple[AlgorithmColumn, ...]


TABLE_1 = (
    RandomColumn(5, 100, ("0.55", "0.40", "0.52", "0.46", "0.44"), "0.474", "0.0607"),
    RandomColumn(5, 1_000, ("0.514", "0.476", "0.500", "0.488", "0.467"), "0.5056", "0.0103"),
    RandomColumn(5, 10_000, ("0.4934", "0.4965", "0.4964", "0.4959", "0.4929"), "0.49502", "0.00173"),
    RandomColumn(5, 100_000, ("0.49872", "0.49921", "0.49726", "0.49764", "0.49472"), "0.49751", "0.00175"),
)

TABLE_2 = (
    RandomColumn(3, 10_000, ("0.3965", "0.4051", "0.4042", "0.3982", "0.4046"), "0.4017", None),
    RandomColumn(4, 10_000, ("0.4628", "0.4582", "0.4642", "0.4580", "0.4666"), "0.4620", None),
    RandomColumn(5, 10_000, ("0.4934", "0.4965", "0.4964", "0.4959", "0.4929"), "0.4950", None),
    RandomColumn(6, 10_000, ("0.4959", "0.4959", "0.4960", "0.5034", "0.5025"), "0.4987", None),
)


def _table(number: int, algorithm: int, rows: int, *columns: tuple[str, str, str, str]) -> AlgorithmTable:
    """A table from its columns, each the three runs and their mean as printed."""
    read = (
        AlgorithmColumn(records, (first, second, third), mean)
        for records, (first, second, third, mean) in zip(RECORDS, columns, strict=True)
    )
    return AlgorithmTable(number, algorithm, rows, tuple(read))


ALGORITHM_TABLES = (
    _table(
        *(3, 1, 5),
        ("0.499", "0.487", "0.507", "0.498"),
        ("0.516", "0.508", "0.497", "0.507"),
        ("0.512", "0.503", "0.485", "0.500"),
        ("0.504", "0.517", "0.534", "0.518"),
    ),
    _table(
        *(4, 1, 4),
        ("0.481", "0.468", "0.489", "0.479"),
        ("0.544", "0.561", "0.537", "0.547"),
        ("0.613", "0.608", "0.622", "0.614"),
        ("0.661", "0.695", "0.665", "0.674"),
    ),
    _table(
        *(5, 1, 3),
        ("0.596", "0.587", "0.592", "0.592"),
        ("0.658", "0.663", "0.681", "0.667"),
        ("0.660", "0.671", "0.676", "0.669"),
        ("0.689", "0.675", "0.666", "0.677"),
    ),
    _table(
        *(6, 2, 5),
        ("0.500", "0.491", "0.493", "0.495"),
        ("0.492", "0.512", "0.503", "0.502"),
        ("0.524", "0.508", "0.498", "0.510"),
        ("0.541", "0.520", "0.537", "0.533"),
    ),
    _table(
        *(7, 2, 4),
        ("0.481", "0.49", "0.505", "0.492"),
        ("0.574", "0.524", "0.552", "0.550"),
        ("0.600", "0.619", "0.596", "0.605"),
        ("0.661", "0.681", "0.662", "0.668"),
    ),
    _table(
        *(8, 2, 3),
        ("0.613", "0.593", "0.593", "0.600"),
        ("0.689", "0.684", "0.662", "0.678"),
        ("0.695", "0.695", "0.678", "0.689"),
        ("0.680", "0.710", "0.672", "0.687"),
    ),
    _table(
        *(9, 3, 5),
        ("0.583", "0.561", "0.545", "0.563"),
        ("0.549", "0.595", "0.572", "0.572"),
        ("0.598", "0.600", "0.586", "0.595"),
        ("0.611", "0.576", "0.593", "0.593"),
    ),
    _table(
        *(10, 3, 4),
        ("0.580", "0.584", "0.567", "0.577"),
        ("0.626", "0.671", "0.643", "0.647"),
        ("0.663", "0.695", "0.659", "0.672"),
        ("0.686", "0.693", "0.667", "0.682"),
    ),
    _table(
        *(11, 3, 3),
        ("0.680", "0.664", "0.664", "0.669"),
        ("0.668", "0.685", "0.673", "0.675"),
        ("0.663", "0.689", "0.699", "0.684"),
        ("0.695", "0.678", "0.689", "0.687"),
    ),
)
"""Tables 3 to 11; a trailing zero stands where the document prints one."""

MAX_RECORDS = 1_000_000
"""Its program `algo3_vs_com` is set to so many records of each kind, which no table has."""

EXAMPLE_GAME_PLIES = 9
"""Its figure 3: A1, B1, A2, … A5, after which A has lost."""

PEOPLE_RECORDS = 10_000
"""What its program for people is set to."""
