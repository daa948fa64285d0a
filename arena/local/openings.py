"""Openings from a file: a line each, or the moves of PGN games."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

from arena.core.words import say, say_many
from arena.interchange.errors import FileFormatError
from arena.interchange.move_lists import MoveList, is_pgn, read_lines, read_pgn
from arena.local.errors import InputError
from arena.local.files import text_of
from engines.game import Game, GameError

MAX_OPENINGS = 100_000
"""Openings of one file."""


def openings_of(path: Path, game: Game[Any], most: int | None = None) -> tuple[tuple[str, ...], ...]:
    """The first `most` openings of the file, or all of them, as `game` writes its moves.

    Raises:
        InputError: the file has none, too many, one that cannot be played or leaves nothing to play, or ends
            in the midst of one.
    """
    text = text_of(path)
    try:
        lists = list(islice(read_pgn(text) if is_pgn(text) else read_lines(text), most))
    except FileFormatError as error:
        raise InputError(f"{path}, {error}") from None
    if not lists:
        raise InputError(
            say(
                "{path} has no openings: write one a line, moves with blanks between, or PGN with moves",
                path=path,
            )
        )
    if len(lists) > MAX_OPENINGS:
        raise InputError(
            say(
                "{path} has {openings}, more than {most:,}; ask for fewer",
                path=path,
                openings=say_many("{number:,} opening", "{number:,} openings", len(lists)),
                most=MAX_OPENINGS,
            )
        )
    return tuple(_played(path, game, each) for each in lists)


def _played(path: Path, game: Game[Any], opening: MoveList) -> tuple[str, ...]:
    state, moves = game.initial(), []
    try:
        for text in opening.moves:
            move = game.move_from_text(text)
            state = game.play(state, move)
            moves.append(game.move_to_text(move))
    except GameError as error:
        raise InputError(
            say(
                "{path}, line {line}: move {number} of the opening that begins here: {error}",
                path=path,
                line=opening.line,
                number=len(moves) + 1,
                error=error,
            )
        ) from None
    if not game.legal_moves(state):
        raise InputError(
            say("{path}, line {line}: the game is over after this opening", path=path, line=opening.line)
        )
    return tuple(moves)
