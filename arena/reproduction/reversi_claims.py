"""Every claim of group 8's report with what became of it, and its boards drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.reproduction.boards import reversi_board, sheet
from arena.reproduction.claims import Answers
from arena.reproduction.documents import reversed_reversi as document
from arena.reproduction.findings import Comparison, Figure, Row, Words
from arena.reproduction.reversi_facts import Facts, board, playable
from arena.reproduction.reversi_matches import Games, Series
from bots.reference import group8
from engines.games.reversed_reversi import ReversedReversi

PLAY = "arena game play reversed_reversi --against group8"
MATCH = "arena match run @group8 @random --game reversed_reversi -n 2"


def rows(
    facts: Facts, series: Series, games: Sequence[Games], comparisons: Sequence[Comparison]
) -> Iterator[Row]:
    """A row for every claim of the inventory."""
    answer = Answers(comparisons)
    yield from _rules(answer)
    yield from _program(answer, facts)
    yield from _search(answer, facts, games)
    yield from _screens(answer)
    yield from _results(answer, series)


def _rules(answer: Answers) -> Iterator[Row]:
    yield answer.compared("opening", "opening/x", "opening/o")
    yield answer.compared("figure-1-1", "opening/playable")
    yield answer.compared(
        "figure-1-2",
        "opening/example",
        zh="圖檔不在文件中；說明見上。",
        en="The drawing is missing; see the comment above.",
    )
    yield answer.works("order", "arena game rules reversed_reversi", "規則相同。", "The same rule.")
    yield answer.works("flipping", "arena game rules reversed_reversi", "規則相同。", "The same rule.")
    yield answer.works("fewer-win", "arena game rules reversed_reversi", "規則相同。", "The same rule.")
    yield answer.compared("time-rule", "time/")


def _program(answer: Answers, facts: Facts) -> Iterator[Row]:
    unused = (
        "搜尋只讀 heuristic 裡的另一張表；這張表從未被讀取（見表）。",
        "The search reads another table, inside heuristic; this one is never read (see the table).",
    )
    yield answer.true_if("weight-table", False, *unused, "first-weights")
    yield answer.true_if(
        "weight-change",
        False,
        "它只改那張沒有被讀取的表，下法不受影響。",
        "It changes only the table that is never read: no move depends on it.",
        "first-weights",
    )
    corner = group8.WEIGHTS[0]
    yield answer.true_if(
        "corners-lowest",
        corner == min(group8.WEIGHTS),
        f"搜尋用的表中角落是最高的 {corner}；未用的表中最低是 {document.FIRST_WEIGHTS[0][0]}，與中央四"
        "格相同。",
        f"In the table that the search reads a corner has the highest, {corner}; in the unused one"
        f" {document.FIRST_WEIGHTS[0][0]}, as the four squares in the middle have.",
        "first-weights",
    )
    yield answer.true_if(
        "reversi-end",
        facts.misjudged == 0,
        f"程式在翻棋當時用上一步之後的子數（wcount、bcount）宣布勝負：{facts.games} 場隨機對局中有"
        f" {facts.misjudged} 場宣布錯。",
        "When the last disc is placed the program goes by the discs counted before it (wcount, bcount): of"
        f" {facts.games} random games it announces {facts.misjudged} wrongly.",
    )
    yield answer.works("game-over", PLAY, "雙方都無處可下即結束。", "It ends when neither side has a square.")


def _search(answer: Answers, facts: Facts, games: Sequence[Games]) -> Iterator[Row]:
    yield answer.true_if(
        "depth",
        False,
        "根節點之後還有五層，放六顆子，而且全是自己的：搜尋從不換邊。",
        "With the root it places six discs, and all are its own: the search never changes sides.",
    )
    told_zh = "；".join(
        f"執 {'XO'[each.seat]} 勝率 {each.rate:.3f}（{each.low:.3f}–{each.high:.3f}，{each.games} 場）"
        for each in games
    )
    told_en = "; ".join(
        f"as {'XO'[each.seat]} {each.rate:.3f} ({each.low:.3f}–{each.high:.3f}, {each.games:,} games)"
        for each in games
    )
    yield answer.true_if(
        "best-move",
        all(each.low > 0.5 for each in games),
        f"對隨機：{told_zh}。",
        f"Its winning rate against random moves: {told_en}.",
        "results",
    )
    yield answer.true_if(
        "min-is-own",
        False,
        "第一層以 True（max）呼叫，根節點也取最大；每一層放的都是己方的子。",
        "The first level is called with True (max), and the root takes the maximum as well; every level"
        " places its own discs.",
    )
    yield answer.true_if(
        "return-value",
        facts.searched_rows > 0,
        f"照印出的縮排只會看第一列：開局的 {facts.first_moves} 步之後第一列都沒有可下之處（"
        f"{facts.searched_rows}），"
        "分數全是負無限，落子 (-1, -1)。比賽用的程式應是在兩個迴圈之後才 return。",
        f"As printed it looks at the first row only. After none of the {facts.first_moves} first moves is a"
        f" square there playable ({facts.searched_rows}), so every score is minus infinity and the move (-1,"
        " -1). What was played in class must have returned after both loops.",
    )
    yield from _evaluation(answer, facts)


def _evaluation(answer: Answers, facts: Facts) -> Iterator[Row]:
    printed = tuple(weight for row in document.SEARCH_WEIGHTS for weight in row)
    equal = sum(one == other for one, other in zip(group8.WEIGHTS, printed, strict=True))
    yield answer.true_if(
        "heuristic",
        equal == len(printed),
        f"bot group8 的 {len(printed)} 個權重中 {equal} 個與印出的相同。",
        f"Of the {len(printed)} weights of the bot group8 {equal} are those printed.",
    )
    yield answer.true_if(
        "opponent-minus-own",
        facts.differing == 0,
        "my_score 是 X 的權重，不是己方的：只在執 X 時如此。己方棋子相同的 "
        f"{facts.boards} 個盤面中，執 X 與執 O 在 {facts.differing} 個選了不同的一步。",
        "What it calls my_score are X's weights, whoever's turn it is: it is so as X only. Of"
        f" {facts.boards} boards with the same discs for its own it chooses differently as X and as O on"
        f" {facts.differing}.",
    )
    yield answer.true_if(
        "sign",
        facts.differing == 0,
        "評分永遠是 O 減 X：執 X 時要自己占壞位置，合乎少子者勝；執 O 時卻要占好位置，正負號錯了，"
        f"所以 {facts.boards} 個盤面中有 {facts.differing} 個兩方選了不同的一步。",
        "The score is always O's weights minus X's. As X it wants bad squares, which suits fewest discs; as"
        " O it wants good ones: the sign is wrong. So with the same discs for its own it chooses differently"
        f" as either on {facts.differing} of {facts.boards} boards.",
        "results",
    )
    unpruned, pruned = facts.nodes
    yield answer.true_if(
        "saves-work",
        pruned < unpruned,
        f"為第一步評估 {pruned} 個盤面，不剪枝為 {unpruned} 個。myAI 對每一步都以完整的範圍重新呼叫 "
        "alpha_beta；break 只離開內層迴圈，其餘各列仍各看一格。",
        f"For its first move it judges {pruned:,} boards, {unpruned:,} without pruning. But myAI calls"
        " alpha_beta afresh for every move, with nothing excluded, and break leaves the inner loop only, so"
        " one square of each further row is still searched.",
    )


def _screens(answer: Answers) -> Iterator[Row]:
    later = ("在終端機，網頁以後。", "At the terminal; pages come later.")
    yield answer.works("colours", PLAY, *later)
    yield answer.works(
        "modes", f"{PLAY} --seat 1", "--seat 0 先手，--seat 1 後手。", "--seat 0 begins, --seat 1 is second."
    )
    yield answer.works("click", PLAY, "輸入座標，例如 e3。", "Squares are typed, such as e3.")
    yield answer.works("restart", PLAY, "再執行一次。", "Run it again.")
    yield answer.works("score-shown", PLAY, "結束時顯示子數。", "The discs are told at the end.")
    yield answer.works(
        "note",
        f"{MATCH} --record games.jsonl",
        "每一步與用時都有紀錄。",
        "Every move and its time is recorded.",
    )
    yield answer.works("screen", PLAY, *later)


def _results(answer: Answers, series: Series) -> Iterator[Row]:
    for number in (1, 2):
        yield answer.compared(
            f"results-{number}",
            f"results/{number}/",
            zh="依規則少子者勝，名次應相反。",
            en="By its rule fewer discs win, and the places should be the other way round.",
        )
    own = [each.seconds[0] for each in series]
    yield answer.unknown(
        "times",
        f"當年的機器不在這裡；同一程式在這台機器上一局用 {min(own):.2f} 到 {max(own):.2f} 秒。",
        "The machines are not here; the same program takes"
        f" {min(own):.2f} to {max(own):.2f} s a match on this one.",
        "results",
    )
    quick = min(each.seconds[1] for each in series)
    printed = 3_099_998 / 1e6
    yield answer.unknown(
        "nanoseconds",
        f"{printed:.1f} 毫秒下完一局，每步約 {printed / 30:.2f} 毫秒；這裡只看一步或隨機下的對手一局最快也要"
        f" {1000 * quick:.1f} 毫秒。單位或來源可能寫錯，無從查證。",
        f"That is {printed:.1f} ms for a match, about {printed / 30:.2f} ms a move. Opponents here that look"
        f" one move ahead or none took {1000 * quick:.1f} ms at least. Unit or source may be wrong; it"
        " cannot be checked.",
        "results",
    )
    yield answer.true_if(
        "rounds",
        False,
        "前後不合：進了八強就不會止步十六強。",
        "They do not fit: whoever is among the last eight has not stopped among the last sixteen.",
        "results",
    )
    total = sum(document.CONTRIBUTIONS)
    yield answer.true_if("contributions", total == 100, f"合計 {total}%。", f"They add up to {total} %.")
    yield answer.works(
        "no-training", MATCH, "bot group8 同樣沒有訓練。", "Nor is anything trained in the bot group8."
    )


def figures() -> Iterator[Figure]:
    """The opening, and the example's moves with the colours exchanged."""
    game = ReversedReversi()
    start = game.initial()
    yield Figure(
        "figure-1-1",
        Words("圖 1-1　開局與可下之處", "Figure 1-1. The opening and where X may play"),
        sheet([reversi_board(board(start), playable(start))], 1),
    )
    first, second = document.EXAMPLE_MOVES
    exchanged = start._replace(own=start.opp, opp=start.own)
    after = game.play(exchanged, game.move_from_text(_square(first)))
    yield Figure(
        "figure-1-2",
        Words(
            "圖 1-2　雙方棋子互換後才能下 X(3,2)（左）；框線是例子接著的 O(2,1)（右），以及 O 真正可下"
            "之處（中）",
            "Figure 1-2. X at (3,2) is legal only with the colours exchanged (left); framed: where O may"
            " then play (middle), and the example's O at (2,1) (right)",
        ),
        sheet(
            [
                reversi_board(board(exchanged), [first]),
                reversi_board(board(after), playable(after)),
                reversi_board(board(after), [second]),
            ],
            3,
        ),
    )


def _square(at: tuple[int, int]) -> str:
    return f"{'abcdefgh'[at[1]]}{at[0] + 1}"
