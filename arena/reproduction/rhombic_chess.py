"""The rhombic-chess document: its table beside the exact one, and the slips that give its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from arena.documents import rhombic_chess as document
from arena.documents.inventory import DOCUMENTS
from arena.documents.rhombic_chess import Row
from arena.documents.texts import Words
from arena.reproduction import rhombic_chess_claims as claims
from arena.reproduction.claims import answered
from arena.reproduction.effort import Effort
from arena.reproduction.findings import Comment, Exhibit, Grid, Section, counted
from arena.reproduction.record_sets import Where
from arena.reproduction.rhombic_chess_facts import Facts, facts
from arena.reproduction.texts import comment
from engines.games.rhombic_chess import RhombicChess
from engines.solvers.rhombic_chess import analyse

_comment = partial(comment, "rhombic_chess")

BOTH_SLIPS = "last successor, from the centre, sides exchanged"
"""The rule of the analysis that the comment on the rows explains."""

HOW = {
    "exact": "有「負」則勝，否則有「和」則和",
    "last successor, by rows": "有「負」則勝，否則以最後一個下一步為準；點逐列編號",
    BOTH_SLIPS.removesuffix(", sides exchanged"): "同上，點由中央往外編號",
    "sides exchanged": "同精確值，但 8、6、4、2 子查表時雙方對調",
    "last successor, by rows, sides exchanged": "兩個疏失都有，點逐列編號",
    BOTH_SLIPS: "兩個疏失都有，點由中央往外編號",
}
"""What the analysis describes in English, by the rule's name."""

COLUMNS = ("已有棋子數", "盤面數", "勝", "負", "和")
NAMES = (
    Words("盤面數", "positions"),
    Words("勝", "won"),
    Words("負", "lost"),
    Words("和", "drawn"),
)


def steps(_effort: Effort) -> int:
    """How often `reproduce` reports progress."""
    return 3


def reproduce(effort: Effort, where: Where, advance: Callable[[], None]) -> Section:
    """The section of the report; `advance` is called `steps` times."""
    analysis = analyse(RhombicChess())
    advance()
    return section(analysis, facts(effort.person_games, where, advance))


def section(analysis: Mapping[str, Any], known: Facts) -> Section:
    """The section that this analysis makes, and what is known beyond it."""
    ours = _rows(analysis["layers"])
    exhibits = (
        _table(ours),
        _theorem(analysis["theorem"]),
        _rules(analysis["rules"]),
        *claims.exhibits(known),
    )
    compared = [each for exhibit in exhibits for each in exhibit.comparisons]
    return Section(
        "rhombic_chess",
        *DOCUMENTS["rhombic_chess"],
        exhibits,
        tuple(claims.figures(known)),
        tuple(_comments(ours, analysis["rules"], analysis["theorem"])),
        answered("rhombic_chess", compared, claims.computed(analysis, known)),
    )


def _rows(layers: Sequence[Mapping[str, int]]) -> dict[int, Row]:
    rows = (
        Row(each["stones"], each["positions"], each["won"], each["lost"], each["drawn"]) for each in layers
    )
    return {row.stones: row for row in rows}


def _table(ours: Mapping[int, Row]) -> Exhibit:
    comparisons = [
        counted(
            f"table/{row.stones}/{name.en}",
            Words(f"{row.stones} 子，{name.zh}", f"{row.stones} stones, {name.en}"),
            row[column],
            ours[row.stones][column],
            (at, column),
        )
        for at, row in enumerate(document.ROWS)
        for column, name in enumerate(NAMES, start=1)
    ]
    title = Words("執行結果表：各子數的盤面與勝負", "The table of results: positions by number of stones")
    return Exhibit("table", title, tuple(comparisons), _grid(document.ROWS), _grid(list(ours.values())))


def _grid(rows: Sequence[Row]) -> Grid:
    return Grid(COLUMNS, tuple(tuple(map(str, row)) for row in rows))


