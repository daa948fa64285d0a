"""Openings from a file: a line each, or the moves of PGN games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.interchange.move_lists import MoveList, is_pgn, read_lines, read_pgn
from arena.local.errors import InputError
from arena.local.files import text_of
from engines.game import Game, GameError

MAX_OPENINGS = 100_000
"""Openings of one file."""


def openings_of(path: Path, game: Game[Any], most: int | None = None) -> tuple[tuple[str, ...], ...]:
    """The first `most` openings of the file, or all of them, as `game` writes its moves.

    Raises:
        InputError: the file has none, too many, or one that cannot be played or leaves nothing to play.
    """
    text = text_of(path)
    lists = list(read_pgn(text) if is_pgn(text) else read_lines(text))[:most]
    if not lists:
        raise InputError(
            f"{path} has no openings: write one a line, moves with blanks between, or PGN with moves"
        )
    if len(lists) > MAX_OPENINGS:
        raise InputError(f"{path} has {len(lists):,} openings, more than {MAX_OPENINGS:,}; ask for fewer")
    return tuple(_played(path, game, each) for each in lists)


def _played(path: Path, game: Game[Any], opening: MoveList) -> tuple[str, ...]:
    state, moves = game.initial(), []
    try:
        for text in opening.moves:
            move = game.move_from_text(text)
            state = game.play(state, move)
            moves.append(game.move_to_text(move))
    except GameError as error:
        where = f"move {len(moves) + 1} of the opening that begins here"
        raise InputError(f"{path}, line {opening.line}: {where}: {error}") from None
    if not game.legal_moves(state):
        raise InputError(f"{path}, line {opening.line}: the game is over after this opening")
    return tuple(moves)
