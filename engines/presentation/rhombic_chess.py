"""Rhombic chess's analysis in words: the table, the theorem, and where the document's numbers come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from engines.game import Game, Move
from engines.presentation import Presentation, Words
from engines.presentation.scenes import SIDES, Board, Path, Picture, Piece, Place, circle, label, line
from engines.presentation.tables import table_lines

ROWS = (1, 3, 5, 3, 1)
STEP, RADIUS, EDGE = 70, 20, 40
LINES = (
    "M110 110h140M110 180h140M110 250h140M110 110v140M180 110v140M250 110v140"
    "M180 40L110 110L40 180L110 250L180 320L250 250L320 180L250 110L180 40"
)
RESULTS = ("won", "lost", "drawn")


class RhombicChessPresentation(Presentation):
    """How rhombic chess is shown."""

    reasons: ClassVar = {"blocked": Words("the other side cannot move", "對方的棋子都不能動")}
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

    def solution(self, result: Mapping[str, Any]) -> Iterator[str]:
        """What `engines.solvers.rhombic_chess.analyse` found."""
        yield "Positions by stones on the board, for the side to move; the document's table beside"
        yield from _layers(result["layers"])
        yield from _theorem(result["theorem"])
        yield from _rules(result["rules"], result["layers"])


def _columns(width: int) -> range:
    """The columns, from 0, of a row of so many points."""
    return range(2 - width // 2, 3 + width // 2)


def _layers(layers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    columns = ("stones", "positions", *RESULTS, "longest", "|", "positions", *RESULTS, "|", "difference")
    rows = [
        (
            layer["stones"],
            layer["positions"],
            *(layer[result] for result in RESULTS),
            layer["longest"],
            "|",
            *(layer["document"][key] for key in ("positions", *RESULTS)),
            "|",
            _difference(layer["document_minus_exact"]),
        )
        for layer in layers
    ]
    yield from table_lines(columns, rows)


def _difference(difference: Mapping[str, int]) -> str:
    told = ", ".join(f"{number:+d} {name}" for name, number in difference.items() if number)
    return told or "none"


def _theorem(theorem: Mapping[str, Any]) -> Iterator[str]:
    who = "second" if theorem["second_player_wins"] else "first"
    yield ""
    yield f"The {who} player wins, in {theorem['plies']} plies if both play perfectly."
    if theorem["first_two_stones_do_not_matter"]:
        yield "It is enough to play well from one's third stone on: every position with five stones is won."


def _rules(rules: Sequence[Mapping[str, Any]], layers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    differing = [layer["stones"] for layer in layers if any(layer["document_minus_exact"].values())]
    shown = [stones for stones in differing if stones]
    yield ""
    yield "Ways to carry values back from ten stones, and what each gives (won / lost / drawn)"
    document = ("the document", *(_cell(layer["document"]) for layer in layers if layer["stones"] in shown))
    rows = [document]
    for rule in rules:
        by_stones = {layer["stones"]: layer for layer in rule["layers"]}
        rows.append((rule["rule"], *(_cell(by_stones[stones]) for stones in shown)))
    yield from table_lines(("rule", *(f"{stones} stones" for stones in shown)), rows)
    yield ""
    for rule in rules:
        same = [stones for stones in shown if stones in rule["rows_as_in_the_document"]]
        told = f"gives the document's rows for {_listed(same)} stones" if same else "gives none of these rows"
        yield f"{rule['rule']}: {rule['description']}; {told}"
    if 0 in differing:
        yield "Without stones there is one position, the empty board; the document repeats the row before."


def _cell(row: Mapping[str, int]) -> str:
    return " / ".join(str(row[result]) for result in RESULTS)


def _listed(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} and {last}" if others else last
