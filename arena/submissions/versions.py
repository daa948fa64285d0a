"""Bots and their versions: a submission is checked, stored by its content, and numbered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError, UnavailableError
from arena.core.games import UploadError, games_of
from arena.core.lookalikes import check_distinct
from arena.core.names import check_name, could_count, could_exist
from arena.core.terms import VersionState
from arena.store import bots as store
from arena.store import events, users
from arena.store.database import release
from arena.store.models import Bot, BotVersion, User
from arena.store.models.event_types import BotSubmitted
from arena.store.paging import page
from arena.submissions import checks, environments, quotas
from arena.submissions.quotas import Quota
from workers.core.errors import ArchiveError, ArchiveMissingError, ArchiveUnwritableError
from workers.programs.archive_store import ArchiveStore
from workers.programs.archives import canonical_archive, content_hash, source_of
from workers.programs.runtimes.detection import Source

MAX_FILENAME_CHARS = 200
RESERVED = {"new"}
"""What stands where a bot's name does in an address of the pages."""


class Prepared(NamedTuple):
    """What was sent, ready to be kept: its canonical archive with its hash, and what it is.

    `asks` says whether its games were named, by it or by who sent it.
    """

    filename: str
    content: bytes
    archive: str
    source: Source
    games: list[str]
    asks: bool


def submit(
    session: Session,
    archives: ArchiveStore,
    actor: User,
    *,
    bot_name: str,
    filename: str,
    data: bytes,
    owner: User | None = None,
    games: Sequence[str] = (),
    quota: Quota | None = None,
) -> tuple[BotVersion, bool]:
    """The version that holds `data`, and whether it is new; the same content again makes no new version.

    A new version is checked before it may play, in the games of its `bot.toml`, else in `games`; checks of
    older versions that are not over are called off. A bot belongs to whoever submitted it first. The staff
    may submit for any `owner`. While the archive is made and stored the session is released: nothing may have
    been written in it before.

    Raises:
        InvalidError: the name cannot be one, or not a new one.
        UploadError: the file is no acceptable archive, or there is no such game.
        ForbiddenError: the bot is another user's, or the user or the owner a reader.
        ConflictError: the name is new and looks like another bot's, or the team has as much as it may.
        TooManyError: the team has had as many checks as it may for now.
        UnavailableError: the archives' store takes nothing.
    """
    name = check_name("bot", bot_name)
    _check_owner(actor, owner)
    known = store.by_name(session, name)
    if known:
        _check_bot(actor, owner, known)
    else:
        check_new(session, name)
    release(session)
    prepared = prepare(filename, data, games)
    if known is None or store.version_of_archive(session, known, prepared.archive) is None:
        quotas.require_room(session, actor, quota, len(prepared.content), new_bot=known is None)
        release(session)  # what is refused takes no room in the archives' store
    keep(archives, prepared)
    return record(session, actor, owner, name, prepared, quota=quota)


def prepare(filename: str, data: bytes, games: Sequence[str]) -> Prepared:
    """What would become of what was sent; this takes a while, and nothing is kept.

    Raises:
        InvalidError: the games are too many.
        UploadError: the file is no acceptable archive, or there is no such game.
    """
    try:
        archive = canonical_archive(filename, data)
        source = source_of(archive)
    except ArchiveError as error:
        raise UploadError(str(error), error.flaw) from None
    named = source.manifest.games or games
    return Prepared(filename, archive, content_hash(archive), source, games_of(named), bool(named))


def keep(archives: ArchiveStore, prepared: Prepared) -> None:
    """Put the archive of what was prepared into the store.

    Raises:
        UnavailableError: the store takes nothing.
    """
    try:
        archives.put(prepared.content)
    except ArchiveUnwritableError as error:
        why = "its disk is full" if error.full else "its store does not answer"
        raise UnavailableError(f"the bot cannot be kept at the moment: {why}; tell the staff") from error


def record(
    session: Session,
    actor: User,
    owner: User | None,
    name: str,
    prepared: Prepared,
    *,
    quota: Quota | None = None,
) -> tuple[BotVersion, bool]:
    """The version of the bot `name` that holds what was prepared and kept, and whether it is new.

    One that is there already is checked again if it is to be in games in which it was not.

    Raises:
        ForbiddenError: the bot is another user's.
        ConflictError: somebody else is making it, the team has as much as it may, or the arena has not the
            environment that it needs.
        TooManyError: the team has had as many checks as it may for now.
    """
    environments.require_known(session, prepared.source.word)
    users.lock(session, actor)  # before the bot, as who erases them does
    known = store.by_name(session, name, locked=True)
    if known is None:
        quotas.require_room(session, actor, quota, len(prepared.content), new_bot=True)
    bot = known or _create(session, owner or actor, name)
    _check_bot(actor, owner, bot)
    existing = store.version_of_archive(session, bot, prepared.archive)
    if existing is not None:
        if prepared.asks and not {*prepared.games} <= {*existing.games}:
            checks.extend(session, actor, existing, prepared.games, quota)
        return existing, False
    if known is not None:
        quotas.require_room(session, actor, quota, len(prepared.content), new_bot=False)
    version = _new_version(session, bot, prepared)
    session.add(version)
    session.flush()
    checks.supersede(session, version)
    checks.begin(session, version)
    events.log(session, BotSubmitted(bot.name, version.number, prepared.archive), actor=actor)
    return version, True


