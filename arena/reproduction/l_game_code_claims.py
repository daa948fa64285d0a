"""The claims of the L-Game document about how it writes positions, with what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.reproduction.claims import Answers
from arena.reproduction.documents import l_game as document
from arena.reproduction.findings import Row
from arena.reproduction.l_game_codes import Coding, bar_of, decode, places
from engines.games.l_game import PLACEMENTS, LGame
from engines.solvers.l_game_positions import POSITIONS

SIDES = {"u": "above", "d": "below", "l": "to the left", "r": "to the right"}
SIDES_ZH = {"u": "上方", "d": "下方", "l": "左方", "r": "右方"}


def codes(answer: Answers, analysis: Mapping[str, Any], coding: Coding) -> Iterator[Row]:
    """The rows of the algorithm's section."""
    yield from _size(answer, coding)
    yield from _placements(answer, coding)
    yield from _examples(answer)
    yield from _memory(answer, coding)
    yield answer.compared("fifty-children", "children/mean", "children/fewest", "children/most")
    multiples = all(row["moves"] % 13 == 0 for row in analysis["moves"]["histogram"])
    yield answer.true_if(
        "thirteen",
        multiples,
        "1 + 6 + 6 = 13，所有盤面都符合。",
        "1 + 6 + 6 = 13; it holds in every position.",
        "children/sum",
    )


def _size(answer: Answers, coding: Coding) -> Iterator[Row]:
    told = ", ".join(f"{low}–{high}" for low, high in coding.ranges)
    yield answer.true_if(
        "encoding-ranges",
        (coding.ranges, coding.codes) == (document.CODE_RANGES, document.POSITIONS),
        f"所有盤面寫成 {coding.codes} 個不同的記錄，各數依序為 {told}。",
        f"All positions, written so, are {coding.codes:,} different codes, with the numbers {told} in turn.",
    )
    least = (coding.codes - 1).bit_length()
    yield answer.true_if(
        "nineteen-bits",
        coding.bits == document.CODE_BITS,
        f"這些範圍共需 {coding.bits} bits；盤面其實只需 {least} bits。",
        f"These ranges take {coding.bits} bits; numbering the positions takes {least}.",
    )


def _placements(answer: Answers, coding: Coding) -> Iterator[Row]:
    shapes = {shape(placement.squares) for placement in PLACEMENTS}
    yield answer.true_if(
        "eight-shapes", len(shapes) == 8, f"{len(shapes)} 種，已畫出。", f"{len(shapes)}, drawn.", "figure-3"
    )
    by_foot = [
        sum(each.text[:2] == foot for each in PLACEMENTS) for foot in {each.text[:2] for each in PLACEMENTS}
    ]
    yield answer.true_if(
        "four-directions",
        min(by_foot) == 4,
        f"一個位置有 {min(by_foot)} 到 {max(by_foot)} 種；每個方向至多一種，16 格共 {sum(by_foot)} 種。",
        f"A square has {min(by_foot)} to {max(by_foot)}; never more than one a direction,"
        f" {sum(by_foot)} in all.",
    )
    beside = ", ".join(map(str, sorted(coding.beside)))
    yield answer.true_if(
        "disc-pairs",
        (coding.disc_pairs, coding.beside) == (document.DISC_PAIRS[0], frozenset({document.DISC_PAIRS[1]})),
        f"所有盤面中圓形棋子共有 {coding.disc_pairs} 種位置，兩個 L 放好後各有 {beside} 種。",
        f"In all positions the discs lie on {coding.disc_pairs} pairs of squares, and beside any two Ls on"
        f" {beside}.",
    )


def _examples(answer: Answers) -> Iterator[Row]:
    game = LGame()
    state = decode(document.FIGURE_4)
    bars = tuple(
        bar_of(squares, each[:2]) for squares, each in zip(state[:2], document.FIGURE_4[:2], strict=True)
    )
    discs = ", ".join(f"({x},{y})" for x, y in sorted(places(state.discs)))
    yield answer.true_if(
        "figure-4",
        bars == document.FIGURE_4_BARS and places(state.discs) == set(document.FIGURE_4_DISCS),
        f"讀出的盤面已畫出，應如內文所說：L 在突出點的{'、'.join(map(SIDES_ZH.get, bars, bars))}，"
        f"圓形棋子在 {discs}。",
        "The position read from it, drawn below, is to be what the text says of it: the bars lie"
        f" {' and '.join(map(SIDES.get, bars, bars))} of their feet, the discs on {discs}.",
        "figure-4",
    )
    state = decode(document.START_CODE)
    moves = len(game.legal_moves(state))
    yield answer.true_if(
        "start-code",
        state == game.initial() and moves == document.FIRST_MOVES,
        f"讀出的盤面已畫出，有 {moves} 個對應盤面。",
        f"The position read from it is drawn; it has {moves} following positions.",
        "figure-1",
    )


def _memory(answer: Answers, coding: Coding) -> Iterator[Row]:
    """What is reckoned from the bits and counts above."""
    kilobytes = 3 * 2**coding.bits // 1024
    yield answer.true_if(
        "pointer-memory",
        kilobytes == document.POINTER_KILOBYTES,
        f"算術：3×2^{coding.bits} = {3 * 2**coding.bits} bytes = {kilobytes}K。這裡每個盤面 3 bytes，共"
        f" {3 * POSITIONS} bytes。",
        f"Arithmetic: 3 × 2^{coding.bits} = {3 * 2**coding.bits:,} bytes = {kilobytes}K. The table here has 3"
        f" bytes a position, {3 * POSITIONS:,} in all.",
    )
    pairs, square = len(coding.numbers), (coding.ranges[6][1] + 1) * (coding.ranges[7][1] + 1)
    yield answer.true_if(
        "round-code",
        pairs == document.ROUND_NUMBERS and all(one <= two for one, two in coding.numbers),
        f"所有盤面中 (n1, n2) 有 {pairs} 種；{pairs}/{square} 省 {1 - pairs / square:.0%}，"
        "19 bits 變 18 bits 則剛好省一半的陣列。",
        f"In all positions (n1, n2) is one of {pairs} pairs; {pairs} of {square} saves"
        f" {1 - pairs / square:.0%}, and 18 bits for 19 half of an array.",
    )
    share = coding.codes / 2**15
    yield answer.true_if(
        "close-to-2-15",
        1 < share < 1.25,
        f"{coding.codes} = {share:.2f}×2^15，是 2^19 的 {coding.codes / 2**19:.0%}；編號需要 16 bits。",
        f"{coding.codes:,} is {share:.2f} × 2^15 and {coding.codes / 2**19:.0%} of 2^19; numbers take 16"
        " bits.",
    )


def shape(squares: int) -> int:
    """The L moved to the top left: the same for all placements of one shape."""
    while not squares & 0xF:
        squares >>= 4
    while not squares & 0x1111:
        squares >>= 1
    return squares
