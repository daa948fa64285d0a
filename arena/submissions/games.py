"""The games that a bot is checked in, on an arena and at home."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.errors import InvalidError
from engines import USUAL_GAME
from workers.core.errors import ArchiveError
from workers.programs.runtimes.manifest import check_games

MAX_GAMES = 20


def games_of(asked: Sequence[str]) -> list[str]:
    """The games that a bot is checked in, each once: those asked for, else the arena's usual one.

    Raises:
        InvalidError: one of them does not exist, or they are too many.
    """
    games = list(dict.fromkeys(asked)) or [USUAL_GAME]
    if len(games) > MAX_GAMES:
        raise InvalidError(f"a bot is checked in at most {MAX_GAMES} games, not in {len(games)}")
    try:
        check_games(games)
    except ArchiveError as error:
        raise InvalidError(str(error)) from None
    return games