def store_files(archives: ArchiveStore, filename: str, data: bytes) -> tuple[str, str]:
    """Where files that are no submission are kept: the hash of their archive, and their language.

    Raises:
        UploadError: the file is no acceptable archive.
        UnavailableError: the archives' store takes nothing.
    """
    prepared = prepare(filename, data, ())
    keep(archives, prepared)
    return prepared.archive, prepared.source.language.name


def check_new(session: Session, name: str) -> None:
    """Refuse a name that no new bot can have.

    Raises:
        InvalidError: a page has that address.
        ConflictError: it looks like another bot's.
    """
    if name in RESERVED:
        raise InvalidError(
            "no bot can be called %(name)r, as a page has that address; choose another name", name=name
        )
    check_distinct("bot", name, store.names(session))


def _new_version(session: Session, bot: Bot, prepared: Prepared) -> BotVersion:
    """What will be the newest version of a bot."""
    newest = store.newest_version(session, bot)
    return BotVersion(
        bot=bot,
        number=newest.number + 1 if newest else 1,
        archive=prepared.archive,
        size=len(prepared.content),
        filename="".join(filter(str.isprintable, prepared.filename))[:MAX_FILENAME_CHARS],
        language=prepared.source.needs,
        games=prepared.games,
        state=VersionState.CHECKING,
        created_at=utc_now(),
    )


def _check_owner(actor: User, owner: User | None) -> None:
    permissions.require_player(actor)
    if owner is not None and not permissions.may_submit_for(actor, owner):
        raise ForbiddenError("only the staff may submit for %(owner)r", owner=owner.name)
    if owner is not None and not permissions.plays(owner):
        raise ForbiddenError("%(owner)r is a reader, and a reader has no bots; name a team", owner=owner.name)


def _check_bot(actor: User, owner: User | None, bot: Bot) -> None:
    theirs = bot.owner_id == owner.account_id if owner else permissions.opens(actor, bot)
    if not theirs:
        raise ForbiddenError(
            "the bot %(bot)r belongs to %(owner)r; choose another name", bot=bot.name, owner=bot.owner.name
        )


def _create(session: Session, owner: User, name: str) -> Bot:
    bot = Bot(owner_id=owner.account_id, name=name, created_at=utc_now())
    try:
        with session.begin_nested():
            session.add(bot)
    except IntegrityError:
        raise ConflictError(
            "somebody is submitting the bot %(name)r at this moment; try again", name=name
        ) from None
    return bot


def get(session: Session, name: str) -> Bot:
    """The bot of that name.

    Raises:
        NotFoundError: there is none.
    """
    bot = store.by_name(session, name) if could_exist(name) else None
    if bot is None:
        raise NotFoundError("there is no bot %(name)r", name=name)
    return bot


def get_version(session: Session, bot: Bot, number: int | None = None) -> BotVersion:
    """A version of a bot; the newest when no number is given.

    Raises:
        NotFoundError: there is none.
    """
    if number is None:
        version = store.newest_version(session, bot)
    else:
        version = store.version(session, bot, number) if could_count(number) else None
    if version is None:
        wanted = f"version {number}" if number is not None else "version yet"
        raise NotFoundError("the bot %(bot)r has no %(wanted)s", bot=bot.name, wanted=wanted)
    return version


def files_of(version: BotVersion, archives: ArchiveStore) -> bytes:
    """The files of a version, as a zip.

    Raises:
        NotFoundError: the store does not have them as they were handed in.
    """
    try:
        return archives.get(version.archive)
    except ArchiveMissingError as error:
        raise NotFoundError(str(error)) from error


def list_bots(
    session: Session, offset: int, limit: int, owner: User | None = None, *, text: str = "", game: str = ""
) -> tuple[Sequence[Bot], int]:
    """One page of the bots in the order of their names, and how many there are in all.

    With `text` and `game` those that are called so, or whose team is, and that were handed in for that game.
    """
    return page(session, store.all_bots(owner, text, game), offset, limit)
