"""What is computed about the claims of the rhombic-chess document, and its board drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import factorial
from typing import Any

from arena.documents import rhombic_chess as document
from arena.documents.texts import Words
from arena.reproduction.agreement import proportion
from arena.reproduction.boards import Node, rhombus, sheet, tree
from arena.reproduction.claims import Fact, fact
from arena.reproduction.findings import Exhibit, Figure, Grid
from arena.reproduction.rhombic_chess_facts import Facts

TEN_STONES = document.ROWS[0]
RESULTS = {1: Words("勝", "won"), 0: Words("和", "drawn"), -1: Words("負", "lost")}


def computed(analysis: Mapping[str, Any], facts: Facts) -> Iterator[Fact]:
    """What decides the claims that no comparison does, and the numbers of their answers."""
    listed = len(document.GAMES_NAMED)
    yield fact("ten-games", listed == document.GAMES_COUNTED, listed=listed)
    wanted = (TEN_STONES.wins, TEN_STONES.losses, TEN_STONES.draws)
    matching = sum((board.won, board.lost, board.drawn) == wanted for board in facts.boards)
    yield fact("figure-1", boards=len(facts.boards), matching=matching)
    yield fact("figure-2", blocked=facts.blocked_number)
    yield fact("figure-3", facts.results == {"some lost": 1, "drawn at best": 0, "all won": -1})
    lost, drawn, won = (RESULTS[facts.completed[unknown]] for unknown in (-1, 0, 1))
    yield fact("figure-4", len({lost, drawn, won}) > 1, lost=lost, drawn=drawn, won=won)
    best = next(rule for rule in analysis["rules"] if rule["rule"].startswith("last successor, from"))
    by_rows = next(rule for rule in analysis["rules"] if rule["rule"] == "last successor, by rows")
    yield fact("point-order", best["rows_as_in_the_document"] == by_rows["rows_as_in_the_document"])
    yield from _counts({each["stones"]: each for each in analysis["layers"]}, facts)
    draws = {each["stones"]: each["drawn"] for each in analysis["layers"] if each["drawn"]}
    yield fact("draws", told=", ".join(f"{stones}: {number:,}" for stones, number in draws.items()))
    yield fact("one-minute", seconds=facts.seconds)


def _counts(layers: Mapping[int, Mapping[str, int]], facts: Facts) -> Iterator[Fact]:
    first, last = facts.codes
    yield fact("codes", facts.codes == document.CODES, first=first, last=last)
    ten = factorial(13) // (factorial(3) * factorial(5) ** 2)
    nine = factorial(13) // (factorial(4) ** 2 * factorial(5))
    for key, stones, computed in (("ten-count", 10, ten), ("nine-count", 9, nine)):
        listed, printed = layers[stones]["positions"], document.ROWS[10 - stones].positions
        yield fact(key, computed == listed == printed, computed=computed, listed=listed)
    sizes = (ten * 8 // 8, nine * 4 // 8)
    yield fact("bits", sizes == document.BYTES, ten=sizes[0], nine=sizes[1], table=facts.table_bytes)
    won, lost = (layers[10][result] / layers[10]["positions"] for result in ("won", "lost"))
    yield fact("ten-even", abs(won - lost) < 0.1, won=won, lost=lost)
    won = layers[9]["won"] / layers[9]["positions"]
    yield fact("nine-more-won", won > 0.9, won=won)


def exhibits(facts: Facts) -> tuple[Exhibit, ...]:
    """The boards that were tried, and what hints help."""
    return _boards(facts), _hints(facts)


def _boards(facts: Facts) -> Exhibit:
    wanted = (TEN_STONES.wins, TEN_STONES.losses, TEN_STONES.draws)
    tried = sorted(facts.boards, key=lambda board: abs(board.won - wanted[0]))
    lines = [
        (
            str(sum(each.bit_count() for each in board.lines) // 2),
            *map(str, board[1:]),
            "✓" if tuple(board[1:]) == wanted else "",
        )
        for board in tried
    ]
    return Exhibit(
        "boards",
        Words("棋盤是重建的：試過的棋盤", "The board is a reconstruction: the boards tried"),
        (),
        ours=Grid(("線 lines", "勝 won", "負 lost", "和 drawn", "文件的列 the document's row"), tuple(lines)),
        note=Words(
            "文件的棋盤圖不在了。下表是十三點上、四邊與鏡像都對稱、線只連相鄰兩點的全部"
            f" {len(tried)} 種棋盤，"
            "與它們的十子那一列。這裡用的棋盤因那一列而選，故那一列相符不是證據。",
            f"The document's drawing of the board is missing. Below are all {len(tried)} boards on the 13"
            " points that look the same from four sides and in a mirror and whose lines join neighbours,"
            " with their rows for ten stones. The board used here was chosen by that row: that it agrees is"
            " no evidence.",
        ),
    )


def _hints(facts: Facts) -> Exhibit:
    played = []
    for hints, tally in facts.helped:
        won, drawn, lost = tally.wins_draws_losses
        low, high = proportion(won, tally.games)
        share = f"{won / tally.games:.3f}"
        played.append((f"{hints} %", str(won), str(drawn), str(lost), share, f"{low:.3f}–{high:.3f}"))
    return Exhibit(
        "hints",
        Words("提示對人有多少幫助", "How much hints help a person"),
        (),
        ours=Grid(("提示 hints", "勝 won", "和 drawn", "敗 lost", "勝率 share won", "95 %"), tuple(played)),
        note=Words(
            "玩家 person 只看一步；每 100 次有若干次得到最佳下法的提示。對手是沒有提示的 person，"
            "先後手各半。",
            "The player person sees one move ahead, and is told a best move in so many of 100 turns. The"
            " other side is a person without hints; seats are exchanged.",
        ),
    )


def figures(facts: Facts) -> Iterator[Figure]:
    """The board as it was reconstructed, a blocked position, and the two trees."""
    yield Figure(
        "figure-1",
        Words(
            "圖 1　棋盤（重建）與這裡的編號",
            "Figure 1. The board (a reconstruction) and the numbers used here",
        ),
        sheet([rhombus(0, 0, numbered=True)], 1),
    )
    yield Figure(
        "figure-2",
        Words("圖 2　白色一方無法移動而輸（例子）", "Figure 2. White cannot move and has lost (an example)"),
        sheet([rhombus(facts.blocked.own, facts.blocked.opp)], 1),
    )
    trees = (
        Node("+", (Node("−"), Node("="), Node("+"))),
        Node("=", (Node("="), Node("+"))),
        Node("−", (Node("+"), Node("+"))),
    )
    yield Figure(
        "figure-3",
        Words(
            "圖 3　勝（+）、和（=）、負（−）的推算", "Figure 3. How won (+), drawn (=) and lost (−) follow"
        ),
        sheet([tree(each) for each in trees], 3),
    )
    yield Figure(
        "figure-4",
        Words(
            "圖 4　有未知（?）而無負時不能判斷",
            "Figure 4. With an unknown (?) and no lost one nothing can be said",
        ),
        sheet([tree(Node("?", (Node("+"), Node("="), Node("?"))))], 1),
    )
