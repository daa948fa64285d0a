"""Links by which somebody signs in once: the staff gives them to whom it manages."""

from __future__ import annotations

import datetime as dt

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import NotFoundError
from arena.people import users
from arena.people.secret import digest, new_secret
from arena.store import events
from arena.store import sessions as store
from arena.store.models import SignInLink, User
from arena.store.models.account_events import LinkMade

GOOD = dt.timedelta(days=7)


def make(session: Session, actor: User, user: User) -> tuple[str, dt.datetime]:
    """The secret of a new link for `user`, and until when it is good; an earlier one is worthless then.

    Raises:
        ForbiddenError: the user is not the actor's to manage.
        NotFoundError: the user is out.
        ChangedError: the user was changed at this moment.
    """
    permissions.require_manager(actor, user)
    if user.left_at is not None:
        raise NotFoundError("%(user)r is out and cannot sign in", user=user.name)
    store.forget_links(session, user)
    secret, now = new_secret(), utc_now()
    session.add(SignInLink(user_id=user.id, hash=digest(secret), created_at=now, expires_at=now + GOOD))
    users.require_unchanged(session, user)
    events.log(session, LinkMade(user.name), actor=actor)
    session.flush()
    return secret, now + GOOD


def whose(session: Session, secret: str) -> User:
    """Whom a link signs in; it is good after that as before.

    Raises:
        NotFoundError: nobody: it was used, replaced or revoked, or has expired.
    """
    return _find(session, secret).user


def use(session: Session, secret: str) -> User:
    """Who signs in by a link, which is good no more then.

    Raises:
        NotFoundError: nobody, as before.
    """
    link = _find(session, secret, locked=True)
    session.delete(link)
    return link.user


def _find(session: Session, secret: str, *, locked: bool = False) -> SignInLink:
    link = store.link(session, digest(secret), locked=locked)
    if link is None:
        raise NotFoundError("this link was used, replaced by another one, or has expired; ask for a new one")
    return link
