"""Positions as they are drawn, and the boards that they are drawn on. Coordinates are SVG's, y downwards."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_POSITIONS = 512
"""So many positions are told at once."""


class _Drawn(BaseModel):
    """Made from what `engines.presentation.scenes` has."""

    model_config = ConfigDict(from_attributes=True)


class WordsOut(_Drawn):
    """The same in both languages of the pages."""

    english: str
    chinese: str


class ShapeOut(_Drawn):
    """An SVG primitive."""

    tag: Literal["rect", "circle", "path", "text"]
    look: str = Field(description="Its classes.")
    attributes: dict[str, float | str]
    text: str


class PlaceOut(_Drawn):
    """Where something can lie and be pointed at; `x` and `y` are its middle."""

    name: str = Field(examples=["c4"])
    x: float
    y: float
    width: float
    height: float
    row: int = Field(description="From 0, in the grid that is read aloud; so is `column`.")
    column: int
    outline: Literal["rect", "circle"]
    said: WordsOut = Field(description="What is read for its name; empty where the name is enough.")
    holds: bool = Field(description="Whether something can lie there; else it is only pointed at.")


class PieceOut(_Drawn):
    """What can lie at a place, around the origin, or the sign of a side."""

    shapes: list[ShapeOut]
    said: WordsOut


class StyleOut(_Drawn):
    """Another picture of the same pieces, for people to choose."""

    said: WordsOut
    pieces: dict[str, PieceOut]


class BoardOut(_Drawn):
    """What of a board never changes with these parameters."""

    width: float
    height: float
    backdrop: list[ShapeOut] = Field(description="What lies below everything.")
    overlay: list[ShapeOut] = Field(description="What lies above the marks and below the pieces.")
    places: list[PlaceOut]
    pieces: dict[str, PieceOut]
    shows_legal: bool = Field(description="Whether onlookers are shown where legal moves begin.")
    styles: dict[str, StyleOut] = Field(description="By name; the first is that of `pieces`.")


class SceneOut(BaseModel):
    """How a game with its parameters is drawn."""

    name: str
    params: dict[str, Any]
    title: WordsOut
    board: BoardOut | None = Field(description="Null where the position's text is shown instead.")
    symbols: list[PieceOut] = Field(description="The signs of the two sides, within a square of 40.")


class PictureOut(_Drawn):
    """What lies where: a piece's name by the place's, and what the last move changed."""

    pieces: dict[str, str]
    marked: list[str]
    shapes: list[ShapeOut] = Field(description="What lies over more than one place, below the pieces.")
    said: WordsOut


class LegalMove(BaseModel):
    """A legal move and what is pointed at to make it; the first `free` places in any order.

    One without places is offered by its text. Where its places are the first of another move's, the last of
    them is pointed at once more.
    """

    move: str
    path: list[str]
    free: int


class OverOut(BaseModel):
    """How a game ended; no seat has won a draw."""

    winner: int | None
    reason: str
    said: WordsOut = Field(description="The reason in words; empty where the game has none for it.")
    score: tuple[int, int]


class PositionOut(BaseModel):
    """What is on the board after so many plies."""

    ply: int = Field(description="0 is the initial position.")
    state: dict[str, Any]
    text: str = Field(description="As a terminal shows it.")
    picture: PictureOut | None = Field(description="Null where the game has no board.")
    last: str | None = Field(description="The move that led here.")
    to_move: int
    begins: list[str] = Field(description="Places where legal moves begin, if the board shows that.")
    legal: list[LegalMove] | None = Field(description="Null in the list of a whole match.")
    score: tuple[int, int] | None = Field(description="As it stands; null where the game has none yet.")
    over: OverOut | None = Field(description="How it ended; null while it goes on.")


class PositionsOut(BaseModel):
    """The positions of a match, at most 512 of them from the ply `first` on."""

    scene: SceneOut
    plies: int = Field(description="How many there are in all: there is one position more.")
    first: int
    positions: list[PositionOut]
