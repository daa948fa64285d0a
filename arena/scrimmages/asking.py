"""Asking for a scrimmage: against a reference bot, another version of one's own, or who lets one.

It is for nobody but the two teams, and counts nowhere.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from arena.core.games import find_rules
from arena.core.names import could_count, could_exist
from arena.core.terms import MatchState, Unplayed
from arena.schemas.plans import SEEDS
from arena.schemas.scrimmages import NewScrimmage
from arena.scrimmages import consent, quotas
from arena.store import scrimmages as store
from arena.store import teams
from arena.store.database import release
from arena.store.models import Bot, BotVersion, Scrimmage, ScrimmageGame, Tournament, User
from arena.submissions import checks, reference, versions
from arena.tournaments import lifecycle, openings
from engines import USUAL_GAME
from engines.game import Game
from engines.openings import OpeningsError, balanced_openings
from engines.stream import derive
from workers.core.contract import Limits, TimeControl
from workers.programs.archive_store import ArchiveStore
from workers.programs.serving import needs

KEPT = 50
"""So many scrimmages of a team are kept, the newest, and those of the last day."""
OPENING_PLIES = 6


class _Rules(NamedTuple):
    """What is played, and as in which tournament; `openings` says whether each pair of games has one."""

    game: Game[Any]
    time: dict[str, Any]
    limits: dict[str, Any]
    tournament: Tournament | None = None
    openings: bool = False
    opening_plies: int = OPENING_PLIES


class _Opponent(NamedTuple):
    """Who is played against: a version, or a reference bot with its archive."""

    language: str
    version: BotVersion | None = None
    reference: str | None = None
    archive: str | None = None


def ask(
    session: Session, archives: ArchiveStore, actor: User, wish: NewScrimmage, most_games: int
) -> Scrimmage:
    """A new scrimmage, which waits for the workers.

    Openings are drawn and a reference bot is stored while the session is released: nothing may have been
    written in it before. Whether the team may is asked before that, and after it again.

    Raises:
        ForbiddenError: the bot is another team's, the actor a reader, or teams have no scrimmages here.
        NotFoundError: there is no such bot, version or tournament, or no such opponent for this team.
        InvalidError: the game has no such reference bot, or not so many openings.
        ConflictError: a version may not play the game, it would play itself, the class has no scrimmages, or
            too many are not over.
        TooManyError: the team has asked for as many as it may.
    """
    permissions.require_player(actor)
    team = actor.team or actor
    bot = versions.get(session, wish.bot)
    if bot.owner_id != team.id:
        raise ForbiddenError(
            "the bot %(bot)r belongs to %(owner)r; play with your own", bot=bot.name, owner=bot.owner.name
        )
    _require_allowed(session, team, wish, most_games)
    rules = _rules(session, actor, team, wish)
    own = _version(session, bot, wish.version, rules.game.name)
    by_name = wish.opponent.startswith(reference.PREFIX)
    prepared = _reference(session, archives, wish, rules.game) if by_name else None
    release(session)
    seed = secrets.randbelow(SEEDS)
    drawn = _draw(rules, (wish.games + 1) // 2, seed)
    _require_allowed(session, team, wish, most_games)
    other = prepared or _submitted(session, team, own, wish, rules.game.name)
    store.delete_old(session, team.id, KEPT, utc_now() - quotas.DAY)
    scrimmage = _new(rules, own, other, seed)
    scrimmage.owner, scrimmage.asker = team, actor
    scrimmage.games = [
        ScrimmageGame(
            owner_id=team.id,
            number=number,
            seat=(number - 1) % 2,
            opening=list(drawn[(number - 1) // 2]),
            needs=needs((own.language, other.language)),
            state=MatchState.PENDING,
        )
        for number in range(1, wish.games + 1)
    ]
    session.add(scrimmage)
    session.flush()
    return scrimmage


def get(session: Session, actor: User, number: int) -> Scrimmage:
    """The scrimmage of that number, for the two teams and those who run their classes.

    Raises:
        NotFoundError: there is none, or it is not for the actor.
    """
    scrimmage = store.by_id(session, number) if could_count(number) else None
    if scrimmage is None or not permissions.sees_scrimmage(actor, scrimmage):
        raise NotFoundError("there is no scrimmage %(number)s of yours", number=number)
    return scrimmage


def get_game(scrimmage: Scrimmage, number: int) -> ScrimmageGame:
    """One of its games.

    Raises:
        NotFoundError: it has not so many.
    """
    found = next((game for game in scrimmage.games if game.number == number), None)
    if found is None:
        raise NotFoundError(
            "scrimmage %(scrimmage)s has no game %(number)s", scrimmage=scrimmage.id, number=number
        )
    return found


def cancel(session: Session, actor: User, scrimmage: Scrimmage) -> None:
    """Call off what is not over of a scrimmage.

    Raises:
        ForbiddenError: another team asked for it.
        ConflictError: it is over.
    """
    permissions.require_owner(actor, scrimmage.version.bot, "only who asked for the scrimmage calls it off")
    if not consent.call_off(store.lock_unfinished(session, scrimmage), Unplayed.CANCELLED):
        raise ConflictError("scrimmage %(scrimmage)s is over", scrimmage=scrimmage.id)
    session.flush()


def _require_allowed(session: Session, team: User, wish: NewScrimmage, most_games: int) -> None:
    consent.require_class_has(store.class_of(session, team))
    quotas.require(session, team, wish.games, most_games)


def _new(rules: _Rules, own: BotVersion, other: _Opponent, seed: int) -> Scrimmage:
    """The row, without its games, and without whose it is."""
    return Scrimmage(
        version=own,
        opponent=other.version,
        reference=other.reference,
        archive=other.archive,
        tournament=rules.tournament,
        game=rules.game.name,
        params=rules.game.params,
        game_version=rules.game.version,
        time=rules.time,
        limits=rules.limits,
        seed=seed,
        created_at=utc_now(),
    )


def _rules(session: Session, actor: User, team: User, wish: NewScrimmage) -> _Rules:
    if wish.tournament is None:
        game = find_rules(wish.game or USUAL_GAME)
        return _Rules(game, TimeControl().model_dump(mode="json"), Limits().model_dump(mode="json"))
    tournament = lifecycle.get(session, wish.tournament)
    if not (permissions.admits(tournament, team) or permissions.runs(actor, tournament)):
        raise ForbiddenError(
            "%(tournament)r is for a class that your team is not in", tournament=tournament.name
        )
    if wish.game not in {None, tournament.game}:
        raise InvalidError(
            "%(tournament)r plays %(game)s; leave the game out",
            tournament=tournament.name,
            game=tournament.game,
        )
    return _Rules(
        lifecycle.game_of(tournament),
        tournament.time,
        tournament.limits,
        tournament,
        openings=tournament.openings > 0,
        opening_plies=tournament.opening_plies or OPENING_PLIES,
    )


def _draw(rules: _Rules, pairs: int, seed: int) -> Sequence[Sequence[str]]:
    """An opening for each pair of games; the first one has none where the tournament has none.

    Others have one in any case: bots that draw no lots would play the same games again.
    """
    count = pairs if rules.openings else pairs - 1
    try:
        drawn = balanced_openings(rules.game, count, rules.opening_plies, derive(seed, "openings"))
    except OpeningsError as error:
        found = InvalidError(error.message, **error.values)
        raise InvalidError("%(error)s; two games need no opening", error=found) from None
    return [*([] if rules.openings else [()]), *drawn]


def _version(session: Session, bot: Bot, number: int | None, game: str) -> BotVersion:
    """That version of a bot, else the newest that may play."""
    if number is not None:
        version = versions.get_version(session, bot, number)
        checks.require_playable(version, game)
        return version
    found = teams.versions(session, [bot.id])[bot.id]
    fit = openings.all_fit(found, game)
    if not fit:
        checks.require_playable(versions.get_version(session, bot), game)
    return fit[0]


def _reference(session: Session, archives: ArchiveStore, wish: NewScrimmage, game: Game[Any]) -> _Opponent:
    if wish.opponent_version is not None:
        raise InvalidError("a reference bot has no versions; leave opponent_version out")
    release(session)
    name = wish.opponent.removeprefix(reference.PREFIX)
    archive, language = versions.store_files(archives, *reference.files_of(name, game))
    return _Opponent(language, reference=name, archive=archive)


def _submitted(session: Session, team: User, own: BotVersion, wish: NewScrimmage, game: str) -> _Opponent:
    """Another version of the team's own, or the newest that may play of somebody who lets it."""
    mine = next((bot for bot in teams.bots(session, team.id) if bot.name == wish.opponent), None)
    if mine is not None:
        version = _own_opponent(session, mine, own, wish.opponent_version, game)
        return _Opponent(version.language, version)
    bot = store.opponent(session, team, wish.opponent) if could_exist(wish.opponent) else None
    if bot is None:
        raise NotFoundError(
            "there is no bot %(bot)r that your team may play a scrimmage against: name one of your own, a "
            "reference bot such as @random, or one of your class whose owner lets you",
            bot=wish.opponent,
        )
    if wish.opponent_version is not None:
        raise InvalidError("of another team's bot the newest version plays; leave opponent_version out")
    version = _version(session, bot, None, game)
    return _Opponent(version.language, version)


def _own_opponent(session: Session, bot: Bot, own: BotVersion, number: int | None, game: str) -> BotVersion:
    if number is not None or bot.id != own.bot_id:
        version = _version(session, bot, number, game)
        if version.id == own.id:
            raise ConflictError(
                "version %(version)s of %(bot)r would play itself; name another one",
                version=own.number,
                bot=bot.name,
            )
        return version
    fit = openings.all_fit(teams.versions(session, [bot.id])[bot.id], game)
    others = [version for version in fit if version.id != own.id]
    if not others:
        raise ConflictError("%(bot)r has no other version that may play %(game)s", bot=bot.name, game=game)
    return others[0]
