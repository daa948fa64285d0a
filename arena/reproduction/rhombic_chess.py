"""The rhombic-chess document: its table beside the exact one, and the slips that give its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from arena.reproduction import rhombic_chess_claims as claims
from arena.reproduction.claims import matched
from arena.reproduction.documents import rhombic_chess as document
from arena.reproduction.documents.rhombic_chess import Row
from arena.reproduction.effort import Effort
from arena.reproduction.findings import Comment, Exhibit, Grid, Section, Words, counted
from arena.reproduction.record_sets import Where
from arena.reproduction.rhombic_chess_facts import Facts, facts
from engines.games.rhombic_chess import RhombicChess
from engines.solvers.rhombic_chess import analyse

SOURCE = Words(
    f"{document.TITLE}，劉哲志、林順喜，國立臺灣師範大學資訊教育系",
    f"{document.TITLE_IN_ENGLISH}. Liu and Lin, Department of Information and Computer Education, National"
    " Taiwan Normal University",
)
BOTH_SLIPS = "last successor, from the centre, sides exchanged"
"""The rule of the analysis that the comment on the rows explains."""

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
        Words("斜方棋", "Rhombic chess"),
        SOURCE,
        exhibits,
        tuple(claims.figures(known)),
        tuple(_comments(ours, analysis["rules"], analysis["theorem"])),
        matched("rhombic_chess", claims.rows(analysis, known, compared)),
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
    rows = tuple((each["rule"], each["description"], _listed(each)) for each in rules)
    best = _best(rules)
    return Exhibit(
        "rules",
        Words("由十子往回推的方法", "Ways to carry values back from ten stones"),
        (),
        Grid(("rule", "how", "文件中相符的列 rows as in the document"), rows),
        _grid(list(_rows(best["layers"]).values())),
        Words(
            f"右表是「{best['rule']}」得到的各列，是這些方法中最符合文件的。",
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
    yield Comment(
        ("boards", "figure-1"),
        Words(
            "文件的棋盤圖不在了，這裡的棋盤是重建的：因為它給出十子那一列而選用，所以那一列必然相符。真正的佐證是"
            "五到一子的列、定理，以及兩個疏失所解釋的九到六子的列。",
            "The document's drawing of the board is missing. The board used here is a reconstruction, chosen"
            " because it gives the row for ten stones, which therefore agrees by construction. The evidence"
            " is in the rows for five to one stone, in the theorem, and in the rows for nine to six, which"
            " two slips explain.",
        ),
    )
    wrong = [row for row in _differing(ours) if row.positions == ours[row.stones].positions]
    if wrong:
        yield _by_how_much(ours, wrong)
        yield from _explanation(wrong, rules)
    yield from _empty_board(ours)
    if theorem["second_player_wins"]:
        yield Comment(
            ("theorem/winner",),
            Words(
                f"後手必勝成立，先手儘量拖延時共 {theorem['plies']} 步。",
                f"The theorem holds; a first player who delays loses after {theorem['plies']} plies.",
            ),
        )


def _by_how_much(ours: Mapping[int, Row], wrong: Sequence[Row]) -> Comment:
    def listed(names: Sequence[str]) -> str:
        return "; ".join(
            f"{row.stones}: "
            + ", ".join(
                f"{name} {row[column] - ours[row.stones][column]:+d}"
                for column, name in enumerate(names, start=2)
            )
            for row in wrong
        )

    keys = _keys(ours, wrong)
    return Comment(
        keys,
        Words(
            f"文件減精確值（子數: 勝、負、和）：{listed('勝負和')}。",
            "The document minus the exact numbers (stones: won, lost, drawn):"
            f" {listed(('won', 'lost', 'drawn'))}.",
        ),
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
        yield Comment(
            ("rules",),
            Words(
                f"若程式有以下兩個疏失，就會得到這些列（{best['rule']}）：沒有「負」的下一步時，以最後一個"
                "下一步的勝負為準（點由中央往外編號）；雙方子數相同的盤面，查表時雙方對調。十子的列與後手"
                "必勝的結論都不受影響。",
                f"Two slips in a program would give all of these rows ({best['rule']}:"
                f" {best['description']}). Where no following position is lost, the last one looked at"
                " decides, points being numbered from the centre outwards; and positions with as many"
                " stones of both sides are looked up with the sides exchanged. Neither touches the row"
                " for ten stones or the theorem.",
            ),
        )


def _empty_board(ours: Mapping[int, Row]) -> Iterator[Comment]:
    """The document's last row counts the first moves, not the one empty board."""
    printed = document.ROWS[-1]
    if printed.positions != ours[0].positions and printed.positions == ours[1].positions:
        yield Comment(
            _keys(ours, [printed]),
            Words(
                f"沒有棋子的盤面只有 {ours[0].positions} 個；文件的 {printed.positions} 與一子的盤面數相同。",
                f"There is {ours[0].positions} board without stones; the document's {printed.positions} is"
                " the number of boards with one.",
            ),
        )
