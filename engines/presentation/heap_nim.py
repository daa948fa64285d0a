"""Heap Nim's analysis in words, the document's where it has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import xor
from typing import Any, ClassVar

from engines.game import Game, Move
from engines.presentation import LEFT_THE_LAST, NOTHING, PLAYERS, Presentation, Words
from engines.presentation.scenes import (
    Board,
    Path,
    Picture,
    Piece,
    Place,
    Shape,
    Style,
    bar,
    circle,
    label,
    line,
)
from engines.presentation.tables import table_lines

ACROSS = 10
"""So many of a heap lie side by side: on a phone each is wide enough for a finger."""
SHOWN = 30
"""So many of a heap are drawn; of the others there is only their number."""
STEP = 34
LEFT = 32


def _style(english: str, chinese: str, *shapes: Shape) -> Style:
    return Style(Words(english, chinese), {"piece": Piece(shapes, Words("there", "還在"))})


STYLES = {
    "sticks": _style("sticks", "棒子", bar("piece", -4.5, -15, 9, 30)),
    "matches": _style("matches", "火柴", bar("neutral", -2.5, -9, 5, 24), bar("piece", -4.5, -15, 9, 12)),
    "coins": _style("coins", "硬幣", circle("piece", 0, 0, 13), circle("inlay", 0, 0, 9)),
    "stones": _style("stones", "棋子", circle("piece", 0, 0, 12)),
}
"""What the heaps are of, for people to choose: sticks, as in its document's program, at first."""


class HeapNimPresentation(Presentation):
    """How heap Nim is shown."""

    reasons: ClassVar = {
        "left_the_last": LEFT_THE_LAST,
        "took_the_last": Words("took the last one", "取走最後一個"),
    }
    parameters: ClassVar = {
        "heaps": Words("Heaps", "各堆數目"),
        "misere": Words("Whoever takes the last one loses", "取最後一個者負"),
    }
    how_to_point: ClassVar = Words(
        "Click or tap a piece: it is taken, and with it all to its right in the same heap, those in "
        "further lines of it too.",
        "點一個：它和同一堆裡在它右邊的全部一起取走，包括下面各行的。",
    )
    chinese_summary: ClassVar = "在 heaps 所列的各堆上玩拈；misere 為 true 時，取走最後一個的一方輸。"
    chinese_rules: ClassVar = (
        "有好幾堆東西。雙方輪流，每次從其中一堆取走一個以上。"
        "取走全部的最後一個的一方贏；misere 為 true 時則輸。"
    )
    chinese_notation: ClassVar = "2:1 表示從第 2 堆取走 1 個。各堆從 1 開始編號，號碼一直不變。"

    def title(self, params: Mapping[str, Any]) -> Words:
        """Its name and its heaps."""
        heaps = "-".join(map(str, params["heaps"]))
        variant = Words(" · misère", " · 最後取者負") if params["misere"] else NOTHING
        return Words(f"Heap Nim {heaps}{variant.english}", f"拈（堆） {heaps}{variant.chinese}")

    def hinted(self, game: Game[Any], state: Any, move: Move) -> dict[str, Any]:
        """As its document's hint tells a move: the heap, and how many to leave."""
        heap = int(game.move_to_text(move).partition(":")[0])
        return {"heap": heap, "left": game.play(state, move).heaps[heap - 1]}

    def hint_words(self, hinted: Mapping[str, Any]) -> Words:
        """The same in words."""
        heap, left = hinted["heap"], hinted["left"]
        be = "is" if left == 1 else "are"
        return Words(f"heap {heap}, take until {left} {be} left", f"第 {heap} 堆，拿到剩下 {left} 個")

    def board(self, game: Game[Any]) -> Board:
        """A line or more for each heap, its number before it."""
        places: list[Place] = []
        backdrop: list[Shape] = []
        row = 0
        for heap, size in enumerate(game.params["heaps"], start=1):
            y = 12 + STEP * row + 8 * (heap - 1)
            backdrop.append(label(14, y + 22, heap))
            for at in range(min(size, SHOWN)):
                down, column = divmod(at, ACROSS)
                said = Words(f"heap {heap}, piece {at + 1}", f"第 {heap} 堆第 {at + 1} 個")
                x = LEFT + STEP * (column + 0.5)
                middle = y + STEP * (down + 0.5)
                name = f"{heap}.{at + 1}"
                places.append(Place(name, x, middle, STEP, STEP, row + down, column, said=said))
            row += _lines(size)
            backdrop.append(line("grid", f"M{LEFT} {y + STEP * _lines(size) + 4}h{STEP * ACROSS + 60}"))
        height = 12 + STEP * row + 8 * len(game.params["heaps"])
        pieces = next(iter(STYLES.values())).pieces
        return Board(LEFT + STEP * ACROSS + 64, height, places, pieces, backdrop, styles=STYLES)

    def shown(self, game: Game[Any], state: Any, last: Move | None) -> Picture:
        """What each heap holds; where the last ones were taken is marked."""
        heaps = game.state_to_json(state)["heaps"]
        pieces = {
            f"{heap}.{at}": "piece"
            for heap, held in enumerate(heaps, start=1)
            for at in range(1, min(held, SHOWN) + 1)
        }
        marked: tuple[str, ...] = ()
        if last is not None:
            heap, taken = map(int, game.move_to_text(last).split(":"))
            held = heaps[heap - 1]
            marked = tuple(f"{heap}.{at}" for at in range(held + 1, min(held + taken, SHOWN) + 1))
        left = ", ".join(map(str, heaps))
        return Picture(pieces, marked, Words(f"heaps of {left}", f"各堆：{left}"), _numbers(game, heaps))

    def path(self, game: Game[Any], state: Any, move: Move) -> Path:
        """The piece that is taken with all behind it; a button where that one is not drawn."""
        heap = int(game.move_to_text(move).partition(":")[0])
        at = game.play(state, move).heaps[heap - 1] + 1
        return Path((f"{heap}.{at}",)) if at <= SHOWN else Path()

    def hint_reason(self, game: Game[Any], state: Any) -> Words:
        """The XOR rule on these heaps, in binary; and where misère play bids otherwise."""
        heaps = [held for held in state.heaps if held]
        if not heaps:
            return NOTHING
        together = reduce(xor, heaps)
        digits = max(map(int.bit_length, heaps))
        numbers = " ⊕ ".join(map(str, heaps))
        binary = " ⊕ ".join(f"{held:0{digits}b}" for held in heaps)
        told = f"{numbers} = {together} ({binary} = {together:0{digits}b})"
        if game.params["misere"] and max(heaps) <= 1:
            return Words(
                f"Each of the {len(heaps)} heaps holds one: leave the other side an odd number of them.",
                f"每堆都只剩一個，共 {len(heaps)} 堆：留給對方奇數堆的一方獲勝。",
            )
        if game.params["misere"] and sum(held > 1 for held in heaps) == 1:
            return Words(
                "One heap holds more than one: leave an odd number of heaps of one.",
                "只有一堆多於一個：取到只剩奇數堆、每堆一個。",
            )
        if together == 0:
            return Words(
                f"XOR of the heaps: {told}. It is 0 already: every move makes it other than 0, and the"
                " other side can make it 0 again.",
                f"各堆做 XOR：{told}。已經是 0：不論怎麼取都會變成非 0，而對方總能再取成 0。",
            )
        return Words(
            f"XOR of the heaps: {told}. Take so that it becomes 0: then every move of the other side makes it"
            " other than 0 again.",
            f"各堆做 XOR：{told}。取到 XOR 為 0：對方不論怎麼取，都會再變成非 0。",
        )

    def solution(self, result: Mapping[str, Any]) -> Iterator[str | Words]:
        """What `engines.solvers.heap_nim.analyse` found."""
        heaps = ", ".join(map(str, result["params"]["heaps"]))
        winner, distance, together = PLAYERS[result["winner"]], result["distance"], result["xor"]
        variant = (
            Words("misère", "取最後一個者負")
            if result["params"]["misere"]
            else Words("normal", "取最後一個者勝")
        )
        yield Words(
            f"Heaps of {heaps}, {variant.english} play: with perfect play the {winner.english} player wins"
            f" after {distance} plies (XOR {together})",
            f"各堆 {heaps} 個，{variant.chinese}：雙方都以完美下法進行時，{winner.chinese}必勝，"
            f"共 {distance} 手（XOR 為 {together}）",
        )
        yield ""
        yield from _winning(result["winning_moves"])
        yield ""
        yield from _counts(result)


