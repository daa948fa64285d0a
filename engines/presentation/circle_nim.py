"""Circle Nim's analysis in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from engines.game import Game, Move
from engines.presentation import LEFT_THE_LAST, PLAYERS, Presentation, Words
from engines.presentation.scenes import Board, Path, Picture, Piece, Place, circle, label
from engines.presentation.tables import share, table_lines

STRATEGIES = {
    "random_random": (Words("random", "隨機"), Words("random", "隨機")),
    "perfect_random": (Words("perfect", "完美"), Words("random", "隨機")),
    "random_perfect": (Words("random", "隨機"), Words("perfect", "完美")),
}
WON, LOST = Words("won", "必勝"), Words("lost", "必敗")
RESULT, PLIES = Words("result", "結果"), Words("plies", "手數")

ACROSS, DOWN, RADIUS = 56, 50, 22


class CircleNimPresentation(Presentation):
    """How circle Nim is shown."""

    reasons: ClassVar = {"left_the_last": LEFT_THE_LAST}
    parameters: ClassVar = {"rows": Words("Rows", "層數")}
    how_to_point: ClassVar = Words(
        "Click or tap the circles to take one by one, in any order. They are taken once no other can join "
        "them; to take fewer, click or tap the last one again, or press the button below the board. A "
        "click on an earlier one, or Esc, lets go.",
        "把要消去的圈圈逐一點選，順序不拘。沒有別的圈圈可以再加入時就消去；要少消，就把最後點的那個再點一"
        "次，或按棋盤下方的按鈕。再點先前選的圈圈或按 Esc 可以取消。",
    )
    chinese_summary: ClassVar = "排成三角形、共 rows 層的圈圈；消去最後一個的一方輸。"
    chinese_rules: ClassVar = (
        "圈圈排成三角形：第一層一個，第二層兩個，依此類推。雙方輪流，"
        "每次消去同一條直線上相鄰的 1、2 或 3 個圈圈，可以沿著橫列或左右兩條斜邊的方向，"
        "其中不能有已經消去的。消去最後一個圈圈的一方輸。"
    )
    chinese_notation: ClassVar = (
        "依號碼由小到大寫出消去的圈圈，中間加連字號：4、4-5 或 4-5-6。圈圈從最上面的 1 開始逐層編號。"
    )

    def title(self, params: Mapping[str, Any]) -> Words:
        """Its name and its rows."""
        return Words(f"Circle Nim {params['rows']} rows", f"消圈圈 {params['rows']} 層")

    def board(self, game: Game[Any]) -> Board:
        """The triangle; every circle has its number, also when it is gone."""
        rows = game.params["rows"]
        places = [
            Place(
                str(row * (row + 1) // 2 + at + 1),
                ACROSS // 2 * (rows - row) + ACROSS * at + 8,
                35 + DOWN * row,
                2 * RADIUS,
                2 * RADIUS,
                row,
                at,
                outline="circle",
            )
            for row in range(rows)
            for at in range(row + 1)
        ]
        gone = [circle("gone", place.x, place.y, RADIUS) for place in places]
        names = [label(place.x, place.y + 5, place.name, "label faint") for place in places]
        pieces = {
            place.name: Piece((circle("held", 0, 0, RADIUS), label(0, 5, place.name)), Words("there", "還在"))
            for place in places
        }
        return Board(ACROSS * rows + 16, DOWN * rows + 20, places, pieces, overlay=[*gone, *names])

    def shown(self, game: Game[Any], state: Any, last: Move | None) -> Picture:
        """The circles left; where the last ones were taken is marked."""
        left = [str(number) for number in game.state_to_json(state)["left"]]
        marked = () if last is None else game.move_to_text(last).split("-")
        told = ", ".join(left) or "–"
        return Picture(
            {name: name for name in left}, marked, Words(f"circles left: {told}", f"剩下的圈圈：{told}")
        )

    def path(self, game: Game[Any], state: Any, move: Move) -> Path:  # noqa: ARG002 - its text says it all
        """The circles taken, in any order."""
        circles = game.move_to_text(move).split("-")
        return Path(circles, free=len(circles))

    def solution(self, result: Mapping[str, Any]) -> Iterator[str | Words]:
        """What `engines.solvers.circle_nim.analyse` found."""
        rows, circles, distance = result["params"]["rows"], result["circles"], result["distance"]
        winner = PLAYERS[result["winner"]]
        yield Words(
            f"{rows} rows, {circles} circles: with perfect play the {winner.english} player wins after"
            f" {distance} plies",
            f"{rows} 層，{circles} 個圈圈：雙方都以完美下法進行時，{winner.chinese}必勝，共 {distance} 手",
        )
        yield from _first_moves(result["first_moves"])
        yield from _positions(result)
        yield from _chances(result["chances"])


def _first_moves(moves: Sequence[Mapping[str, Any]]) -> Iterator[str | Words]:
    yield ""
    yield Words(
        "First moves, those alike by symmetry in one line (* the perfect player's)",
        "第一手的走法，互相對稱的寫在同一列（* 為完美下法）",
    )
    rows = [
        (
            "*" if each["best"] else "",
            Words("wins", "必勝") if each["wins"] else Words("loses", "必敗"),
            each["distance"],
            ", ".join(each["moves"]),
        )
        for each in moves
    ]
    yield from table_lines(
        ("", Words("result", "結果"), Words("plies", "手數"), Words("moves", "走法")), rows
    )


def _positions(result: Mapping[str, Any]) -> Iterator[str | Words]:
    positions, different = Words("positions", "盤面"), Words("up to symmetry", "扣除對稱")
    mover = Words("for the side to move", "對輪到的一方")
    rows = [
        (name, each["all"], each["won"], each["lost"], share(each["won"], each["all"]))
        for name, each in ((positions, result["positions"]), (different, result["up_to_symmetry"]))
    ]
    yield ""
    yield from table_lines((mover, Words("all", "全部"), WON, LOST, Words("share won", "必勝比例")), rows)
    distances = [
        (each["distance"], WON if each["won"] else LOST, each["positions"], each["up_to_symmetry"])
        for each in result["distances"]
    ]
    yield ""
    yield Words(
        "Distance to the end (the winner hurries, the loser delays)",
        "距離終局的手數（勝方求快，敗方拖延）",
    )
    yield from table_lines((PLIES, RESULT, positions, different), distances)


def _chances(chances: Mapping[str, Mapping[str, Any]] | None) -> Iterator[str | Words]:
    yield ""
    if chances is None:
        yield Words(
            "The chances of random players take minutes with 7 rows: --probabilities computes them",
            "7 層時隨機策略的勝率要算上幾分鐘：加上 --probabilities 就會計算",
        )
        return
    yield Words(
        "The first player's chance to win, computed and not sampled", "先手勝率（計算所得，不是抽樣）"
    )
    rows = [
        (*players, f"{chances[name]['first_wins']:.12g}", f"{chances[name]['plies']:.6f}")
        for name, players in STRATEGIES.items()
    ]
    columns = (
        *PLAYERS.values(),
        Words("first wins", "先手勝率"),
        Words("plies on average", "平均手數"),
    )
    yield from table_lines(columns, rows)
    if fraction := chances["random_random"]["fraction"]:
        yield Words(f"random against random exactly: {fraction}", f"隨機對隨機的精確值：{fraction}")