def _theorem(theorem: Mapping[str, Any]) -> Exhibit:
    sides = {True: "後手勝 second", False: "先手不敗 first does not lose"}
    comparison = counted(
        "theorem/winner",
        Words("雙方完美下法", "with perfect play"),
        sides[document.SECOND_PLAYER_WINS],
        sides[theorem["second_player_wins"]],
    )
    also = counted(
        "theorem/any-first-two",
        Words("前兩子如何下都不影響後手必勝", "whatever the first two stones of each side"),
        sides[document.SECOND_PLAYER_WINS],
        sides[theorem["first_two_stones_do_not_matter"]],
    )
    return Exhibit("theorem", Words("結論：後手必勝", "Theorem: the second player wins"), (comparison, also))


def _rules(rules: Sequence[Mapping[str, Any]]) -> Exhibit:
    """Ways to carry the ten-stone values back, with the rows of the document that each gives."""
    rows = tuple(
        (each["rule"], f"{HOW[each['rule']]} {each['description']}", _listed(each)) for each in rules
    )
    best = _best(rules)
    return Exhibit(
        "rules",
        Words("由十子往回推的方法", "Ways to carry values back from ten stones"),
        (),
        Grid(("方法 rule", "作法 how", "文件中相符的列 rows as in the document"), rows),
        _grid(list(_rows(best["layers"]).values())),
        Words(
            f"右表是「{HOW[best['rule']]}」得到的各列，是這些方法中最符合文件的。",
            f"On the right the rows that “{best['rule']}” gives, of these ways the one closest to the"
            " document.",
        ),
    )


def _listed(rule: Mapping[str, Any]) -> str:
    return ", ".join(map(str, rule["rows_as_in_the_document"]))


def _best(rules: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return max(rules, key=lambda rule: len(rule["rows_as_in_the_document"]))


def _differing(ours: Mapping[int, Row]) -> list[Row]:
    return [row for row in document.ROWS if row != ours[row.stones]]


def _comments(
    ours: Mapping[int, Row], rules: Sequence[Mapping[str, Any]], theorem: Mapping[str, Any]
) -> Iterator[Comment]:
    yield _comment("board", ("boards", "figure-1"))
    wrong = [row for row in _differing(ours) if row.positions == ours[row.stones].positions]
    if wrong:
        listed = Words(_less_exact(ours, wrong, "勝負和"), _less_exact(ours, wrong, ("won", "lost", "drawn")))
        yield _comment("how-much", _keys(ours, wrong), listed=listed)
        yield from _explanation(wrong, rules)
    printed = document.ROWS[-1].positions  # of the first moves, not of the one empty board
    if ours[1].positions == printed != ours[0].positions:
        about = _keys(ours, [document.ROWS[-1]])
        yield _comment("empty-board", about, boards=ours[0].positions, printed=printed)
    if theorem["second_player_wins"]:
        yield _comment("theorem", ("theorem/winner",), theorem=theorem)


def _less_exact(ours: Mapping[int, Row], rows: Sequence[Row], names: Sequence[str]) -> str:
    """The document's counts minus the exact ones, row by row."""
    return "; ".join(
        f"{row.stones}: "
        + ", ".join(
            f"{name} {row[column] - ours[row.stones][column]:+d}"
            for column, name in enumerate(names, start=2)
        )
        for row in rows
    )


def _keys(ours: Mapping[int, Row], rows: Sequence[Row]) -> tuple[str, ...]:
    """The comparisons of these rows that do not agree."""
    return tuple(
        f"table/{row.stones}/{name.en}"
        for row in rows
        for column, name in enumerate(NAMES, start=1)
        if row[column] != ours[row.stones][column]
    )


def _explanation(wrong: Sequence[Row], rules: Sequence[Mapping[str, Any]]) -> Iterator[Comment]:
    """The rule that gives every differing row, if there is one."""
    best = _best(rules)
    given = set(best["rows_as_in_the_document"])
    empty = _rows(best["layers"])[0]
    if best["rule"] == BOTH_SLIPS and given >= {10, *(row.stones for row in wrong)} and empty.losses:
        yield _comment("slips", ("rules",), best=best)
