"""Reference bots by their names, made into what would be handed in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import InvalidError
from arena.core.games import games_of
from arena.store.models import BotVersion, User
from arena.submissions import versions
from bots.reference import UnknownBotError, known_bots
from engines.game import Game, GameError
from engines.games import find_game, find_row
from engines.strategies import find_strategy
from workers.programs.archive_store import ArchiveStore

PREFIX = "@"
"""How a reference bot is named among others: `@random`."""
MAX_CHARS = 60


def offered(game: Game[Any]) -> list[str]:
    """The reference bots that play a game and need nothing made before, by name.

    Tables can take long to be made: players that bring some are handed in from a machine that has them.
    """
    from bots.reference.pack import brings_tables  # noqa: PLC0415  (for who asks for one)

    return sorted(
        name
        for name, bot in known_bots("").items()
        if bot.plays(game.name) and bot.why_not(game) is None and not brings_tables(name)
    )


def listed(game: Game[Any]) -> list[str]:
    """What people choose reference bots from: those that are offered, and these at each of their levels.

    The game's levels that were measured are among them. Any other parameters are written by hand.
    """
    names = offered(game)
    levels = [f"{name}:{each + 1}" for name in names for each in range(known_bots(name)[name].levels)]
    measured = [text for text in find_row(game.name).levels if text.partition(":")[0] in names]
    return list(dict.fromkeys((*names, *levels, *measured)))


def name_of(text: str, game: Game[Any], there: Sequence[str]) -> str:
    """The name of the reference bot that `text` writes, with parameters or without.

    Raises:
        InvalidError: it is none of those that are `there`, or does not play with these parameters.
    """
    name = text.partition(":")[0]
    bot = known_bots(text).get(name)
    if bot is not None and bot.plays(game.name):
        try:
            bot.require(game)
        except UnknownBotError as error:
            raise InvalidError(str(error)) from None
    if len(text) > MAX_CHARS or name not in there:
        raise InvalidError(
            "%(game)s has no reference bot %(bot)r here; there are %(bots)s",
            game=game.name,
            bot=text[:MAX_CHARS],
            bots=", ".join(PREFIX + each for each in there),
        )
    return name


def files_of(text: str, game: Game[Any]) -> tuple[str, bytes]:
    """The file that a reference bot would be handed in as: its name and the zip.

    `text` is the bot's name, with parameters if it takes any, without `PREFIX`.

    Raises:
        InvalidError: there is none of that name for this game, or not here; or its parameters are wrong.
    """
    from bots.reference.pack import archive  # noqa: PLC0415  (likewise)

    name = name_of(text, game, offered(game))
    try:
        if known_bots(text)[name].is_strategy:
            find_strategy(text, game)
        return f"{name}.zip", archive(text)
    except GameError as error:
        raise InvalidError(error.message, **error.values) from None
    except UnknownBotError as error:
        raise InvalidError(str(error)) from None


def submit(
    session: Session,
    archives: ArchiveStore,
    actor: User,
    *,
    text: str,
    bot_name: str = "",
    games: Sequence[str] = (),
) -> tuple[BotVersion, bool]:
    """Hand a reference bot in, as a bot of the staff's that is called like it if nothing else is said.

    The version, and whether it is new. Nothing may have been written in the session before.

    Raises:
        ForbiddenError: the actor is none of the staff, or the bot is somebody else's.
        InvalidError: one of the games has no such reference bot, or the name cannot be one.
        ConflictError, UnavailableError: as for any bot.
    """
    permissions.require_staff(actor)
    wanted = games_of(games)
    files = [files_of(text.removeprefix(PREFIX), find_game(game)) for game in wanted]
    filename, data = files[0]
    name = bot_name or text.removeprefix(PREFIX).replace(":", "-")
    return versions.submit(
        session, archives, actor, bot_name=name, filename=filename, data=data, games=wanted
    )
