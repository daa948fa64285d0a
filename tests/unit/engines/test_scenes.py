"""Boards as scenes: what the games' presentations say of their boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from engines.conformance import verdict
from engines.conformance.scenes import (
    a_board_can_be_drawn,
    a_picture_is_made_of_the_board,
    every_move_can_be_pointed_at,
)
from engines.game import play_all
from engines.games import find_game, find_presentation
from engines.presentation import Presentation, Words
from engines.presentation.scenes import Board, Path, Picture, Piece, Place, Shape, Style, circle, squares

LAWS = (a_board_can_be_drawn, a_picture_is_made_of_the_board, every_move_can_be_pointed_at)
HERE = Words("here", "這裡")


@dataclass
class Case:
    """A game after some moves, and what is to be said of it."""

    name: str
    params: dict[str, Any]
    moves: str

    @property
    def told(self) -> tuple[Picture, dict[str, Path]]:
        """The picture, and the path of every legal move."""
        game, presentation = find_game(self.name, self.params), find_presentation(self.name)
        moves = self.moves.split()
        state = play_all(game, moves)
        last = game.move_from_text(moves[-1]) if moves else None
        legal = game.legal_moves(state)
        paths = {game.move_to_text(each): presentation.path(game, state, each) for each in legal}
        return presentation.shown(game, state, last), paths


def test_reversi_places_a_disc_where_it_is_pointed_at() -> None:
    """The disc placed is marked, those turned over change sides, and a square is its own path."""
    picture, paths = Case("reversed_reversi", {"size": 4}, "a3").told
    assert picture.marked == ("a3",)
    assert picture.pieces == {"a3": "X", "b3": "X", "c3": "X", "b2": "X", "c2": "O"}
    assert all(path == Path((text,)) for text, path in paths.items())


def test_reversi_is_called_and_drawn_by_both_sides() -> None:
    """A rectangle has its squares, and is called by both sides; a square board is called as before."""
    game, presentation = (
        find_game("reversed_reversi", {"size": 6, "rows": 4}),
        find_presentation("reversed_reversi"),
    )
    board = presentation.board(game)
    assert board is not None
    assert len(board.places) == 24
    assert board.width > board.height
    assert presentation.title(game.params).english.endswith(" 6\u00d74")
    assert presentation.title({"size": 8, "reversed": False}).english.endswith(" 8\u00d78")


def test_a_heap_is_taken_from_a_piece_on() -> None:
    """Pointing at a piece takes it and all behind it; where the last ones lay is marked."""
    picture, paths = Case("heap_nim", {"heaps": [3, 4, 5]}, "3:2").told
    assert paths["2:1"].places == ("2.4",)
    assert paths["2:4"].places == ("2.1",)
    assert picture.marked == ("3.4", "3.5")
    assert len(picture.pieces) == 10


def test_of_a_large_heap_the_rest_is_a_number() -> None:
    """Taking few from it needs a button, taking many can be pointed at."""
    picture, paths = Case("heap_nim", {"heaps": [1, 1, 500]}, "").told
    assert len(picture.pieces) == 32
    assert paths["3:1"] == Path()
    assert paths["3:471"].places == ("3.30",)
    assert paths["3:470"] == Path()


def test_circles_are_taken_in_any_order() -> None:
    """All circles of a line are free, so that one line's path may begin another's."""
    picture, paths = Case("circle_nim", {"rows": 3}, "4-5").told
    assert paths["1-2"] == Path(["1", "2"], free=2)
    assert list(picture.marked) == ["4", "5"]
    assert "4" not in picture.pieces


def test_a_stone_is_placed_and_later_moved() -> None:
    """One point while stones are placed, then where it stands and where it goes."""
    placing = Case("rhombic_chess", {}, "7").told
    assert placing[1]["6"] == Path(["6"])
    moving = Case("rhombic_chess", {}, "1 2 3 4 5 6 7 8 9 10").told
    assert moving[1]["7-11"].places == ["7", "11"]


def test_an_l_is_its_squares_then_a_disc() -> None:
    """Its four squares in any order, the disc from and to in theirs."""
    _, paths = Case("l_game", {}, "").told
    lengths = {len(path.places) for path in paths.values()}
    assert lengths == {4, 6}
    assert {path.free for path in paths.values()} == {4}
    text = next(text for text in paths if text.endswith("/a1-d1"))
    assert list(paths[text].places[4:]) == ["a1", "d1"]


@pytest.mark.parametrize("law", LAWS)
def test_a_board_may_be_missing(law: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that brings nothing keeps the laws: it is shown as text, with numbers for its sides."""
    monkeypatch.setattr("engines.games.find_presentation", Presentation)
    assert verdict(law, find_game("circle_nim", {"rows": 2})).broken is None
    assert Presentation("any").board(find_game("circle_nim")) is None
    assert Presentation("any").symbol(1).said.english == "2"


