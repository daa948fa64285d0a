"""Every claim of the rhombic-chess document with what became of it, and its board drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import factorial
from typing import Any

from arena.reproduction.agreement import proportion
from arena.reproduction.boards import Node, rhombus, sheet, tree
from arena.reproduction.claims import Answers
from arena.reproduction.documents import rhombic_chess as document
from arena.reproduction.findings import Comparison, Exhibit, Figure, Grid, Row, Words
from arena.reproduction.rhombic_chess_facts import Facts

PLAY = "arena game play rhombic_chess --against perfect"
TEN_STONES = document.ROWS[0]


def rows(analysis: Mapping[str, Any], facts: Facts, comparisons: Sequence[Comparison]) -> Iterator[Row]:
    """A row for every claim of the inventory."""
    answer = Answers(comparisons)
    yield from _introduction(answer, facts)
    yield from _algorithm(answer, analysis, facts)
    yield from _results(answer, analysis)


def _introduction(answer: Answers, facts: Facts) -> Iterator[Row]:
    yield answer.unknown(
        "newspaper", "那天的報紙不在這裡，不能查證。", "That day's newspaper is not here to be looked at."
    )
    listed = len(document.GAMES_NAMED)
    yield answer.true_if(
        "ten-games", listed == document.GAMES_COUNTED, f"列出 {listed} 個名稱。", f"It lists {listed} names."
    )
    yield answer.unknown(
        "two-names",
        "兩個名稱文件都用；但報紙的清單把四子棋與斜方棋列為兩種棋，每方五子也與「四子」不合。是哪一種，不得而知。",
        "It does speak of both. But the newspaper's list has both as two games, and each side has five"
        " stones, which does not fit “four-stone”. Which of the two it was cannot be known.",
    )
    yield answer.true_if(
        "noughts-and-crosses",
        False,
        "這裡描述的規則不是連線，而是使對方無法移動。",
        "By the rules that it gives one does not make lines but leaves the other side without a move.",
    )
    matching = _matching(facts)
    yield answer.unknown(
        "figure-1",
        f"圖檔不在文件中。棋盤是重建的，因為它給出十子那一列而選用；在 {len(facts.boards)} 種對稱的棋盤中，"
        f"只有 {matching} 種給出那一列。九到六子的列（連同兩個疏失）、五到一子的列與定理是另外的佐證。",
        "The drawing is missing. The board is a reconstruction, chosen because it gives the row for ten"
        f" stones; of {len(facts.boards)} symmetric boards {matching} gives it. What else it is checked"
        " against: the rows for nine to six stones (with the two slips), those for five to one, and the"
        " theorem.",
        "figure-1",
        "boards",
    )
    yield from _rules(answer, facts)


def _rules(answer: Answers, facts: Facts) -> Iterator[Row]:
    yield answer.works("rules", "arena game rules rhombic_chess", "規則相同。", "The same rules.")
    yield answer.unknown(
        "figure-2",
        f"圖檔不在文件中；十子的盤面中有 {facts.blocked_number} 個是這樣輸的，畫出其中一個。",
        f"The drawing is missing. {facts.blocked_number:,} positions with ten stones are lost like that; one"
        " is drawn.",
        "figure-2",
    )
    yield answer.unknown(
        "people",
        "關於人的心理，文件沒有測量。這裡測量提示對只看一步的 person 有多少幫助（見表）。",
        "It is about people's minds, and was not measured. How much hints help the player person, who sees"
        " one move ahead, is measured here (see the table).",
        "hints",
    )
    yield answer.unknown(
        "weights",
        "沒有給出任何 weight，不能檢驗。",
        "No weights are given that could be tried.",
    )


_NAMES = {1: "won", 0: "drawn", -1: "lost"}
_NAMES_ZH = {1: "勝", 0: "和", -1: "負"}


def _matching(facts: Facts) -> int:
    wanted = (TEN_STONES.wins, TEN_STONES.losses, TEN_STONES.draws)
    return sum((board.won, board.lost, board.drawn) == wanted for board in facts.boards)


def _algorithm(answer: Answers, analysis: Mapping[str, Any], facts: Facts) -> Iterator[Row]:
    results = facts.results
    yield answer.true_if(
        "figure-3",
        results == {"some lost": 1, "drawn at best": 0, "all won": -1},
        "反推分析在同樣的樹上得到勝、和、負。",
        "Retrograde analysis gives won, drawn and lost on the same trees.",
        "figure-3",
    )
    told = facts.completed
    yield answer.true_if(
        "figure-4",
        len(set(told.values())) > 1,
        f"未知的若是負，結果是{_NAMES_ZH[told[-1]]}；若是和，是{_NAMES_ZH[told[0]]}；若是勝，是{_NAMES_ZH[told[1]]}。"
        "最後仍未知的才是和，反推分析不需反覆展開。",
        f"Where the unknown one turns out lost the position is {_NAMES[told[-1]]}, where drawn"
        f" {_NAMES[told[0]]}, where won {_NAMES[told[1]]}. What is never decided is drawn, and going"
        " backwards nothing is looked at twice.",
        "figure-4",
    )
    best = next(rule for rule in analysis["rules"] if rule["rule"].startswith("last successor, from"))
    by_rows = next(rule for rule in analysis["rules"] if rule["rule"] == "last successor, by rows")
    yield answer.true_if(
        "point-order",
        best["rows_as_in_the_document"] == by_rows["rows_as_in_the_document"],
        "正確的方法確實與順序無關；但文件九與八子的列要用由中央往外的編號（並以最後一個下一步為準）才會出現。",
        "For a right method it is not. But its rows for nine and eight stones come out only with the points"
        " numbered from the centre, where the last successor decides.",
        "rules",
    )
    yield from _coding(answer, analysis, facts)


def _coding(answer: Answers, analysis: Mapping[str, Any], facts: Facts) -> Iterator[Row]:
    first, last = facts.codes
    yield answer.true_if(
        "codes",
        facts.codes == document.CODES,
        f"所有十子盤面中，第一種是 {first}，最後是 {last}。",
        f"Of all positions with ten stones the first is {first} and the last {last}.",
    )
    ten = factorial(13) // (factorial(3) * factorial(5) ** 2)
    nine = factorial(13) // (factorial(4) ** 2 * factorial(5))
    found_by_stones = {each["stones"]: each["positions"] for each in analysis["layers"]}
    for key, stones, computed in (("ten-count", 10, ten), ("nine-count", 9, nine)):
        listed, printed = found_by_stones[stones], document.ROWS[10 - stones].positions
        yield answer.true_if(
            key,
            computed == listed == printed,
            f"公式 {computed}，列舉 {listed}。",
            f"By the formula {computed:,}, listed {listed:,}.",
            f"table/{stones}/positions",
        )
    yield answer.true_if(
        "bits",
        (ten * 8 // 8, nine * 4 // 8) == document.BYTES,
        f"算術：{ten} 與 {nine * 4 // 8}。這裡每個盤面一個 byte，含步數，全部 {facts.table_bytes} bytes。",
        f"Arithmetic: {ten:,} and {nine * 4 // 8:,}. Here a position takes a byte, distance included:"
        f" {facts.table_bytes:,} in all.",
    )
    yield answer.unknown(
        "machine", "當年的機器與編譯器在此不能重現。", "That machine and compiler are not to be had here."
    )
    yield answer.unknown(
        "one-minute",
        f"這台機器上 {facts.seconds:.2f} 秒；當年的時間不能重測。",
        f"{facts.seconds:.2f} s on this machine; the time on that one cannot be measured again.",
    )


def _results(answer: Answers, analysis: Mapping[str, Any]) -> Iterator[Row]:
    layers = {each["stones"]: each for each in analysis["layers"]}
    yield answer.compared("second-wins", "theorem/winner")
    yield answer.compared(
        "ten-stones",
        "table/10/",
        zh="棋盤因這一列而選用，所以相符是必然的。",
        en="The board was chosen by this row, so it agrees by construction.",
    )
    yield answer.compared("nine-to-six", *(f"table/{stones}/" for stones in (9, 8, 7, 6)))
    yield answer.compared("five-to-one", *(f"table/{stones}/" for stones in (5, 4, 3, 2, 1)))
    yield answer.compared("no-stones", "table/0/")
    ten, nine = layers[10], layers[9]
    yield answer.true_if(
        "ten-even",
        abs(ten["won"] - ten["lost"]) < 0.1 * ten["positions"],
        f"勝 {ten['won'] / ten['positions']:.1%}、負 {ten['lost'] / ten['positions']:.1%}。",
        f"{ten['won'] / ten['positions']:.1%} won, {ten['lost'] / ten['positions']:.1%} lost.",
        "table/10/won",
    )
    yield answer.true_if(
        "nine-more-won",
        nine["won"] > 0.9 * nine["positions"],
        f"勝 {nine['won'] / nine['positions']:.1%}。",
        f"{nine['won'] / nine['positions']:.1%} won.",
        "table/9/won",
    )
    yield answer.compared("five-decides", "table/5/won", "theorem/any-first-two")
    yield answer.works("download", PLAY, "在終端機，網頁以後。", "At the terminal; pages come later.")
    yield answer.works(
        "advice", "arena game hint rhombic_chess --moves 7", "任何盤面。", "In any position.", "hints"
    )
    yield answer.unknown(
        "no-human-strategy",
        "沒有提出可以檢驗的策略。",
        "No strategy is given that could be tried.",
    )


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
