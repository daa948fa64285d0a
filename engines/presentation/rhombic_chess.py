"""Rhombic chess's analysis in words: the table, the theorem, and where the document's numbers come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from engines.game import Game, Move
from engines.presentation import PLAYERS, Presentation, Words
from engines.presentation.scenes import SIDES, Board, Path, Picture, Piece, Place, circle, label, line
from engines.presentation.tables import table_lines

ROWS = (1, 3, 5, 3, 1)
STEP, RADIUS, EDGE = 70, 20, 40
LINES = (
    "M110 110h140M110 180h140M110 250h140M110 110v140M180 110v140M250 110v140"
    "M180 40L110 110L40 180L110 250L180 320L250 250L320 180L250 110L180 40"
)
RESULTS = {"won": Words("won", "勝"), "lost": Words("lost", "負"), "drawn": Words("drawn", "和")}
KEYS = {"positions": Words("positions", "盤面數")} | RESULTS
"""What the document's table has for each number of stones, in its words."""
RULES = {
    "exact": ("精確", "有必負的下一盤面就必勝，否則有和局的就和"),
    "last successor, by rows": (
        "看最後的下一盤面，逐列",
        "有必負的下一盤面就必勝，否則由最後一個下一盤面決定；點逐列編號",
    ),
    "last successor, from the centre": (
        "看最後的下一盤面，由中心",
        "同上，但點由中心編號：3 6 7 8 11、2 4 10 12、1 5 9 13",
    ),
    "sides exchanged": ("雙方對調", "同精確，但查 8、6、4、2 子的盤面時雙方對調"),
    "last successor, by rows, sides exchanged": (
        "看最後的下一盤面，逐列，雙方對調",
        "兩種失誤都有，點逐列編號",
    ),
    "last successor, from the centre, sides exchanged": (
        "看最後的下一盤面，由中心，雙方對調",
        "兩種失誤都有，點由中心編號",
    ),
}
"""The names and the descriptions of `engines.solvers.rhombic_layers.RULES` in Chinese."""


class RhombicChessPresentation(Presentation):
    """How rhombic chess is shown."""

    reasons: ClassVar = {"blocked": Words("the other side cannot move", "對方的棋子都不能動")}
    how_to_point: ClassVar = Words(
        "While stones are placed, click or tap the point for yours. Later click or tap one of your stones, "
        "and then the point next to it that it moves to.",
        "放子階段點要放的點；之後先點自己的一個棋子，再點它要移到的相鄰空點。",
    )
    chinese_summary: ClassVar = "13 個點上雙方各五子；無法移動的一方輸。"
    chinese_rules: ClassVar = (
        "棋盤有 13 個點：菱形裡有 3×3 個點連成的方格，菱形的四個尖端各與方格最近的兩個角相連。"
        "X（座位 0）先下。雙方先輪流在空點上各放五子；之後每一手沿著線把自己的一子移到相鄰的空點。"
        "輪到而無法移動的一方輸。"
    )
    chinese_notation: ClassVar = (
        "7 表示在點 7 放子；7-3 表示把 7 的棋子移到 3。點從最上面的尖端開始逐列編號 1 到 13"
        "（各列有 1、3、5、3、1 點）。"
    )

    def title(self, params: Mapping[str, Any]) -> Words:  # noqa: ARG002 - it has none
        """Its name."""
        return Words("Rhombic Chess", "斜方棋")

    def board(self, game: Game[Any]) -> Board:  # noqa: ARG002 - it has no parameters
        """Thirteen numbered points and the lines that join them."""
        spots = [(row, column) for row, width in enumerate(ROWS) for column in _columns(width)]
        places = [
            Place(
                str(number),
                EDGE + STEP * column,
                EDGE + STEP * row,
                2 * RADIUS,
                2 * RADIUS,
                row,
                column,
                outline="circle",
            )
            for number, (row, column) in enumerate(spots, start=1)
        ]
        points = [circle("wood ring", place.x, place.y, RADIUS) for place in places]
        names = [label(place.x + 25, place.y - 15, place.name, "label small-label") for place in places]
        pieces = dict(zip("XO", SIDES, strict=True))
        return Board(360, 360, places, pieces, [line("grid", LINES), *points], names, shows_legal=True)

    def shown(self, game: Game[Any], state: Any, last: Move | None) -> Picture:
        """The stones; the last one is marked where it is, and where it came from."""
        rows = game.state_to_json(state)["board"]
        pieces = {str(at): cell for at, cell in enumerate("".join(rows), start=1) if cell in "XO"}
        marked = () if last is None else game.move_to_text(last).split("-")
        told = " / ".join(rows)
        return Picture(pieces, marked, Words(f"row by row: {told}", f"逐列：{told}"))

    def path(self, game: Game[Any], state: Any, move: Move) -> Path:  # noqa: ARG002 - its text says it all
        """The point where a stone is placed, or those that it moves from and to."""
        return Path(game.move_to_text(move).split("-"))

    def symbol(self, seat: int) -> Piece:
        """X or O."""
        return SIDES[seat]

    def solution(self, result: Mapping[str, Any]) -> Iterator[str | Words]:
        """What `engines.solvers.rhombic_chess.analyse` found."""
        yield Words(
            "Positions by stones on the board, for the side to move; the document's table beside",
            "依棋盤上已有的棋子數，對輪到的一方；右邊是文件的表",
        )
        yield from _layers(result["layers"])
        yield from _theorem(result["theorem"])
        yield from _rules(result["rules"], result["layers"])


