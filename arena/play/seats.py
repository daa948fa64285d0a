"""Who sits in a game: a person, a reference bot by name, or a submitted bot that may be played against."""

from __future__ import annotations

from typing import Any, TypedDict

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ConflictError, InvalidError, NotFoundError
from arena.core.names import could_exist
from arena.scrimmages import consent, opponents
from arena.store import scrimmages as scrimmage_store
from arena.store import teams
from arena.store.models import Bot, User
from arena.submissions import checks, versions
from arena.submissions import reference as reference_bots
from arena.submissions.reference import PREFIX, name_of
from arena.tournaments import openings
from bots.reference import UnknownBotError, find_reference, known_bots
from bots.reference.ready import soon_ready
from engines.game import Game, GameError
from engines.games import find_row
from engines.strategies import check_strategy, players_of
from workers.core.contract import BotRef
from workers.programs.runtimes.languages import C


class Sitting(TypedDict):
    """Who sits in a seat, as a game's row has it. A person has no `bot`; a reference bot no `archive`.

    `language` is what a host must run for it, nothing for a person and a reference bot in Python.
    """

    bot: str | None
    version: int | None
    archive: str | None
    language: str
    own: bool


PERSON: Sitting = {"bot": None, "version": None, "archive": None, "language": "", "own": True}


def offered(game: Game[Any]) -> list[str]:
    """The reference bots that people may play against: workers have what these play from within seconds."""
    return sorted([*reference_bots.offered(game), *soon_ready(game)])


def levels(game: Game[Any]) -> list[str]:
    """The players that a person chooses from by level, the weakest first, of those that can play so."""
    there = set(offered(game))
    return [text for text in find_row(game.name).levels if text.partition(":")[0] in there]


def descriptions(game: Game[Any]) -> dict[str, str]:
    """What each of the reference bots that are offered does."""
    players, bots = players_of(game.name), known_bots("")
    return {name: (players.get(name) or bots[name]).description for name in offered(game)}


def own_bots(session: Session, user: User | None, game: str) -> list[Bot]:
    """The bots of the user's own team that may play a game."""
    if user is None or not permissions.plays(user):
        return []
    found = teams.bots(session, user.account_id)
    of = teams.versions(session, [bot.id for bot in found])
    return [bot for bot in found if openings.all_fit(of[bot.id], game)]


def other_bots(session: Session, user: User | None, game: str) -> list[Bot]:
    """The bots of others that may play a game, and whose owners let the user play against them."""
    if user is None or not permissions.plays(user):
        return []
    found = opponents.others(session, user.team or user)
    of = teams.versions(session, [bot.id for bot in found])
    return [bot for bot in found if openings.all_fit(of[bot.id], game)]


def sit(session: Session, user: User | None, wish: str | None, game: Game[Any]) -> Sitting:
    """Who is to sit in a seat: None for a person, `@random` for a reference bot, else a bot by its name.

    Raises:
        InvalidError: the game has no such reference bot.
        NotFoundError: there is no such bot, or not for this user to play against.
        ConflictError: no version of it may play this game, or the class plays against no bots at the moment.
    """
    if wish is None:
        return PERSON
    if wish.startswith(PREFIX):
        text = _reference(wish.removeprefix(PREFIX), game)
        language = C.name if find_reference(text).levels else ""
        return {"bot": PREFIX + text, "version": None, "archive": None, "language": language, "own": False}
    bot, own = _submitted(session, user, wish)
    fit = openings.all_fit(teams.versions(session, [bot.id])[bot.id], game.name)
    if not fit:
        checks.require_playable(versions.get_version(session, bot), game.name)
        raise ConflictError("%(bot)r has no version that may play %(game)s", bot=bot.name, game=game.name)
    version = fit[0]
    return {
        "bot": bot.name,
        "version": version.number,
        "archive": version.archive,
        "language": version.language,
        "own": own,
    }


def require_still(session: Session, user: User | None, sitting: Sitting) -> None:
    """Let a bot go on that the user may still play against.

    Raises:
        NotFoundError: its owner lets nobody any more.
    """
    if sitting["archive"] is not None and not sitting["own"]:
        _submitted(session, user, sitting["bot"] or "")


def bot_ref(sitting: Sitting) -> BotRef:
    """Who that is, for a worker and for a record."""
    name = sitting["bot"] or "person"
    return BotRef(name=name, version=sitting["version"], archive=sitting["archive"])


def _reference(text: str, game: Game[Any]) -> str:
    name_of(text, game, offered(game))
    try:
        if find_reference(text).is_strategy:
            check_strategy(text, game)
    except GameError as error:
        raise InvalidError(error.message, **error.values) from None
    except UnknownBotError as error:
        raise InvalidError(str(error)) from None
    return text


def _submitted(session: Session, user: User | None, name: str) -> tuple[Bot, bool]:
    """A bot of the user's own team, or one whose owner lets it be played against; and which of both."""
    own = own_named(session, user, name)
    if own is not None:
        return own, True
    team = (user.team or user) if user is not None and permissions.plays(user) else None
    bot = scrimmage_store.opponent(session, team, name) if team and could_exist(name) else None
    if bot is None or team is None:
        raise NotFoundError(
            "there is no bot %(name)r that you may play against: name a reference bot such as @random, or"
            " signed in one of your own, or one of your class whose owner lets you",
            name=name,
        )
    consent.require_class_has(scrimmage_store.class_of(session, team))
    return bot, False


def own_named(session: Session, user: User | None, name: str) -> Bot | None:
    """The bot of that name, if it is one of the user's own team."""
    if user is None or not permissions.plays(user):
        return None
    return next((bot for bot in teams.bots(session, user.account_id) if bot.name == name), None)
