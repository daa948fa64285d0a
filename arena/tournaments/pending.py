"""Bots that enter by themselves as soon as their newest version has passed its check."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, NotFoundError
from arena.core.games import find_rules, games_of
from arena.core.terms import Act, VersionState
from arena.schemas.plans import TournamentPlan
from arena.store import bots as bot_store
from arena.store import pending as store
from arena.store import summaries
from arena.store import timetables as moment_store
from arena.store import tournaments as tournament_store
from arena.store.database import release
from arena.store.models import Bot, BotVersion, Entry, PendingEntry, Tournament, User
from arena.submissions import checks, reference, versions
from arena.submissions.versions import Prepared
from arena.tournaments import freezing, lifecycle
from workers.programs.archive_store import ArchiveStore


class Awaited(NamedTuple):
    """A bot that enters by itself, and the version with which it does, if something was handed in."""

    pending: PendingEntry
    version: BotVersion | None


def enter(session: Session, actor: User, tournament: Tournament, bot: Bot) -> Entry | None:
    """Enter the newest version of a bot: at once, or else by itself when it has passed its check.

    Until it is entered a newer version takes its place that is handed in before the timetable closes the
    entries, and it is given up when the tournament begins.

    Raises:
        ForbiddenError: the bot is another user's, or the tournament for another class.
        ConflictError: the tournament takes no entries, or not yet from teams; or it is frozen.
    """
    newest = summaries.newest_versions(session, [bot]).get(bot.id)
    if newest is not None and tournament.game in checks.passed_in(newest):
        return lifecycle.enter(session, actor, tournament, bot)
    tournament = tournament_store.lock(session, tournament.id)
    permissions.require_entrant(actor, tournament, bot)
    freezing.require_thawed(actor, tournament)
    freezing.require_unclosed(session, actor, tournament)
    lifecycle.require(tournament, lifecycle.entering(actor, tournament, before=True), "entered")
    row = store.get(session, tournament, bot)
    if row is None:
        session.add(
            PendingEntry(tournament_id=tournament.id, bot_id=bot.id, user_id=actor.id, created_at=utc_now())
        )
    else:
        row.user_id = actor.id
    session.flush()
    return None


def withdraw(session: Session, actor: User, tournament: Tournament, bot: Bot) -> None:
    """Let a bot enter by itself no more.

    Raises:
        ForbiddenError: the bot is another user's.
        NotFoundError: it would not have entered.
    """
    if not permissions.runs(actor, tournament):
        permissions.require_owner(actor, bot, "withdraw your own")
    if not store.forget(session, tournament, bot):
        raise NotFoundError(
            "%(bot)r does not enter %(tournament)r by itself", bot=bot.name, tournament=tournament.name
        )


def awaited(session: Session, tournament: Tournament) -> list[Awaited]:
    """The bots that enter a tournament by themselves, in the order in which that was asked for."""
    rows = store.in_tournament(session, tournament)
    return [Awaited(*each) for each in zip(rows, _versions(session, rows), strict=True)]


def due(session: Session) -> list[tuple[int, int]]:
    """The tournaments and bots, by id, of which somebody should look whether the bot enters now."""
    rows = store.in_states(session, lifecycle.ENTERING)
    ready = [_is_ready(*each) for each in zip(rows, _versions(session, rows), strict=True)]
    return [(row.tournament_id, row.bot_id) for row in compress(rows, ready)]


def settle(session: Session, tournament_id: int, bot_id: int) -> None:
    """Enter a bot that has passed its check, however long that took.

    Raises:
        ArenaError: it cannot be entered any more; give it up (`give_up`).
    """
    tournament = tournament_store.lock(session, tournament_id)
    row = session.get(PendingEntry, (tournament_id, bot_id), populate_existing=True)
    if row is None:
        return
    (version,) = _versions(session, [row])
    if version is not None:
        asked_at = row.created_at
        lifecycle.enter(session, row.user, tournament, row.bot, version.number, asked_at=asked_at)


def give_up(session: Session, tournament_id: int, bot_id: int) -> None:
    """Forget that a bot was to be entered."""
    row = session.get(PendingEntry, (tournament_id, bot_id))
    if row is not None:
        session.delete(row)


def _versions(session: Session, rows: Sequence[PendingEntry]) -> list[BotVersion | None]:
    """The version with which each enters: the newest, but of a team's that were handed in in time."""
    if not rows:
        return []
    newest = summaries.newest_versions(session, [row.bot for row in rows])
    moments = moment_store.of_tournaments(session, {row.tournament_id for row in rows})
    found: list[BotVersion | None] = []
    for row in rows:
        version = newest.get(row.bot_id)
        closes = next((each.at for each in moments[row.tournament_id] if each.act is Act.CLOSE), None)
        late = version is not None and closes is not None and version.created_at > closes
        if closes is not None and late and not permissions.runs(row.user, row.tournament):
            version = summaries.newest_version_until(session, row.bot, closes)
        found.append(version)
    return found


def _is_ready(row: PendingEntry, version: BotVersion | None) -> bool:
    return version is not None and row.tournament.game in checks.passed_in(version)


def create(session: Session, archives: ArchiveStore, actor: User, plan: TournamentPlan) -> Tournament:
    """A new tournament in draft; its reference bots are handed in, checked and entered by themselves.

    One that the staff has handed in before, and that may play, is entered at once. Nothing may have been
    written in the session before.

    Raises:
        InvalidError: the game has no such reference bot, or as in `lifecycle.create`.
        NotFoundError, ForbiddenError, ConflictError: as in `lifecycle.create`.
        UnavailableError: the archives' store takes nothing.
    """
    permissions.require_staff(actor)
    prepared = _prepared(session, archives, plan)
    tournament = lifecycle.create(session, actor, plan)
    for name, each in prepared.items():
        enter(session, actor, tournament, _handed_in(session, actor, name, each, plan.game))
    return tournament


def _prepared(session: Session, archives: ArchiveStore, plan: TournamentPlan) -> dict[str, Prepared]:
    """What the plan's reference bots are handed in as, by their names; it is kept."""
    if not plan.reference_bots:
        return {}
    release(session)
    texts = dict.fromkeys(each.removeprefix(reference.PREFIX) for each in plan.reference_bots)
    game, found = find_rules(plan.game, plan.params), {}
    for text in texts:
        found[text] = versions.prepare(*reference.files_of(text, game), games_of([plan.game]))
        versions.keep(archives, found[text])
    return found


def _handed_in(session: Session, actor: User, text: str, prepared: Prepared, game: str) -> Bot:
    """A bot of the staff's that is this reference bot and may play or is being checked for that."""
    name = text.replace(":", "-")
    bot = bot_store.by_name(session, name)
    if bot is not None and not permissions.opens(actor, bot):
        there = bot_store.version_of_archive(session, bot, prepared.archive)
        if permissions.is_staff(bot.owner) and there is not None and game in checks.passed_in(there):
            return bot
        name = f"{name}-{actor.name}"[: reference.MAX_CHARS]
    version, _ = versions.record(session, actor, None, name, prepared)
    newest = summaries.newest_versions(session, [version.bot])[version.bot_id]
    if newest.id != version.id:
        raise ConflictError(
            "the newest version of your bot %(bot)r is another program than the reference bot; leave that "
            "out, or hand the reference bot in by another name",
            bot=name,
        )
    if game not in version.games or version.state in {VersionState.FAILED, VersionState.UNCHECKED}:
        version.games = games_of([*version.games, game])
        checks.begin(session, version)
    return version.bot
