"""Positions as pages, scripts and files draw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.schemas import positions as schemas
from arena.schemas.positions import MAX_POSITIONS, WordsOut
from engines.game import Game, GameError, Move
from engines.games import find_game, find_presentation
from engines.presentation import NOTHING
from workers.core.contract import GameSpec


def game_of(spec: GameSpec) -> Game[Any] | None:
    """The game that was played; None where this installation has not these rules."""
    try:
        game = find_game(spec.name, spec.params)
    except GameError:
        return None
    return game if game.version == spec.version else None


def scene_of(game: Game[Any]) -> schemas.SceneOut:
    """How the game is drawn."""
    presentation = find_presentation(game.name)
    board = presentation.board(game)
    return schemas.SceneOut(
        name=game.name,
        params=game.params,
        title=WordsOut.model_validate(presentation.title(game.params)),
        board=schemas.BoardOut.model_validate(board) if board else None,
        symbols=[schemas.PieceOut.model_validate(presentation.symbol(seat)) for seat in (0, 1)],
    )


def position_of(
    game: Game[Any], state: Any, ply: int, last: Move | None = None, *, legal: bool = True
) -> schemas.PositionOut:
    """What is on the board in `state`, after so many plies, and unless `legal` is off what can be played."""
    presentation = find_presentation(game.name)
    board, outcome = presentation.board(game), game.outcome(state)
    moves: list[schemas.LegalMove] = []
    if legal or (board and board.shows_legal):
        for move in game.legal_moves(state):
            path = presentation.path(game, state, move)
            moves.append(
                schemas.LegalMove(move=game.move_to_text(move), path=list(path.places), free=path.free)
            )
    picture = presentation.shown(game, state, last) if board else None
    begins = [place for move in moves for place in (move.path[: max(1, move.free)])]
    return schemas.PositionOut(
        ply=ply,
        state=game.state_to_json(state),
        text=game.draw(state),
        picture=schemas.PictureOut.model_validate(picture) if picture else None,
        last=None if last is None else game.move_to_text(last),
        to_move=game.to_move(state),
        begins=list(dict.fromkeys(begins)) if board and board.shows_legal else [],
        legal=moves if legal else None,
        score=outcome.score if outcome else game.running_score(state),
        over=_over(game, outcome) if outcome else None,
    )


def position_after(game: Game[Any], moves: Sequence[str]) -> schemas.PositionOut:
    """The position after these moves, with what can be played there.

    Raises:
        GameError: they are not a game's.
    """
    return positions(game, moves, len(moves), legal=True)[0]


def positions_of(game: Game[Any], moves: Sequence[str], first: int) -> schemas.PositionsOut:
    """The positions of a match from the ply `first` on, so many as are told at once.

    Raises:
        GameError: they are not a game's.
    """
    part = moves[: first + MAX_POSITIONS - 1]
    return schemas.PositionsOut(
        scene=scene_of(game), plies=len(moves), first=first, positions=positions(game, part, first)
    )


def positions(
    game: Game[Any], moves: Sequence[str], first: int, *, legal: bool = False
) -> list[schemas.PositionOut]:
    """The position after `first` of `moves` and after each that follows.

    Raises:
        GameError: they are not a game's.
    """
    state, last = game.initial(), None
    told = []
    for ply in range(len(moves) + 1):
        if ply:
            last = game.move_from_text(moves[ply - 1])
            state = game.play(state, last)
        if ply >= first:
            told.append(position_of(game, state, ply, last, legal=legal))
    return told


def _over(game: Game[Any], outcome: Any) -> schemas.OverOut:
    words = find_presentation(game.name).reasons.get(outcome.reason, NOTHING)
    return schemas.OverOut(
        winner=outcome.winner,
        reason=outcome.reason,
        said=WordsOut.model_validate(words),
        score=outcome.score,
    )
