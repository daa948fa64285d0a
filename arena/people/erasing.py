"""Erasing a person's data: nothing is left to tell them by, or to sign in with, and all results stay.

Who it was and their bots have neutral names from then on, wherever they are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import ConflictError
from arena.people import users
from arena.people.administering import require_other_admin
from arena.store import erasing as store
from arena.store import events
from arena.store import users as user_store
from arena.store.database import Database
from arena.store.failures import is_deadlock
from arena.store.models import Bot, User
from arena.store.models.account_events import UserErased

ATTEMPTS = 10
"""So often it is tried while the person goes on working."""


class Erased(NamedTuple):
    """What somebody is called from now on, how many bots they have, and the archives that nobody needs."""

    name: str
    bots: int
    archives: Sequence[str]


def erase(session: Session, name: str, *, sources: bool) -> Erased:
    """Erase a person's data; with `sources` the caller then removes the archives of their bots.

    Of somebody who is erased already only those are told again, as removing them may have failed.

    Raises:
        NotFoundError: there is no such user.
        ConflictError: they are erased already, the last administrator, or a team with members; or the sources
            are still played with.
    """
    admins = user_store.lock_admins(session)
    user = user_store.locked(session, users.get(session, name).id)
    if user.erased_at is not None:
        if not sources:
            raise ConflictError("the data of %(user)r is erased already", user=user.name)
        bots = store.bots(session, user)
        _require_over(session, user, [bot.id for bot in bots])
        return _told(session, user, bots, sources=True)
    require_other_admin(user, admins)
    if user_store.members(session, user):
        raise ConflictError("%(user)r is a team with members; erase these first", user=user.name)
    bots = store.bots(session, user)
    numbers = [bot.id for bot in bots]
    if sources:
        _require_over(session, user, numbers)
    neutral, renamed = _neutral(session, user, bots)
    store.forget(session, user, numbers)
    session.expire_all()
    names = store.Names({user.name: neutral}, renamed)
    store.rename(session, names)
    store.rename_heroes(session, names)
    for bot in bots:
        bot.name, bot.takes_scrimmages = renamed[bot.name], False
    user.name, user.password_hash, user.news_seen_at = neutral, None, None
    user.erased_at = utc_now()
    user.left_at = user.left_at or user.erased_at
    store.tell_anew(session, user, numbers)
    events.log(session, UserErased(neutral))
    session.flush()
    return _told(session, user, bots, sources=sources)


def erase_with_retries(database: Database, name: str, *, sources: bool) -> Erased:
    """Erase in a transaction of its own, anew where those who use what is renamed were in its way.

    Raises:
        NotFoundError, ConflictError: as `erase`.
        DBAPIError: it could not be done.
    """
    attempts = 0
    while True:
        attempts += 1
        try:
            with database.transaction() as session:
                return erase(session, name, sources=sources)
        except DBAPIError as error:
            if attempts == ATTEMPTS or not is_deadlock(error):
                raise


def _require_over(session: Session, user: User, bots: Sequence[int]) -> None:
    """Keep the archives of bots with which something is to be played yet.

    Raises:
        ConflictError: that is so.
    """
    if cups := store.unfinished(session, bots):
        raise ConflictError(
            "bots of %(user)r play in %(cups)s, which is not over: end it first, or keep the sources",
            user=user.name,
            cups=", ".join(cups),
        )


def _neutral(session: Session, user: User, bots: Sequence[Bot]) -> tuple[str, dict[str, str]]:
    """What somebody and their bots, by their names, are called from now on: what nobody is called yet."""
    plain = f"erased-{user.id}"
    for name in chain([plain], (f"{plain}-{number}" for number in count(2))):
        renamed = {bot.name: f"{name}-bot-{number}" for number, bot in enumerate(bots, 1)}
        if store.is_free(session, name, renamed.values()):
            break
    return name, renamed


def _told(session: Session, user: User, bots: Sequence[Bot], *, sources: bool) -> Erased:
    numbers = [bot.id for bot in bots]
    return Erased(user.name, len(bots), store.archives_of(session, numbers) if sources else ())
