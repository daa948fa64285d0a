"""Boards and trees as SVG, drawn with nothing but shapes and figures, so that they need no language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from engines.games.circle_nim import circle
from engines.games.l_game import SIZE
from engines.games.rhombic_chess import NEIGHBOURS, PLACES, POINTS

CELL = 22
GAP = 18
TEXT = 11
GREY, BLACK, WHITE, LINE, SOFT, RED = "#9aa4ae", "#22272e", "#ffffff", "#57606a", "#d7dce1", "#c2410c"


class Picture(NamedTuple):
    """Shapes on a sheet of that width and height, the origin at its top left."""

    width: float
    height: float
    shapes: str


class Node(NamedTuple):
    """A node of a tree: what stands in it, and its children."""

    label: str
    children: tuple[Node, ...] = ()


def sheet(pictures: Sequence[Picture], across: int) -> str:
    """Pictures side by side, so many in a row, as one SVG element in its natural size."""
    rows = [pictures[at : at + across] for at in range(0, len(pictures), across)]
    placed, top, widest = [], 0.0, 0.0
    for row in rows:
        left = 0.0
        for each in row:
            placed.append(f'<g transform="translate({left:g} {top:g})">{each.shapes}</g>')
            left += each.width + GAP
        top += max(each.height for each in row) + GAP
        widest = max(widest, left)
    width, height = widest - GAP, top - GAP
    return (
        f'<svg class="board" viewBox="-2 -2 {width + 4:g} {height + 4:g}" style="max-width: {width + 4:g}px"'
        f' role="img">{"".join(placed)}</svg>'
    )


def l_board(own: int, other: int, discs: int, caption: str = "") -> Picture:
    """An L-Game's board: the grey L is that of the side to move, the other's is black, discs are round."""
    side = SIZE * CELL
    shapes = [_rectangle(0, 0, side, fill=WHITE)]
    for at in range(SIZE * SIZE):
        x, y = at % SIZE * CELL, at // SIZE * CELL
        fill = GREY if own >> at & 1 else BLACK if other >> at & 1 else "none"
        shapes.append(_rectangle(x, y, CELL, fill=fill, stroke=SOFT))
        if discs >> at & 1:
            shapes.append(_disc(x + CELL / 2, y + CELL / 2, CELL * 0.32, WHITE))
    shapes.append(_rectangle(0, 0, side))
    return _captioned(Picture(side, side, "".join(shapes)), caption)


def triangle(
    rows: int, left: int, lines: Iterable[Sequence[int]] = (), labels: Sequence[str] = (), caption: str = ""
) -> Picture:
    """A triangle of circles: those of `left` (a bitboard) are drawn with their labels, others as dots.

    `lines` are circles (numbers from 0) that a stroke goes through in turn.
    """
    step, half = CELL * 1.4, CELL * 0.52
    places = [
        ((rows - 1 - row) * step / 2 + place * step + half, row * step * 0.9 + half)
        for row in range(rows)
        for place in range(row + 1)
    ]
    shapes = []
    for number in range(circle(rows, 0)):
        x, y = places[number]
        if left >> number & 1:
            label = labels[number] if labels else str(number + 1)
            shapes += [_disc(x, y, half, WHITE), _text(x, y + TEXT * 0.35, label)]
        else:
            shapes.append(_disc(x, y, 2, SOFT))
    for line in lines:
        points = " ".join(f"{places[at][0]:g},{places[at][1]:g}" for at in line)
        shapes.append(
            f'<polyline points="{points}" fill="none" stroke="{RED}" stroke-width="3" opacity=".7"/>'
        )
    size = (rows - 1) * step + 2 * half
    return _captioned(Picture(size, (rows - 1) * step * 0.9 + 2 * half, "".join(shapes)), caption)


def rhombus(own: int, other: int, *, numbered: bool = False, caption: str = "") -> Picture:
    """Rhombic chess's board: white stones are those of the side to move, black ones the other's."""
    step, edge = CELL * 1.6, CELL * 0.5
    at = [(edge + (x + 2) * step, edge + (2 - y) * step) for x, y in PLACES]
    shapes = [
        f'<path d="M{at[one][0]:g} {at[one][1]:g}L{at[two][0]:g} {at[two][1]:g}" stroke="{LINE}"/>'
        for one in range(POINTS)
        for two in range(one)
        if NEIGHBOURS[one] >> two & 1
    ]
    for number, (x, y) in enumerate(at):
        stone = WHITE if own >> number & 1 else BLACK if other >> number & 1 else ""
        shapes.append(_disc(x, y, CELL * 0.4 if stone or numbered else 3, stone or WHITE))
        if numbered:
            shapes.append(_text(x, y + TEXT * 0.35, str(number + 1)))
    size = 4 * step + 2 * edge
    return _captioned(Picture(size, size, "".join(shapes)), caption)


def reversi_board(rows: Sequence[str], marked: Iterable[tuple[int, int]] = (), caption: str = "") -> Picture:
    """Squares with X, O or nothing, numbered from 0 as an array is; `marked` (row, column) have a frame."""
    shapes = []
    framed = set(marked)
    for row, line in enumerate(rows):
        shapes.append(_text(-2, (row + 0.7) * CELL, str(row), "end"))
        shapes.append(_text((row + 0.5) * CELL, -4, str(row)))
        for column, disc in enumerate(line):
            x, y = column * CELL, row * CELL
            shapes.append(_rectangle(x, y, CELL, fill=WHITE, stroke=SOFT))
            if (row, column) in framed:
                shapes.append(_rectangle(x + 2, y + 2, CELL - 4, stroke=RED))
            if disc == "O":
                shapes.append(_disc(x + CELL / 2, y + CELL / 2, CELL * 0.34, "none"))
            elif disc == "X":
                shapes.append(
                    f'<path d="M{x + 5} {y + 5}l12 12m0-12l-12 12" stroke="{BLACK}" stroke-width="2"/>'
                )
    side = len(rows) * CELL
    inner = f'<g transform="translate(12 14)">{"".join(shapes)}</g>'
    return _captioned(Picture(side + 12, side + 14, inner), caption)


def tree(root: Node, caption: str = "") -> Picture:
    """A tree from the top down."""
    wide, deep = 58, 46
    shapes: list[str] = []

    def place(node: Node, left: float, level: int) -> tuple[float, float]:
        """The node's middle, and where the next one may begin."""
        middles, free = [], left
        for child in node.children:
            middle, free = place(child, free, level + 1)
            middles.append(middle)
        here = (middles[0] + middles[-1]) / 2 if middles else left + wide / 2
        shapes.extend(
            f'<path d="M{here:g} {level * deep + 22}L{middle:g} {(level + 1) * deep}" stroke="{LINE}"/>'
            for middle in middles
        )
        shapes.append(_rectangle(here - wide / 2 + 3, level * deep, wide - 6, 22, fill=WHITE))
        shapes.append(_text(here, level * deep + 15, node.label))
        return here, max(free, left + wide)

    _, width = place(root, 0, 0)
    return _captioned(Picture(width, _levels(root) * deep - 24, "".join(shapes)), caption)


def _levels(node: Node) -> int:
    return 1 + max(map(_levels, node.children), default=0)


def _captioned(picture: Picture, caption: str) -> Picture:
    if not caption:
        return picture
    width, height, shapes = picture
    return Picture(width, height + 16, shapes + _text(width / 2, height + 13, caption))


def _rectangle(x: float, y: float, *size: float, fill: str = "none", stroke: str = LINE) -> str:
    """One of that width and height, or a square."""
    width, height = size[0], size[-1]
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" stroke="{stroke}"/>'
    )


def _disc(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{LINE}"/>'


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{TEXT}" text-anchor="{anchor}">{escape(text)}</text>'
