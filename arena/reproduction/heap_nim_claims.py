"""Every claim of the heap-Nim document with what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, reduce
from itertools import product
from operator import xor

from arena.reproduction.claims import Answers
from arena.reproduction.documents import heap_nim as document
from arena.reproduction.findings import Comparison, Row
from engines.game import Move
from engines.games.heap_nim import MAX_HEAPS, HeapNim, State
from engines.solvers import Oracle
from engines.strategies.heap_nim import ExclusiveOr
from engines.stream import Stream

PLAY = "arena game play heap_nim --against xor"


def rows(
    game: HeapNim, oracle: Oracle[State], against_code: int, comparisons: Sequence[Comparison]
) -> Iterator[Row]:
    """A row for every claim of the inventory."""
    answer = Answers(comparisons)
    yield answer.unknown("origin", "歷史，文件也只說「據說」。", "A matter of history; it is “said” only.")
    yield answer.works("rules", "arena game rules heap_nim", "規則相同。", "The same rules.")
    yield answer.compared("table-1", "table-1/")
    yield answer.compared("table-2", "table-2/")
    yield answer.compared("safe-rule", "rule/exceptions", "rule/grundy")
    yield _safe_moves(answer, game, oracle)
    unsafe = [heaps for heaps in positions() if reduce(xor, heaps)]
    won = sum(map(wins_always(ExclusiveOr(game).choose, game), unsafe))
    yield answer.true_if(
        "always-wins",
        won == len(unsafe),
        f"由 3、4、5 出發的 {len(unsafe)} 個不安全盤面輪到 xor 時，不論對方怎麼下，xor 在其中 {won} 個必勝。",
        f"Of the {len(unsafe)} unsafe positions that 3, 4, 5 can become the player xor, to move, wins from"
        f" {won}, whatever is answered.",
        "table-2/before",
    )
    yield answer.true_if(
        "computerzug",
        against_code == 0,
        "規則需要「小於」；不安全時每一排都會改變，所有盤面選到同一步。",
        "The rule needs fewer; where the position is unsafe every heap changes, so both choose the"
        " same move.",
        "table-2/hint",
    )
    yield answer.unknown(
        "randommove",
        "文件沒有印出它如何抽取；這裡每個合法步機會相等。",
        "How it draws is not printed; here each legal move is equally likely.",
    )
    yield from _screens(answer, oracle)


def positions() -> Iterator[tuple[int, ...]]:
    """What 3, 4, 5 can become."""
    return product(*(range(held + 1) for held in document.HEAPS))


def wins_always(
    choose: Callable[[State, Sequence[Move], Stream], Move], game: HeapNim
) -> Callable[[tuple[int, ...]], bool]:
    """Whether the side to move wins from given heaps whatever is answered, if it moves as `choose` says."""

    @cache
    def wins(heaps: tuple[int, ...]) -> bool:
        after = game.play(State(heaps, 0), choose(State(heaps, 0), (), Stream("reproduction", *heaps)))
        outcome = game.outcome(after)
        if outcome is not None:
            return outcome.winner == 0
        answers = (game.play(after, move) for move in game.legal_moves(after))
        return all(game.outcome(answer) is None and wins(answer.heaps) for answer in answers)

    return wins


def _safe_moves(answer: Answers, game: HeapNim, oracle: Oracle[State]) -> Row:
    wrong = checked = 0
    for heaps in positions():
        state = State(heaps, 0)
        after = [oracle.value(game.play(state, move)).result for move in game.legal_moves(state)]
        safe = oracle.value(state).result < 0
        checked += 1
        wrong += any(result < 0 for result in after) == safe
    return answer.true_if(
        "safe-moves",
        wrong == 0,
        f"由 3、4、5 出發的 {checked} 個盤面全部符合。",
        f"It holds in all {checked} positions that 3, 4, 5 can become.",
        "rule/exceptions",
    )


def _screens(answer: Answers, oracle: Oracle[State]) -> Iterator[Row]:
    picture = ("圖檔不在文件中，其內容是介面。", "The drawing is missing; what it shows is an interface.")
    yield answer.unknown("figure-1", *picture)
    yield answer.unknown(
        "modules",
        "關於原程式的寫法；原程式不在文件中，只有片段。",
        "It is about how their program is written, of which only pieces are printed.",
    )
    yield answer.works("figure-2", PLAY, "在終端機，網頁以後。", "At the terminal; pages come later.")
    yield answer.works("figure-3", "arena game rules heap_nim", "規則與記法。", "The rules and the notation.")
    yield answer.works(
        "take-to-the-right",
        PLAY,
        "記法 1:2 從第一排取兩個。文件的程式連點擊的那一根也取走（state[row] = col）。",
        "1:2 takes two from heap 1. Their code takes the stick that is clicked too (state[row] = col).",
    )
    yield answer.works("judge", PLAY, "結束原因 took_the_last。", "The end is called took_the_last.")
    yield answer.works(
        "level",
        "arena game play heap_nim --against random",
        "難：--against xor；簡單：--against random。",
        "Hard: --against xor; easy: --against random.",
    )
    yield answer.works(
        "hint",
        "arena game hint heap_nim --moves 1:1",
        "同樣說第幾排、剩幾個。",
        "It tells heap and remainder too.",
        "table-2/hint",
    )
    lost = oracle.value(State(document.HEAPS_AFTER, 0)).result < 0
    yield answer.true_if(
        "hint-in-safe",
        not lost,
        "從 1、4、5 這樣的安全殘局，沒有任何一步能勝，程式的提示只是隨機的一步；hint 會說明是必敗。",
        "From a safe position such as 1, 4, 5 no move wins, and the program's hint there is a random move;"
        " arena game hint says that it is lost.",
        "table-2/safe",
    )
    yield from _choices(answer)


def _choices(answer: Answers) -> Iterator[Row]:
    yield answer.works(
        "two-players",
        "arena game play heap_nim",
        "不給 --against 即兩人輪流。",
        "Without --against two people share it.",
    )
    yield answer.works(
        "heaps-menu",
        'arena game play heap_nim --param "heaps=[3,4,5,6]" --against xor',
        f"3 到 {MAX_HEAPS} 排，各排大小自訂。",
        f"3 to {MAX_HEAPS} heaps, each of any size up to 500.",
        "menu/heaps",
    )
    yield answer.unknown(
        "sticks-a-heap", "文件沒有說 MAXSTICKS 是多少。", "What MAXSTICKS is, it does not say."
    )
    yield answer.unknown(
        "backgrounds",
        "顏色、圖片與音樂檔不在文件中，與下法無關；這裡沒有。",
        "Colours, pictures and music are not in the document and do not touch the game; there are none here.",
    )
    yield answer.works(
        "keys", PLAY, "鍵盤輸入，命令即開始。", "Moves are typed; the command begins the game."
    )
    yield answer.works("restart", PLAY, "再執行一次。", "Run it again.")
    yield answer.works(
        "outlook",
        "arena solve heap_nim --param misere=true",
        "另有 misère 規則。",
        "The misère rule is here too.",
    )
