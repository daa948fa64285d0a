"""The boards of the L-Game document, drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.documents import l_game as document
from arena.documents.texts import Words
from arena.reproduction.boards import Node, Picture, l_board, sheet, tree
from arena.reproduction.findings import Figure
from arena.reproduction.l_game_code_claims import shape
from arena.reproduction.l_game_codes import decode
from arena.reproduction.l_game_facts import Facts
from engines.games.l_game import PLACEMENTS, LGame, State


def figures(analysis: Mapping[str, Any], facts: Facts) -> Iterator[Figure]:
    """The document's boards, drawn from its codes and from the solution."""
    yield _figure(
        "figure-1",
        "圖 1　起始盤面（灰色先下）",
        "Figure 1. The first position (grey begins)",
        [_board(decode(document.START_CODE))],
        1,
    )
    first = {shape(each.squares): each for each in reversed(PLACEMENTS)}
    shapes = [l_board(squares, 0, 0, first[squares].text) for squares in sorted(first)]
    yield _figure("figure-3", "圖 3　L 的 8 種形狀", "Figure 3. The eight shapes of an L", shapes, 8)
    yield _figure(
        "figure-4",
        "圖 4　由記錄 [(2,1,0),(0,1,3),(1,5),0] 畫出",
        "Figure 4. Drawn from [(2,1,0),(0,1,3),(1,5),0]",
        [_board(decode(document.FIGURE_4))],
        1,
    )
    yield from _examples(analysis, facts)


def _examples(analysis: Mapping[str, Any], facts: Facts) -> Iterator[Figure]:
    a, *after, e = facts.example
    boards = [
        _board(a, "A"),
        *(_moved(state, name) for state, name in zip(after, "BCD", strict=True)),
        _board(e, "E"),
    ]
    yield _figure(
        "figure-7",
        "圖 7　同類的例子（我們找到的）",
        "Figure 7. An example of the same kind, found here",
        boards,
        5,
    )
    one, two = (
        Node(f"{wrong}/{ways}", tuple(Node("W" if at < wrong else "G") for at in range(ways)))
        for wrong, ways in facts.chances
    )
    picture = tree(Node("G", (one, two, Node("W"), Node("W"))))
    yield _figure(
        "figure-8",
        "圖 8　致勝機率的例子（W：WinNode，G：GeneralNode）",
        "Figure 8. The example of the chance of winning (W a WinNode, G a GeneralNode)",
        [picture],
        1,
    )
    lost = analysis["lost_positions"]
    yield _figure(
        "fifteen-boards",
        "問題 4　15 種必輸盤面（灰色無法移動；^ 直角在角落）",
        "Question 4. The 15 losing positions (grey cannot move; ^ the right angle is in a corner)",
        [_lost(each) for each in lost if each["round"] == 0],
        8,
    )
    yield _figure(
        "figure-9",
        "圖 9　3 + 3 + 8 個特殊盤面（灰色怎麼走都輸；數字：輪次）",
        "Figure 9. The 3 + 3 + 8 special positions (whatever grey does it loses; the number is the round)",
        [_lost(each, str(each["round"])) for each in lost if each["round"] > 0],
        7,
    )


def _figure(key: str, zh: str, en: str, pictures: Sequence[Picture], across: int) -> Figure:
    return Figure(key, Words(zh, en), sheet(pictures, across))


def _board(state: State, caption: str = "") -> Picture:
    return l_board(state.own, state.opp, state.discs, caption)


def _moved(state: State, caption: str) -> Picture:
    """After grey's move: grey is the side that has moved."""
    return l_board(state.opp, state.own, state.discs, caption)


def _lost(each: Mapping[str, Any], caption: str = "") -> Picture:
    state = LGame().state_from_json(each["state"])
    return _board(state, f"{caption}{' ^' if each['angle_in_corner'] else ''}".strip())
