"""Laws of boards: what a presentation says of a game can be drawn, and every move can be pointed at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from engines.conformance.case import Case, require
from engines.game import Game
from engines.presentation.scenes import ATTRIBUTES, Shape


def a_board_can_be_drawn(game: Game[Any]) -> None:
    """Places have names, spots and cells of their own and lie on the board; shapes are plain ones."""
    presentation, board = _shown(game)
    for seat in (0, 1):
        sign = presentation.symbol(seat)
        require(sign.said.english and sign.said.chinese, f"the sign of seat {seat} is said in no words")
        _plain(sign.shapes)
    if board is None:
        return
    require(board.places, "the board has no places")
    for what in ("name", "spot", "cell"):
        each = Counter(
            {"name": place.name, "spot": (place.x, place.y), "cell": (place.row, place.column)}[what]
            for place in board.places
        )
        twice, times = each.most_common(1)[0]
        require(times == 1, f"two places of the board have the {what} {twice}")
    for place in board.places:
        inside = (
            place.width / 2 <= place.x <= board.width - place.width / 2
            and place.height / 2 <= place.y <= board.height - place.height / 2
        )
        require(inside, f"the place {place.name} does not lie on the board")
    _plain([*board.backdrop, *board.overlay])
    for style in ({}, *(each.pieces for each in board.styles.values())):
        require({*style} in ({*board.pieces}, set()), "a style has other pieces than the board")
        for name, piece in {**board.pieces, **style}.items():
            require(piece.said.english and piece.said.chinese, f"the piece {name} is said in no words")
            _plain(piece.shapes)
    for name, each in board.styles.items():
        require(each.said.english and each.said.chinese, f"the style {name} is said in no words")


def a_picture_is_made_of_the_board(game: Game[Any], case: Case) -> None:
    """On every position of a game only known pieces lie, at known places, and it is said in words."""
    presentation, board = _shown(game)
    if board is None:
        return
    places = {place.name for place in board.places}
    last = None
    for state, move in case.walk(game):
        picture = presentation.shown(game, state, last)
        strange = {*picture.pieces, *picture.marked} - places
        require(not strange, f"the picture has places that the board has not: {sorted(strange)[:5]}")
        unknown = {*picture.pieces.values()} - {*board.pieces}
        require(not unknown, f"the picture has pieces that the board has not: {sorted(unknown)[:5]}")
        require(picture.said.english and picture.said.chinese, "the picture is said in no words")
        _plain(picture.shapes)
        last = move


def every_move_can_be_pointed_at(game: Game[Any], case: Case) -> None:
    """Legal moves' paths are made of the board's places, none twice in a row, and differ from each other."""
    presentation, board = _shown(game)
    if board is None:
        return
    places = {place.name for place in board.places}
    state, paths = case.state(game), dict[object, str]()
    for move in game.legal_moves(state):
        text, path = game.move_to_text(move), presentation.path(game, state, move)
        strange = {*path.places} - places
        require(not strange, f"the path of {text} has places that the board has not: {sorted(strange)[:5]}")
        require(0 <= path.free <= len(path.places), f"the path of {text} has {path.free} free places")
        require(
            len({*path.places[: path.free]}) == path.free
            and all(one != other for one, other in zip(path.places, path.places[1:], strict=False)),
            f"the path of {text} has a place twice: {' '.join(path.places)}",
        )
        if path.places:
            require(path.key not in paths, f"{text} and {paths.get(path.key)} have the same path")
            paths[path.key] = text


def _shown(game: Game[Any]) -> tuple[Any, Any]:
    """The game's presentation and its board."""
    from engines.games import find_presentation  # noqa: PLC0415 - only where it is tried

    presentation = find_presentation(game.name)
    return presentation, presentation.board(game)


def _plain(shapes: Iterable[Shape]) -> None:
    for shape in shapes:
        require(shape.tag in ATTRIBUTES, f"{shape.tag!r} is no shape; there are {', '.join(ATTRIBUTES)}")
        wrong = {*shape.attributes} ^ ATTRIBUTES[shape.tag]
        require(wrong <= {"rx"}, f"a {shape.tag} has these attributes too many or too few: {sorted(wrong)}")
        require(bool(shape.text) == (shape.tag == "text"), f"a {shape.tag} has the text {shape.text!r}"[:80])
