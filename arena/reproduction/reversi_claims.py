"""What is computed about the claims of group 8's report, and its boards drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.documents import reversed_reversi as document
from arena.documents.texts import Words
from arena.reproduction.boards import reversi_board, sheet
from arena.reproduction.claims import Fact, fact
from arena.reproduction.findings import Figure
from arena.reproduction.reversi_facts import Facts, board, playable
from arena.reproduction.reversi_matches import Games, Series
from bots.reference import group8
from engines.games.reversed_reversi import ReversedReversi

QUICKEST = 3_099_998 / 1e6
"""Milliseconds that a match of its second table is said to have taken, and about so many moves has one."""
MOVES = 30


def computed(facts: Facts, series: Series, games: Sequence[Games]) -> Iterator[Fact]:
    """What decides the claims that no comparison does, and the numbers of their answers."""
    corner, unused = group8.WEIGHTS[0], document.FIRST_WEIGHTS[0][0]
    yield fact("corners-lowest", corner == min(group8.WEIGHTS), corner=corner, unused=unused)
    yield fact("reversi-end", facts.misjudged == 0, facts=facts)
    squares, playable_squares = len(group8.WEIGHTS), len(playable(ReversedReversi().initial()))
    others = squares - playable_squares
    yield fact("click-checked", others == 0, squares=squares, playable=playable_squares, others=others)
    yield _strength(games)
    yield fact("return-value", facts.searched_rows > 0, facts=facts)
    printed = [weight for row in document.SEARCH_WEIGHTS for weight in row]
    equal = sum(one == other for one, other in zip(group8.WEIGHTS, printed, strict=True))
    yield fact("heuristic", equal == len(printed), weights=len(printed), equal=equal)
    yield fact("opponent-minus-own", facts.differing == 0, facts=facts)
    yield fact("sign", facts.differing == 0, facts=facts)
    unpruned, pruned = facts.nodes
    yield fact("saves-work", pruned < unpruned, pruned=pruned, unpruned=unpruned)
    own = [each.seconds[0] for each in series]
    yield fact("times", least=min(own), most=max(own))
    quickest = 1000 * min(each.seconds[1] for each in series)
    yield fact("nanoseconds", printed=QUICKEST, a_move=QUICKEST / MOVES, quickest=quickest)
    total = sum(document.CONTRIBUTIONS)
    yield fact("contributions", total == 100, total=total)


def _strength(games: Sequence[Games]) -> Fact:
    rates = Words(
        "；".join(
            f"執 {'XO'[each.seat]} 勝率 {each.rate:.3f}（{each.low:.3f}–{each.high:.3f}，{each.games} 場）"
            for each in games
        ),
        "; ".join(
            f"as {'XO'[each.seat]} {each.rate:.3f} ({each.low:.3f}–{each.high:.3f}, {each.games:,} games)"
            for each in games
        ),
    )
    return fact("best-move", all(each.low > 0.5 for each in games), rates=rates)


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
