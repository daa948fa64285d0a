"""Boards as scenes: what a board is made of, what lies where, and what is pointed at to make a move.

A board is said once with a game's parameters, a picture for each position, a path for each legal move. The
pages' server and their scripts draw both by the same data; coordinates are SVG's, y downwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from engines.presentation.words import NOTHING, Words

Tag = Literal["rect", "circle", "path", "text"]
ATTRIBUTES: Mapping[Tag, frozenset[str]] = {
    "rect": frozenset({"x", "y", "width", "height", "rx"}),
    "circle": frozenset({"cx", "cy", "r"}),
    "path": frozenset({"d"}),
    "text": frozenset({"x", "y"}),
}
"""What each kind of shape has, and nothing else."""

SYMBOL_SIZE = 40
"""The side of the square around the origin in which the sign of a side lies."""
SQUARE = 40
MARGIN = 24


class Shape(NamedTuple):
    """An SVG primitive; `look` are its classes, of those that the pages' style sheet has."""

    tag: Tag
    look: str
    attributes: Mapping[str, float | str]
    text: str = ""


def rect(look: str, x: float, y: float, width: float, height: float) -> Shape:
    """A rectangle by its upper left corner."""
    return Shape("rect", look, {"x": x, "y": y, "width": width, "height": height})


def bar(look: str, x: float, y: float, width: float, height: float) -> Shape:
    """A rectangle whose ends are round."""
    return Shape("rect", look, {"x": x, "y": y, "width": width, "height": height, "rx": width / 2})


def circle(look: str, x: float, y: float, radius: float) -> Shape:
    """A circle by its centre."""
    return Shape("circle", look, {"cx": x, "cy": y, "r": radius})


def line(look: str, data: str) -> Shape:
    """Whatever SVG's path `data` draw."""
    return Shape("path", look, {"d": data})


def label(x: float, y: float, text: object, look: str = "label") -> Shape:
    """A text in the middle of `x`, its base line at `y`."""
    return Shape("text", look, {"x": x, "y": y}, str(text))


class Place(NamedTuple):
    """Where something can lie and be pointed at; its name is of the game's notation.

    `x` and `y` are its middle. `row` and `column`, from 0, are those of a grid that is read aloud; `said` is
    what is read for the name, where that is not enough. Where nothing lies, a place that `holds` something is
    said to be empty; others are only pointed at. What comes later lies above what comes before.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    row: int
    column: int
    outline: Literal["rect", "circle"] = "rect"
    said: Words = NOTHING
    holds: bool = True


class Piece(NamedTuple):
    """What can lie at a place: shapes around the origin, which comes to lie at the place's middle."""

    shapes: Sequence[Shape]
    said: Words


class Style(NamedTuple):
    """Another picture of the same pieces, by their names, and what it is called where people choose it."""

    said: Words
    pieces: Mapping[str, Piece]


class Board(NamedTuple):
    """What never changes: `backdrop` lies below all marks, `overlay` above; `pieces` go by their names.

    With `shows_legal` the places where a legal move begins are marked also for who only looks on. Of the
    `styles` people may choose another one for themselves; the first is that of `pieces`.
    """

    width: float
    height: float
    places: Sequence[Place]
    pieces: Mapping[str, Piece]
    backdrop: Sequence[Shape] = ()
    overlay: Sequence[Shape] = ()
    shows_legal: bool = False
    styles: Mapping[str, Style] = MappingProxyType({})


class Picture(NamedTuple):
    """What lies where in a position: a piece's name by the place's, and the places of the last move.

    `shapes` lie over more than one place, below the pieces; `said` is for those who hear pages.
    """

    pieces: Mapping[str, str]
    marked: Sequence[str]
    said: Words
    shapes: Sequence[Shape] = ()


class Path(NamedTuple):
    """The places that are pointed at to make a move; the first `free` of them in any order.

    Where the path of one move begins that of another, the shorter is finished by pointing at its last place
    once more. A move without places is offered as a button.
    """

    places: Sequence[str] = ()
    free: int = 0

    @property
    def key(self) -> tuple[frozenset[str], tuple[str, ...]]:
        """The same for paths that cannot be told apart."""
        return frozenset(self.places[: self.free]), tuple(self.places[self.free :])


CROSS = Piece((line("cross", "M-11 -11l22 22m0 -22l-22 22"),), Words("X", "X"))
NOUGHT = Piece((circle("nought", 0, 0, 12),), Words("O", "O"))
SIDES = (CROSS, NOUGHT)
"""The signs of the sides in games of X and O."""


def numbered(seat: int) -> Piece:
    """The sign of a side in games whose sides have nothing of their own on the board."""
    return Piece((label(0, 9, seat + 1, "label symbol-label"),), Words(str(seat + 1), str(seat + 1)))


def squares(columns: int, rows: int, side: float = SQUARE, margin: float = MARGIN) -> list[Place]:
    """Squares named as ``c4``: the letter of a column from the left, the number of a row from the top."""
    return [
        Place(
            f"{chr(ord('a') + column)}{row + 1}",
            margin + side * (column + 0.5),
            margin + side * (row + 0.5),
            side,
            side,
            row,
            column,
        )
        for row in range(rows)
        for column in range(columns)
    ]


def ground(columns: int, rows: int, side: float = SQUARE, margin: float = MARGIN) -> list[Shape]:
    """What such squares lie on."""
    return [rect("wood", margin, margin, side * columns, side * rows)]


def ruled(columns: int, rows: int, side: float = SQUARE, margin: float = MARGIN) -> list[Shape]:
    """The lines of such squares, and the letters and numbers around them."""
    width, height = side * columns, side * rows
    upright = "".join(f"M{margin + side * n:g} {margin:g}v{height:g}" for n in range(columns + 1))
    level = "".join(f"M{margin:g} {margin + side * n:g}h{width:g}" for n in range(rows + 1))
    shapes = [line("grid", upright + level)]
    for n in range(columns):
        letter, x = chr(ord("a") + n), margin + side * (n + 0.5)
        shapes += [label(x, margin - 8, letter), label(x, margin + height + 16, letter)]
    for n in range(rows):
        y = margin + side * (n + 0.5) + 5
        shapes += [label(margin / 2, y, n + 1), label(1.5 * margin + width, y, n + 1)]
    return shapes
