"""What the reference bots that know rules share: they refuse other games, and read positions."""

from __future__ import annotations

import sys
from typing import Any

from bots.reference import REFERENCE
from bots.sdk.arena_bot import Request
from engines.game import Game, GameError
from engines.games import find_game


def require_game(bot: str, hello: dict[str, Any], *known: str) -> Game[Any]:
    """The game that `hello` announces, if it is one of `known` (any, where none are given).

    Raises:
        SystemExit: it is not, or not with these rules; the words go to stderr.
    """
    name = hello["game"]["name"]
    if known and name not in known:
        sys.exit(f"{bot} plays {', '.join(known)}; it does not know {name}")
    try:
        game = find_game(name, hello["game"]["params"])
    except GameError as error:
        sys.exit(f"{bot} cannot play this: {error}")
    if game.version != hello["game"]["version"]:
        sys.exit(f"{bot} knows version {game.version} of {name}, not {hello['game']['version']}")
    if bot in REFERENCE and (why := REFERENCE[bot].why_not(game)) is not None:
        sys.exit(why)
    return game


def position(game: Game[Any], request: Request) -> Any:
    """The state that is asked about."""
    return game.state_from_json(request.state)
