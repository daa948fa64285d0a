"""Reference bots by their names, made into what would be handed in."""

from __future__ import annotations

from typing import Any

from arena.core.errors import InvalidError
from bots.reference import UnknownBotError, known_bots
from engines.game import Game, GameError
from engines.strategies import find_strategy

PREFIX = "@"
"""How a reference bot is named among others: `@random`."""
MAX_CHARS = 60


def offered(game: Game[Any]) -> list[str]:
    """The reference bots that play a game and need nothing made before, by name.

    Tables can take long to be made: players that bring some are handed in from a machine that has them.
    """
    from bots.reference.pack import brings_tables  # noqa: PLC0415  (for who asks for one)

    bots = known_bots("")
    return sorted(name for name, bot in bots.items() if bot.plays(game.name) and not brings_tables(name))


def files_of(text: str, game: Game[Any]) -> tuple[str, bytes]:
    """The file that a reference bot would be handed in as: its name and the zip.

    `text` is the bot's name, with parameters if it takes any, without `PREFIX`.

    Raises:
        InvalidError: there is none of that name for this game, or not here; or its parameters are wrong.
    """
    from bots.reference.pack import archive  # noqa: PLC0415  (likewise)

    name = text.partition(":")[0]
    if len(text) > MAX_CHARS or name not in (there := offered(game)):
        names = ", ".join(PREFIX + each for each in there) if len(text) <= MAX_CHARS else "shorter ones"
        raise InvalidError(f"{game.name} has no reference bot {text[:MAX_CHARS]!r} here; there are {names}")
    try:
        if known_bots(text)[name].is_strategy:
            find_strategy(text, game)
        return f"{name}.zip", archive(text)
    except (GameError, UnknownBotError) as error:
        raise InvalidError(str(error)) from None