def _winning(moves: Sequence[Mapping[str, Any]]) -> Iterator[Words]:
    """The moves that win, as the document tells them."""
    if not moves:
        yield Words("No move wins", "沒有必勝的走法")
        return
    yield Words("Moves that win", "必勝的走法")
    columns = (
        Words("move", "走法"),
        Words("heap", "堆"),
        Words("left over", "拿到剩下"),
        Words("plies", "手數"),
    )
    yield from table_lines(
        columns, [(each["move"], each["heap"], each["left"], each["distance"]) for each in moves]
    )


def _counts(result: Mapping[str, Any]) -> Iterator[Words]:
    """How many positions are safe, and where the rule and Grundy's numbers say otherwise."""
    positions, wrong, differ = result["positions"], result["rule_wrong"], result["grundy_not_xor"]
    every, safe, unsafe = positions["all"], positions["safe"], positions["unsafe"]
    yield Words(
        f"{every} positions: {safe} safe to leave to the opponent (lost for the side to move),"
        f" {unsafe} unsafe (won)",
        f"共 {every} 個盤面：留給對方的安全殘局 {safe} 個（輪到的一方必敗），"
        f"不安全殘局 {unsafe} 個（輪到的一方必勝）",
    )
    yield Words(
        f"The XOR rule says otherwise on {wrong} of {every}",
        f"{every} 個盤面中，XOR 規則的判斷不同的有 {wrong} 個",
    )
    yield Words(
        f"Grundy numbers differ from the XOR of the heaps on {differ} of {every}",
        f"{every} 個盤面中，Grundy 數與各堆的 XOR 不同的有 {differ} 個",
    )


def _lines(size: int) -> int:
    """How many lines are drawn of a heap that began with so many."""
    return -(-min(size, SHOWN) // ACROSS)


def _numbers(game: Game[Any], heaps: Sequence[int]) -> list[Shape]:
    """How many each heap holds, behind its first line."""
    shapes, row = [], 0
    for at, (held, size) in enumerate(zip(heaps, game.params["heaps"], strict=True)):
        told = f"… {held}" if held > SHOWN else held
        shapes.append(label(LEFT + STEP * ACROSS + 30, 34 + STEP * row + 8 * at, told))
        row += _lines(size)
    return shapes