def _columns(width: int) -> range:
    """The columns, from 0, of a row of so many points."""
    return range(2 - width // 2, 3 + width // 2)


def _layers(layers: Sequence[Mapping[str, Any]]) -> Iterator[Words]:
    columns = (
        Words("stones", "棋子數"),
        *KEYS.values(),
        Words("longest", "最長手數"),
        "|",
        *KEYS.values(),
        "|",
        Words("difference", "差異"),
    )
    rows = [
        (
            layer["stones"],
            *(layer[key] for key in KEYS),
            layer["longest"],
            "|",
            *(layer["document"][key] for key in KEYS),
            "|",
            _difference(layer["document_minus_exact"]),
        )
        for layer in layers
    ]
    yield from table_lines(columns, rows)


def _difference(difference: Mapping[str, int]) -> Words:
    told = [(number, KEYS[name]) for name, number in difference.items() if number]
    return Words(
        ", ".join(f"{number:+d} {name.english}" for number, name in told) or "none",
        "，".join(f"{name.chinese} {number:+d}" for number, name in told) or "無",
    )


def _theorem(theorem: Mapping[str, Any]) -> Iterator[str | Words]:
    who = PLAYERS["second" if theorem["second_player_wins"] else "first"]
    plies = theorem["plies"]
    yield ""
    yield Words(
        f"The {who.english} player wins, in {plies} plies if both play perfectly.",
        f"{who.chinese}必勝；雙方都以完美下法進行時共 {plies} 手。",
    )
    if theorem["first_two_stones_do_not_matter"]:
        yield Words(
            "It is enough to play well from one's third stone on: every position with five stones is won.",
            "只要從自己的第三子起下得好就夠了：有五子的盤面全部必勝。",
        )


def _rules(rules: Sequence[Mapping[str, Any]], layers: Sequence[Mapping[str, Any]]) -> Iterator[str | Words]:
    differing = [layer["stones"] for layer in layers if any(layer["document_minus_exact"].values())]
    shown = [stones for stones in differing if stones]
    yield ""
    yield Words(
        "Ways to carry values back from ten stones, and what each gives (won / lost / drawn)",
        "從十子往回推的方法，以及各自的結果（勝 / 負 / 和）",
    )
    document = (_cell(layer["document"]) for layer in layers if layer["stones"] in shown)
    rows: list[tuple[object, ...]] = [(Words("the document", "文件"), *document)]
    for rule in rules:
        by_stones = {layer["stones"]: layer for layer in rule["layers"]}
        rows.append((_name(rule), *(_cell(by_stones[stones]) for stones in shown)))
    columns = (Words("rule", "方法"), *(Words(f"{stones} stones", f"{stones} 子") for stones in shown))
    yield from table_lines(columns, rows)
    yield ""
    for rule in rules:
        yield _told(rule, [stones for stones in shown if stones in rule["rows_as_in_the_document"]])
    if 0 in differing:
        yield Words(
            "Without stones there is one position, the empty board; the document repeats the row before.",
            "沒有棋子的盤面只有一個，就是空棋盤；文件重複了前一列。",
        )


def _name(rule: Mapping[str, Any]) -> Words:
    return Words(rule["rule"], RULES[rule["rule"]][0])


def _told(rule: Mapping[str, Any], same: Sequence[int]) -> Words:
    """What a rule is, and which rows of the document it gives."""
    name, told = _name(rule), Words("gives none of these rows", "得不出其中任何一列")
    if same:
        chinese = "、".join(map(str, same))
        told = Words(
            f"gives the document's rows for {_listed(same)} stones", f"得出文件中 {chinese} 子的各列"
        )
    return Words(
        f"{name.english}: {rule['description']}; {told.english}",
        f"{name.chinese}：{RULES[rule['rule']][1]}；{told.chinese}",
    )


def _cell(row: Mapping[str, int]) -> str:
    return " / ".join(str(row[result]) for result in RESULTS)


def _listed(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} and {last}" if others else last