PIECE = Piece((circle("piece", 0, 0, 5),), HERE)


class Bad(Presentation):
    """A presentation of heap Nim with one fault, of those below."""

    places = squares(3, 3)
    picture = Picture({"a1": "x"}, (), HERE)
    shapes: tuple[Shape, ...] = ()
    the_path = Path()
    styles: Mapping[str, Style] = {}

    def board(self, game: Any) -> Board:  # noqa: ARG002 - whatever it is
        """Nine squares and one piece."""
        return Board(200, 200, self.places, {"x": PIECE}, self.shapes, styles=self.styles)

    def shown(self, game: Any, state: Any, last: Any) -> Picture:  # noqa: ARG002 - as above
        """Always the same."""
        return self.picture

    def path(self, game: Any, state: Any, move: Any) -> Path:  # noqa: ARG002 - as above
        """Always the same."""
        return self.the_path


BAD_SHAPE = Shape("script", "wood", {})  # type: ignore[arg-type]  # this is what is wrong with it
FAULTS: list[tuple[Any, dict[str, Any], str]] = [
    (a_board_can_be_drawn, {"places": []}, "has no places"),
    (a_board_can_be_drawn, {"places": [*squares(1, 1), *squares(1, 1)]}, "two places of the board"),
    (
        a_board_can_be_drawn,
        {"places": [Place("far", 199, 20, 10, 10, 0, 0)]},
        "far does not lie on the board",
    ),
    (a_board_can_be_drawn, {"shapes": (Shape("rect", "wood", {"href": "x"}),)}, "attributes"),
    (a_board_can_be_drawn, {"shapes": (BAD_SHAPE,)}, "'script' is no shape"),
    (a_board_can_be_drawn, {"styles": {"flat": Style(HERE, {"y": PIECE})}}, "other pieces than the board"),
    (a_board_can_be_drawn, {"styles": {"flat": Style(Words("", ""), {"x": PIECE})}}, "flat is said in no"),
    (
        a_board_can_be_drawn,
        {"styles": {"flat": Style(HERE, {"x": Piece((BAD_SHAPE,), HERE)})}},
        "'script' is no shape",
    ),
    (a_picture_is_made_of_the_board, {"picture": Picture({"z9": "x"}, (), HERE)}, "z9"),
    (a_picture_is_made_of_the_board, {"picture": Picture({"a1": "y"}, (), HERE)}, "pieces that the board"),
    (a_picture_is_made_of_the_board, {"picture": Picture({}, (), Words("", ""))}, "no words"),
    (every_move_can_be_pointed_at, {"the_path": Path(("z9",))}, "z9"),
    (every_move_can_be_pointed_at, {"the_path": Path(("a1",))}, "have the same path"),
    (every_move_can_be_pointed_at, {"the_path": Path(("a1", "a1"))}, "a place twice"),
    (every_move_can_be_pointed_at, {"the_path": Path(("a1",), free=2)}, "2 free places"),
]


@pytest.mark.parametrize(("law", "fault", "told"), FAULTS)
def test_a_law_finds_the_fault(
    law: Any, fault: dict[str, Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each fault of a board is told in a sentence that names it."""
    monkeypatch.setattr("engines.games.find_presentation", type("Faulty", (Bad,), fault))
    broken = verdict(law, find_game("heap_nim", {"heaps": [2, 2, 2]})).broken
    assert broken is not None
    assert told in broken
