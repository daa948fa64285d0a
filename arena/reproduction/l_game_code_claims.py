"""What is computed about the claims of the L-Game document on how it writes positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from arena.documents import l_game as document
from arena.documents.texts import Words
from arena.reproduction.claims import Fact, fact
from arena.reproduction.l_game_codes import Coding, bar_of, decode, places
from engines.games.l_game import PLACEMENTS, LGame
from engines.solvers.l_game_positions import POSITIONS

SIDES = {
    "u": Words("上方", "above"),
    "d": Words("下方", "below"),
    "l": Words("左方", "to the left"),
    "r": Words("右方", "to the right"),
}


def codes(analysis: Mapping[str, Any], coding: Coding) -> Iterator[Fact]:
    """About the section on the algorithm."""
    yield from _size(coding)
    yield from _placements(coding)
    yield from _examples()
    yield from _memory(coding)
    yield fact("thirteen", all(row["moves"] % 13 == 0 for row in analysis["moves"]["histogram"]))


def _size(coding: Coding) -> Iterator[Fact]:
    yield fact(
        "encoding-ranges",
        (coding.ranges, coding.codes) == (document.CODE_RANGES, document.POSITIONS),
        codes=coding.codes,
        told=", ".join(f"{low}–{high}" for low, high in coding.ranges),
    )
    least = (coding.codes - 1).bit_length()
    yield fact("nineteen-bits", coding.bits == document.CODE_BITS, bits=coding.bits, least=least)


def _placements(coding: Coding) -> Iterator[Fact]:
    shapes = {shape(placement.squares) for placement in PLACEMENTS}
    yield fact("eight-shapes", len(shapes) == 8, shapes=len(shapes))
    by_foot = Counter(placement.text[:2] for placement in PLACEMENTS).values()
    least, most = min(by_foot), max(by_foot)
    yield fact("four-directions", least == 4, least=least, most=most, all=len(PLACEMENTS))
    yield fact(
        "disc-pairs",
        (coding.disc_pairs, coding.beside) == (document.DISC_PAIRS[0], frozenset({document.DISC_PAIRS[1]})),
        discs=coding.disc_pairs,
        beside=", ".join(map(str, sorted(coding.beside))),
    )


def _examples() -> Iterator[Fact]:
    game, state = LGame(), decode(document.FIGURE_4)
    bars = tuple(
        bar_of(squares, each[:2]) for squares, each in zip(state[:2], document.FIGURE_4[:2], strict=True)
    )
    sides = [SIDES.get(bar, Words(bar, bar)) for bar in bars]
    yield fact(
        "figure-4",
        bars == document.FIGURE_4_BARS and places(state.discs) == set(document.FIGURE_4_DISCS),
        sides=Words("、".join(side.zh for side in sides), " and ".join(side.en for side in sides)),
        discs=", ".join(f"({x},{y})" for x, y in sorted(places(state.discs))),
    )
    state = decode(document.START_CODE)
    moves = len(game.legal_moves(state))
    yield fact("start-code", state == game.initial() and moves == document.FIRST_MOVES, moves=moves)


def _memory(coding: Coding) -> Iterator[Fact]:
    """What is reckoned from the bits and counts above."""
    size = 3 * 2**coding.bits
    yield fact(
        "pointer-memory",
        size // 1024 == document.POINTER_KILOBYTES,
        bits=coding.bits,
        bytes=size,
        kilobytes=size // 1024,
        here=3 * POSITIONS,
    )
    pairs, square = len(coding.numbers), (coding.ranges[6][1] + 1) * (coding.ranges[7][1] + 1)
    yield fact(
        "round-code",
        pairs == document.ROUND_NUMBERS and all(one <= two for one, two in coding.numbers),
        pairs=pairs,
        square=square,
        saved=1 - pairs / square,
    )
    share, used = coding.codes / 2**15, coding.codes / 2**19
    yield fact("close-to-2-15", 1 < share < 1.25, codes=coding.codes, share=share, used=used)


def shape(squares: int) -> int:
    """The L moved to the top left: the same for all placements of one shape."""
    while not squares & 0xF:
        squares >>= 4
    while not squares & 0x1111:
        squares >>= 1
    return squares
