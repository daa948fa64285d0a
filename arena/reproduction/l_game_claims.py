"""Every claim of the L-Game document with what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from arena.reproduction.claims import Answers
from arena.reproduction.documents import l_game as document
from arena.reproduction.findings import Comparison, Row
from arena.reproduction.l_game_code_claims import codes
from arena.reproduction.l_game_codes import decode
from arena.reproduction.l_game_facts import TRIALS, Facts
from engines.games.l_game import PLACEMENTS, LGame

PLAY = "arena game play l_game --against perfect"


def rows(analysis: Mapping[str, Any], facts: Facts, comparisons: Sequence[Comparison]) -> Iterator[Row]:
    """A row for every claim of the inventory."""
    answer = Answers(comparisons)
    yield from _history(answer)
    yield from _counts(answer, analysis)
    yield from _introduction(answer, analysis, facts)
    yield from codes(answer, analysis, facts.coding)
    yield from _tree(answer, facts)
    yield from _results(answer, analysis, facts)
    yield from _special(answer, analysis)
    yield from _program(answer)


def _history(answer: Answers) -> Iterator[Row]:
    yield answer.unknown(
        "inventor", "歷史事實，不能由計算得知。", "A matter of history: no computation can tell."
    )
    yield answer.unknown(
        "addresses",
        "網址上的程式在此無法取得，其行為不能查證。",
        "The program at these addresses cannot be had here, so what it does cannot be checked.",
    )
    yield answer.unknown(
        "machine",
        "當年的機器與編譯器在此不能重現。",
        "That machine and compiler are not to be had here.",
    )
    yield answer.unknown(
        "human-memory",
        "關於人的心理，沒有受試者就不能得知。",
        "It is about people's minds, and cannot be known without asking some.",
    )


def _counts(answer: Answers, analysis: Mapping[str, Any]) -> Iterator[Row]:
    start = analysis["start"]
    yield answer.compared("positions", "positions/both", "positions/side", "positions/symmetry")
    yield answer.compared(
        "nodes",
        *(f"positions/{name}" for name in ("win", "win-symmetry", "lose", "lose-both", "lose-symmetry")),
    )
    yield answer.true_if(
        "no-advantage",
        not start["forced_win"],
        f"起始盤面的精確值是 {start['result']}：先手不勝也不敗。",
        f"The first position is {start['result']}: whoever begins neither wins nor loses by it.",
        "claims/forced-win",
    )
    yield answer.compared("no-winning-strategy", "claims/forced-win")
    yield answer.compared("children-table", "children/")
    yield answer.compared("win-children-table", "win-children/")
    likely = next(each for each in analysis["many_moves"] if each["at_least"] == document.LIKELY_WIN_CHILDREN)
    yield answer.compared("many-children", "claims/195", "claims/169")
    yield answer.true_if(
        "thirteen-placements",
        likely["won"] == likely["positions"],
        f"{likely['positions']} 個盤面全部必勝，其中 {likely['won_at_once']} 個一步即勝。",
        f"All {likely['positions']} positions are won, {likely['won_at_once']} of them at once.",
        "claims/169",
    )
    for key, hint in (
        ("hint-corner", "off-the-corner"),
        ("hint-symmetry", "not-symmetric"),
        ("hint-disc", "disc-touches"),
        ("hint-inside", "inside-the-other"),
    ):
        yield answer.compared(key, f"hints/{hint}")


def _introduction(answer: Answers, analysis: Mapping[str, Any], facts: Facts) -> Iterator[Row]:
    yield answer.works(
        "rules",
        "arena game rules l_game",
        "規則相同，輸掉是唯一的結束方式。",
        "The same rules; being unable to move is the only end.",
    )
    first, last = facts.trained[0], facts.trained[-1]
    table = "; ".join(f"{each.games:,}: {each.won}–{each.drawn}–{each.lost}" for each in facts.trained)
    yield answer.true_if(
        "learner-1985",
        last.lost < first.lost,
        f"照描述寫成 learner，與只看一步的 person 練習。練習場數: 之後 {TRIALS} 場的勝–和–敗 {table}。",
        "Written as described, as the player learner, and trained with person, who sees one move ahead."
        f" Games of training: won–drawn–lost of {TRIALS} after it {table}.",
        "learner",
    )
    every = document.WIN_NODES_A_SIDE
    yield answer.true_if(
        "learner-complete",
        last.known == every,
        f"練習 {last.games:,} 場後，它認得每方 {every} 個 WinNode 中的 {last.known} 個；但只記最近的失敗，"
        "較長的必敗不一定避得開。",
        f"After {last.games:,} games it knows {last.known} of the {every} WinNodes a side. It keeps the"
        " nearest defeat only, so longer ones are not always avoided.",
        "learner",
    )
    yield from _moves(answer, analysis, facts)


def _moves(answer: Answers, analysis: Mapping[str, Any], facts: Facts) -> Iterator[Row]:
    yield answer.true_if("five-features", False, "文件說五個，列出的是六個。", "It says five and lists six.")
    coding = facts.coding
    yield answer.true_if(
        "pieces-and-board",
        (coding.pieces, coding.squares) == (frozenset({document.PIECES}), document.SQUARES),
        f"所有盤面中每方的格子都是 {_list(coding.pieces)} 個相連的棋子，共用到 {coding.squares} 格；L 有"
        f" {len(PLACEMENTS)} 種擺法。",
        f"In all positions a side's squares are {_list(coding.pieces)} connected piece, and"
        f" {coding.squares} squares are used. An L has {len(PLACEMENTS)} placements.",
    )
    yield answer.works(
        "ends-only-blocked",
        "arena simulate l_game --first random --second random --games 100000 --max-plies 100000",
        "規則中唯一的結束是 cannot_place；對局中另有重複三次與步數上限的和局。",
        "By the rules the only end is cannot_place; a match also ends by threefold repetition or a ply"
        " limit.",
    )
    mean, many = analysis["moves"]["mean"], document.POSITIONS - facts.few_moves
    yield answer.true_if(
        "fifty-moves",
        facts.few_moves == 0,
        f"平均 {mean:.2f} 種，但 {document.POSITIONS} 個盤面中 {facts.few_moves} 個不到 50 種"
        f"（{many} 個有 50 種以上）。",
        f"On average {mean:.2f}, but {facts.few_moves:,} of {document.POSITIONS:,} positions have fewer than"
        f" 50 ({many:,} have 50 or more).",
        "children/mean",
    )
    ahead = max(each["plies"] for each in analysis["distances"])
    yield answer.true_if(
        "no-computer",
        ahead < 2 * document.FORESEEN,
        f"所有盤面的精確值在這台機器上用 {facts.seconds:.2f} 秒算出，最遠的勝負在 {ahead} 步之後。",
        f"The exact values of all positions took {facts.seconds:.2f} s on this machine; the farthest win is"
        f" {ahead} plies ahead.",
    )
    yield answer.true_if(
        "eight-symmetries",
        facts.orbits == {8},
        f"沒有對稱於自己的盤面：每組對稱盤面的個數是 {sorted(facts.orbits)}。",
        "No position is symmetric to itself: sets of symmetric positions have the sizes"
        f" {sorted(facts.orbits)}.",
    )


def _tree(answer: Answers, facts: Facts) -> Iterator[Row]:
    low, high = facts.predecessors[0], facts.predecessors[-1]
    printed = document.PREDECESSORS_OF_A_LOSE_NODE
    yield answer.true_if(
        "predecessors",
        printed in facts.predecessors,
        f"每方 {len(facts.predecessors)} 個 LoseNode 的前一步各有 {low} 到 {high} 個，沒有一個是"
        f" {printed} 個。",
        f"The {len(facts.predecessors)} LoseNodes of a side have {low} to {high} predecessors each; none has"
        f" {printed}.",
    )
    yield answer.unknown(
        "figure-5",
        "編號取決於程式產生下一步的順序，文件沒有說明；值不受影響。",
        "The numbers follow the order in which the program made moves, which is not told; no value"
        " depends on it.",
    )
    yield answer.works(
        "backwards",
        "arena solve l_game",
        "以反推分析求得所有盤面的值。",
        "The values of all positions are found backwards (retrograde analysis).",
        "positions/win",
    )
    shares = [(wrong, ways, f"{wrong / ways:.1%}") for wrong, ways in facts.chances]
    yield answer.true_if(
        "figure-8",
        [int(100 * wrong / ways) for wrong, ways in facts.chances] == list(document.CHANCES),
        "同一棵樹算出 " + "、".join(f"{a}/{b} = {told}" for a, b, told in shares) + "；文件捨去了小數。",
        "The same tree gives "
        + " and ".join(f"{a}/{b} = {told}" for a, b, told in shares)
        + "; the document cuts"
        " the decimals off.",
        "figure-8",
    )
    yield answer.works(
        "best-by-chance",
        "arena game hint l_game",
        "perfect 在和局中依此選擇。",
        "In drawn positions the player perfect chooses by it.",
    )
    yield answer.unknown(
        "two-minutes",
        f"這台機器上 {facts.seconds:.2f} 秒；當年的時間不能重測。",
        f"{facts.seconds:.2f} s on this machine; the time on that one cannot be measured again.",
    )


def _results(answer: Answers, analysis: Mapping[str, Any], facts: Facts) -> Iterator[Row]:
    yield answer.unknown(
        "figure-2",
        "圖檔不在文件中；它是 15 種必輸盤面之一，全部畫在下面。",
        "The drawing is missing; it is one of the 15 losing positions, all of which are drawn below.",
        "fifteen-boards",
    )
    yield answer.true_if(
        "figure-1",
        decode(document.START_CODE) == LGame().initial(),
        "圖檔不在文件中；由記錄 [(1,0,3),(2,3,2),(0,6),0] 畫出。",
        "The drawing is missing; it is drawn from the code [(1,0,3),(2,3,2),(0,6),0].",
        "figure-1",
    )
    yield answer.unknown(
        "figure-7",
        "圖檔不在文件中；下面畫的是我們找到的同類例子，說法在其中成立。",
        "The drawing is missing. An example of the same kind is drawn below, found here; what is said"
        " holds in it.",
        "figure-7",
    )
    yield from _lost_positions(answer, analysis, facts)


def _lost_positions(answer: Answers, analysis: Mapping[str, Any], facts: Facts) -> Iterator[Row]:
    lost = [each for each in analysis["lost_positions"] if each["round"] == 0]
    yield answer.true_if(
        "fifteen-boards",
        len(lost) == document.LOSE_NODES_UP_TO_SYMMETRY,
        f"{len(lost)} 種，全部畫出（去除對稱）。",
        f"{len(lost)} up to symmetry, all drawn.",
        "fifteen-boards",
    )
    yield answer.compared(
        "twelve-in-corner",
        "claims/corner",
        zh="指 L 的直角在角落；15 種的 L 都佔到某個角落。",
        en="It is the right angle that is meant; in all 15 the L covers some corner.",
    )
    corners = {each["which"]: each for each in analysis["corners"]}
    everywhere = sum(each["angle_in_corner"] for each in corners.values())
    all_lost = sum(each["positions"] for each in corners.values())
    no_move = corners["no move"]
    yield answer.true_if(
        "eighty-percent",
        round(100 * no_move["angle_in_corner"] / no_move["positions"]) == 80,
        f"15 種中 {no_move['angle_in_corner']} 種；連同遲早會輸的共 {all_lost} 種中 {everywhere} 種"
        f"（{everywhere / all_lost:.0%}）。",
        f"{no_move['angle_in_corner']} of the 15; with those lost sooner or later {everywhere} of {all_lost}"
        f" ({everywhere / all_lost:.0%}).",
        "claims/corner",
    )
    walked = facts.perfect
    yield answer.true_if(
        "never-loses",
        walked.lost == 0,
        f"不論先後手、不論對方怎麼下，perfect 輪到時可能遇到 {walked.positions} 個盤面，其中無法移動的有"
        f" {walked.lost} 個。原程式不能查證。",
        f"In either seat and whatever is answered the player perfect comes to {walked.positions:,} positions"
        f" at its turns; in {walked.lost} of them it cannot move. Their own program cannot be checked.",
        "claims/forced-win",
    )
    yield answer.works(
        "best-successors-file",
        "arena solve l_game --table l_game.csv",
        f"每方 {document.POSITIONS_A_SIDE} 個盤面的值、步數與最佳下一步；另一方相同。",
        f"Value, distance and best moves of the {document.POSITIONS_A_SIDE:,} positions of a side; the"
        " other's are the same.",
    )


def _special(answer: Answers, analysis: Mapping[str, Any]) -> Iterator[Row]:
    special = [each for each in analysis["lost_positions"] if each["round"] > 0]
    by_round = [sum(each["round"] == number for each in special) for number in range(1, 5)]
    yield answer.compared("special-48", "rounds/1")
    yield answer.true_if(
        "figure-9",
        (by_round[0], by_round[1], sum(by_round[2:])) == document.SPECIAL_BOARDS,
        f"{by_round[0]} + {by_round[1]} + {sum(by_round[2:])} 個，全部畫出。",
        f"{by_round[0]} + {by_round[1]} + {sum(by_round[2:])}, all drawn.",
        "figure-9",
    )
    moves = [each["moves"] for each in special]
    six = [each["moves"] for each in special if each["round"] <= 2]
    yield answer.true_if(
        "thirteen-moves",
        set(six) == {13},
        f"前六個各有 {_list(six)} 種下法，全部必輸；後八個有 {_list(moves[6:])} 種。",
        f"The first six have {_list(six)} moves, all of which lose; the other eight have {_list(moves[6:])}.",
        "figure-9",
    )
    yield answer.compared("growing", *(f"rounds/{number}" for number in range(1, 5)), "rounds/number")
    yield answer.compared("last-win-nodes", "rounds/win")
    drawn = analysis["values"]["drawn"]["a_side"]
    yield answer.true_if(
        "not-all-solved",
        drawn > 0,
        f"每方還有 {drawn} 個盤面可以無限纏鬥。",
        f"{drawn:,} positions a side can be held for ever.",
    )
    corner = next(each for each in analysis["corners"] if each["which"] == "special")
    yield answer.true_if(
        "special-in-corner",
        corner["angle_in_corner"] > corner["positions"] / 2,
        f"{corner['positions']} 種中 {corner['angle_in_corner']} 種的直角在角落，"
        f"{corner['covers_corner']} 種佔到角落。",
        f"Of {corner['positions']} the right angle is in a corner in {corner['angle_in_corner']}, and"
        f" {corner['covers_corner']} cover one.",
        "figure-9",
    )
    yield answer.compared("special-112", "rounds/side")


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(set(numbers))))


def _program(answer: Answers) -> Iterator[Row]:
    yield answer.works("web-program", PLAY, "目前在終端機，網頁以後。", "At the terminal; pages come later.")
    yield answer.works("screen-start", f"{PLAY} --seat 1", "以 --seat 選擇先後。", "--seat says who begins.")
    yield answer.works(
        "screen-choose",
        PLAY,
        "輸入 moves 列出所有下法，hint 給最佳下法。",
        "moves lists every move, hint the best ones.",
    )
    yield answer.works(
        "screen-answer", PLAY, "每步之後畫出盤面與對手的下法。", "The bot's move and the board are shown."
    )
    yield answer.works(
        "screen-lost",
        PLAY,
        "結束時說明誰勝；再執行一次即重新開始。",
        "The end says who has won; run it again to restart.",
    )
