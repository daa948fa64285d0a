"""Pairs of bots that are alike, and two of them side by side."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from arena.results.likeness import Compared, Likeness
from arena.schemas.likeness import (
    LikeFile,
    LikenessOut,
    LikePair,
    LikeSide,
    NotCompared,
    Segment,
    SideBySide,
)
from arena.theory.likeness.comparison import Pair
from arena.theory.likeness.tokens import Code

LAYOUT = "\n\t "


def likeness_of(found: Likeness, threshold: float) -> LikenessOut:
    """What was compared, and the pairs."""
    return LikenessOut(
        threshold=threshold,
        compared=len(found.compared),
        hidden=found.hidden,
        left_out=[NotCompared(team=each.team, bot=each.bot, why=each.why) for each in found.left_out],
        pairs=[_pair(found.compared[pair.first], found.compared[pair.second], pair) for pair in found.pairs],
    )


def _pair(one: Compared, other: Compared, pair: Pair) -> LikePair:
    return LikePair(
        likeness=pair.likeness,
        tokens=pair.tokens,
        passages=len(pair.passages),
        first=_side(one, pair, 0),
        second=_side(other, pair, 1),
    )


def _side(compared: Compared, pair: Pair, seat: int) -> LikeSide:
    return LikeSide(
        team=compared.team,
        bot=compared.bot,
        version=compared.version.number,
        own=pair.own[seat],
        share=min(1.0, pair.shares[seat]),
        cut=compared.code is not None and compared.code.cut,
    )


def side_by_side_of(one: Compared, other: Compared, pair: Pair) -> SideBySide:
    """Both with their source; the passages are numbered as they stand in the first."""
    starts = [(each.first, each.length) for each in pair.passages]
    others = [(each.second, each.length) for each in pair.passages]
    return SideBySide(
        **dict(_pair(one, other, pair)),
        first_files=_files(one.code or Code(), starts),
        second_files=_files(other.code or Code(), others),
    )


def _files(code: Code, passages: Sequence[tuple[int, int]]) -> list[LikeFile]:
    """The files in pieces; `passages` are the first token and the length of each."""
    marks: list[list[tuple[int, int, int]]] = [[] for _ in code.files]
    for number, (start, length) in enumerate(passages, 1):
        file, begin, _ = code.places[start]
        marks[file].append((begin, code.places[start + length - 1][2], number))
    return [
        LikeFile(name=seen(name), segments=_segments(text, sorted(found)))
        for (name, text), found in zip(code.files, marks, strict=True)
    ]


def _segments(text: str, marks: Sequence[tuple[int, int, int]]) -> list[Segment]:
    segments, at = list[Segment](), 0
    for begin, end, number in marks:
        segments.append(Segment(text=seen(text[at:begin]), passage=None))
        segments.append(Segment(text=seen(text[begin:end]), passage=number))
        at = end
    segments.append(Segment(text=seen(text[at:]), passage=None))
    return [each for each in segments if each.text]


def seen(text: str) -> str:
    r"""The text with what cannot be seen, or turns what can be seen around, written as in `\u202e`."""
    return "".join(
        sign if sign in LAYOUT or unicodedata.category(sign)[0] != "C" else f"\\u{ord(sign):04x}"
        for sign in text
    )
