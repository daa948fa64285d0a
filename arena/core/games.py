"""The games that people name, those that a bot is checked in, and what is wrong with what is handed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.errors import InvalidError
from arena.core.sayings import worded
from engines import USUAL_GAME
from engines.game import Game, GameError
from engines.games import find_game
from workers.core.errors import ArchiveError, Flaw
from workers.programs.runtimes.manifest import check_games

MAX_GAMES = 20


def find_rules(name: str, params: Mapping[str, Any] | None = None) -> Game[Any]:
    """The game that somebody names, with these parameters.

    Raises:
        InvalidError: there is no such game, or it cannot have them.
    """
    try:
        return find_game(name, params)
    except GameError as error:
        raise InvalidError(error.message, **error.values) from None


class UploadError(InvalidError):
    """What was handed in is no bot, or for games that there are not; `flaw` is what is wrong."""

    def __init__(self, message: str, flaw: Flaw) -> None:
        said = worded(message)
        super().__init__(said.message, **said.values)
        self.flaw = flaw


def games_of(asked: Sequence[str]) -> list[str]:
    """The games that a bot is checked in, each once: those asked for, else the arena's usual one.

    Raises:
        UploadError: one of them does not exist.
        InvalidError: they are too many.
    """
    games = list(dict.fromkeys(asked)) or [USUAL_GAME]
    if len(games) > MAX_GAMES:
        raise InvalidError(
            "a bot is checked in at most %(max_games)s games, not in %(games)s",
            max_games=MAX_GAMES,
            games=len(games),
        )
    try:
        check_games(games)
    except ArchiveError as error:
        raise UploadError(str(error), error.flaw) from None
    return games
