"""Erasing a person's data: nothing is left to tell them by, or to sign in with, and all results stay.

Who it was and their bots have neutral names from then on, wherever they are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import ConflictError
from arena.people import users
from arena.people.administering import require_other_admin
from arena.store import erasing as store
from arena.store import events
from arena.store import users as user_store
from arena.store.models.account_events import UserErased


class Erased(NamedTuple):
    """What somebody is called from now on, how many bots they have, and the archives that nobody needs."""

    name: str
    bots: int
    archives: Sequence[str]


def erase(session: Session, name: str, *, sources: bool) -> Erased:
    """Erase a person's data; with `sources` the caller then removes the archives of their bots.

    Raises:
        NotFoundError: there is no such user.
        ConflictError: they are erased already, the last administrator, or a team with members; or the sources
            are still played with; or somebody else has a neutral name.
    """
    admins = user_store.lock_admins(session)
    user = user_store.locked(session, users.get(session, name).id)
    if user.erased_at is not None:
        raise ConflictError("the data of %(user)r is erased already", user=user.name)
    require_other_admin(user, admins)
    if user_store.members(session, user):
        raise ConflictError("%(user)r is a team with members; erase these first", user=user.name)
    bots = store.bots(session, user)
    numbers = [bot.id for bot in bots]
    if sources and (cups := store.unfinished(session, numbers)):
        raise ConflictError(
            "bots of %(user)r play in %(cups)s, which is not over: end it first, or keep the sources",
            user=user.name,
            cups=", ".join(cups),
        )
    neutral = f"erased-{user.id}"
    renamed = {bot.name: f"{neutral}-bot-{number}" for number, bot in enumerate(bots, 1)}
    store.forget(session, user, numbers)
    session.expire_all()
    store.rename(session, {user.name: neutral, **renamed})
    for bot in bots:
        bot.name, bot.takes_scrimmages = renamed[bot.name], False
    user.name, user.password_hash, user.news_seen_at = neutral, None, None
    user.erased_at = utc_now()
    user.left_at = user.left_at or user.erased_at
    store.tell_anew(session, numbers)
    events.log(session, UserErased(neutral))
    session.flush()
    return Erased(neutral, len(bots), store.archives_of(session, numbers) if sources else ())
