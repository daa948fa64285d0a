"""The learning curve of a training as a picture: SVG that is the same for the same numbers, byte for byte."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

WIDTH: Final = 720
PANEL: Final = 240
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 40, 44
MAX_LEVELS: Final = 6
OURS, BESIDE, LIGHT, TEXT = "#0b6e99", "#c2410c", "#d4d4d8", "#3f3f46"
HEAD: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    ' role="img" font-family="system-ui, sans-serif" font-size="13">'
)


class Learning(NamedTuple):
    """A round: its `games`, errors in discs, and its share of the points with the interval around it.

    `error` is that on games held out, `taught` that on the games that the weights were fitted to.
    """

    games: int
    error: float
    taught: float
    share: float
    low: float
    high: float


class _Panel(NamedTuple):
    """A part of the picture: where its levels are, and what lies between them."""

    top: float
    levels: Sequence[float]
    rounds: int

    def x(self, number: int) -> float:
        """Where a round stands, counted from 0."""
        return round(LEFT + (number + 0.5) / self.rounds * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        """Where a value stands."""
        share = (value - self.levels[0]) / (self.levels[-1] - self.levels[0])
        return round(self.top + PANEL - BOTTOM - share * (PANEL - TOP - BOTTOM), 1)


def curve(rounds: Sequence[Learning]) -> Iterator[bytes]:
    """The lines of the picture: the errors above, and below what each round won against the one before."""
    errors = [error for each in rounds for error in (each.error, each.taught)]
    above = _Panel(0, _levels(min(errors), max(errors)), len(rounds))
    percent = [100 * share for each in rounds for share in (each.low, each.high)]
    below = _Panel(PANEL, _levels(min(50.0, *percent), max(50.0, *percent)), len(rounds))
    yield _line(HEAD.format(width=WIDTH, height=2 * PANEL))
    yield _line(f'<rect width="{WIDTH}" height="{2 * PANEL}" fill="#ffffff"/>')
    yield from _frame(above, rounds, "Root mean square error, in discs")
    yield from _key(above, ("games held out", OURS), ("games that taught", BESIDE))
    yield from _path(above, [each.taught for each in rounds], BESIDE)
    yield from _path(above, [each.error for each in rounds], OURS)
    yield from _frame(below, rounds, "Points against the round before, in %, with 95 % intervals")
    yield _line(_rule(below, 50, TEXT, ' stroke-dasharray="4 4"'))
    for number, each in enumerate(rounds):
        x, low, high = below.x(number), below.y(100 * each.low), below.y(100 * each.high)
        yield _line(f'<path d="M{x} {low}V{high}" stroke="{OURS}"/>')
    yield from _path(below, [100 * each.share for each in rounds], OURS)
    yield _line("</svg>")


def _frame(panel: _Panel, rounds: Sequence[Learning], title: str) -> Iterator[bytes]:
    """The title, the levels and the rounds of a part."""
    yield _line(_text(LEFT, panel.top + 20, title, ' font-weight="bold"'))
    for level in panel.levels:
        yield _line(_rule(panel, level, LIGHT))
        yield _line(_text(LEFT - 8, panel.y(level) + 4, f"{level:g}", ' text-anchor="end"'))
    for number, each in enumerate(rounds):
        words = f"round {number + 1}", f"{each.games:,} games"
        for row, word in enumerate(words):
            y = panel.top + PANEL - BOTTOM + 18 + 15 * row
            yield _line(_text(panel.x(number), y, word, ' text-anchor="middle"'))


def _key(panel: _Panel, *lines: tuple[str, str]) -> Iterator[bytes]:
    """Which line is which."""
    for number, (name, colour) in enumerate(lines):
        x = WIDTH - RIGHT - 160 * (len(lines) - number)
        yield _line(f'<path d="M{x} {panel.top + 16}h20" stroke="{colour}" stroke-width="2"/>')
        yield _line(_text(x + 26, panel.top + 20, name))


def _path(panel: _Panel, values: Sequence[float], colour: str) -> Iterator[bytes]:
    """A line through values, a mark at each."""
    places = [(panel.x(number), panel.y(value)) for number, value in enumerate(values)]
    points = " ".join(f"{x},{y}" for x, y in places)
    yield _line(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for x, y in places:
        yield _line(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>')


def _rule(panel: _Panel, level: float, colour: str, more: str = "") -> str:
    return f'<path d="M{LEFT} {panel.y(level)}H{WIDTH - RIGHT}" stroke="{colour}"{more}/>'


def _text(x: float, y: float, words: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" fill="{TEXT}"{more}>{words}</text>'


def _line(text: str) -> bytes:
    return f"{text}\n".encode()


def _levels(low: float, high: float) -> list[float]:
    """Two to seven round numbers, evenly spaced, between which both lie."""
    exponent = math.floor(math.log10(max(high - low, 1e-6)))
    steps = (factor * 10.0**power for power in (exponent - 1, exponent, exponent + 1) for factor in (1, 2, 5))
    for step in steps:
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if last - first <= MAX_LEVELS:
            break
    return [round(step * number, 9) for number in range(first, max(last, first + 1) + 1)]
