"""Signing in on the pages: sessions, whose ids only the browsers have, and what begins and ends them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import AuthRequiredError, ForbiddenError, NotFoundError
from arena.core.terms import Scope, SignedInBy
from arena.people import attempts, passwords, users
from arena.people.secret import digest, new_secret
from arena.store import events
from arena.store import sessions as store
from arena.store import users as user_store
from arena.store.database import LET_IN_BY, release
from arena.store.models import User, WebSession
from arena.store.models.account_events import PasswordSet, SessionsEnded, SignedIn
from arena.store.sessions import Glimpse

IDLE = dt.timedelta(days=7)
LONGEST = dt.timedelta(days=30)
SEEN_EVERY = dt.timedelta(minutes=10)
"""When a session was last seen is kept that exactly: not every page that is read has to write."""
FRESH = dt.timedelta(hours=1)
MOST = 50
"""Sessions of one user; those not seen for longest end."""
BROWSER_CHARS = 200
WRONG = "there is nobody of this name with this password"


@dataclass(frozen=True)
class Visit:
    """Where a sign-in comes from: the address, and what the browser says of itself."""

    address: str
    browser: str = ""


def begin(session: Session, user: User, by: SignedInBy, visit: Visit, *, token_id: int | None = None) -> str:
    """A new session of `user`; what the browser has to keep, which nobody else has.

    One that is begun with a token does not outlive it.

    Raises:
        ChangedError: the user was changed at this moment.
    """
    store.end_expired(session)
    for old in store.of_user(session, user)[MOST - 1 :]:
        session.delete(old)
    now, secret = utc_now(), new_secret()
    token_ends_at = None if token_id is None else store.token_end(session, token_id)
    row = WebSession(
        user_id=user.id,
        hash=digest(secret),
        signed_in_by=by,
        token_id=token_id,
        created_at=now,
        seen_at=now,
        expires_at=_end(now, now, token_ends_at),
        browser="".join(filter(str.isprintable, visit.browser))[:BROWSER_CHARS],
        address=visit.address[:45],
    )
    session.add(row)
    users.require_unchanged(session, user)
    events.log(session, SignedIn(user.name, by), actor=user)
    return secret


def find(session: Session, secret: str) -> WebSession | None:
    """The session that a browser shows, if it goes on."""
    found = store.by_hash(session, digest(secret)) if secret else None
    if found is not None:
        session.info[LET_IN_BY] = found
    return found


def require_still(session: Session) -> None:
    """Let go on who was let in by a token or session that is good now, or that they have ended themselves.

    It may have been made worthless since, by somebody who then has found nothing yet of what is written here.
    Of that all refers to the user who does it, whom the other has locked; so it waited until now.

    Raises:
        AuthRequiredError: it is good no more; nothing may be written.
    """
    session.flush()
    let_in_by = session.info.get(LET_IN_BY)
    if let_in_by is None or let_in_by not in session:
        return
    if isinstance(let_in_by, WebSession):
        is_good = store.goes_on(session, let_in_by.id)
    else:
        is_good = let_in_by.revoked_at is not None or user_store.is_token_good(session, let_in_by.id)
    if not is_good:
        raise AuthRequiredError("what you had signed in by was made worthless at this moment")


def glimpse(session: Session, secret: str) -> Glimpse | None:
    """Who shows a session that goes on, for a page that is the same for everybody."""
    return store.glimpse(session, digest(secret))


def is_due(seen_so_far: Glimpse) -> bool:
    """Whether it has to be kept that the session was seen."""
    return utc_now() - seen_so_far.seen_at >= SEEN_EVERY


def seen(session: Session, now_seen: Glimpse) -> None:
    """Keep that the session was seen: it goes on for a week, for 30 days in all, and while its token does."""
    now = utc_now()
    store.seen(session, now_seen.id, now, _end(now, now_seen.created_at, now_seen.token_ends_at))


def _end(now: dt.datetime, created_at: dt.datetime, token_ends_at: dt.datetime | None) -> dt.datetime:
    """When a session ends that nobody sees again."""
    ends = min(now + IDLE, created_at + LONGEST)
    return ends if token_ends_at is None else min(ends, token_ends_at)


def end(session: Session, secret: str) -> None:
    """End the session that a browser shows, if it goes on."""
    if secret and (web_session := store.by_hash(session, digest(secret))) is not None:
        session.delete(web_session)


def end_one(session: Session, user: User, number: int) -> None:
    """End one of a user's sessions.

    Raises:
        NotFoundError: it is not theirs, or has ended.
    """
    mine = next((each for each in store.of_user(session, user) if each.id == number), None)
    if mine is None:
        raise NotFoundError("you have no session %(number)s; it may have ended", number=number)
    session.delete(mine)
    events.log(session, SessionsEnded(user.name, 1), actor=user)


def end_all(session: Session, user: User, *, actor: User, but: WebSession | None = None) -> int:
    """End a user's sessions except one; how many."""
    user_store.locked(session, user.id)  # what somebody does by them now waits, and comes to nothing
    count = store.end_all(session, user, but=but)
    events.log(session, SessionsEnded(user.name, count), actor=actor)
    return count


def by_password(session: Session, name: str, password: str, address: str) -> User:
    """Who signs in by a name and a password. The session is released: nothing may have been written before.

    Raises:
        TooManyError: too many attempts have failed by that name, or from that address.
        AuthRequiredError: there is nobody of that name with that password.
    """
    attempts.admit(session, address, name)
    user = users.find(session, name)
    kept = user.password_hash if user is not None and user.left_at is None else None
    release(session)
    if not passwords.matches(kept, password) or user is None:
        raise AuthRequiredError(WRONG)
    attempts.succeeded(session, address, name)
    return user


def by_token(session: Session, text: str) -> tuple[User, int]:
    """Whose API token that is, and its number.

    Raises:
        AuthRequiredError: nobody's, or it is good no more.
        ForbiddenError: it is not good for all that its user may do.
    """
    token = users.find_token(session, text)
    if token.scope is not Scope.ALL:
        raise ForbiddenError(
            "this token is for programs (scope %(scope)s); sign in with another one", scope=token.scope
        )
    return token.user, token.id


def may_replace_password(user: User, web_session: WebSession | None) -> bool:
    """Whether a password may be chosen without the one before.

    It may where there is none, and for an hour after a link of the staff's was followed.
    """
    if user.password_hash is None:
        return True
    by_link = web_session is not None and web_session.signed_in_by == SignedInBy.LINK
    return by_link and web_session is not None and utc_now() - web_session.created_at < FRESH


def set_password(
    session: Session,
    user: User,
    password: str,
    *,
    current: str,
    address: str,
    web_session: WebSession | None = None,
) -> None:
    """Choose a password; the user's other sessions end. The session is released, as in `by_password`.

    Raises:
        WeakPasswordError: it is easily guessed.
        TooManyError: too many attempts with a wrong `current` one.
        AuthRequiredError: `current` is not the password so far.
    """
    passwords.check_password(password, user.name)
    needed = not may_replace_password(user, web_session)
    if needed:
        by_password(session, user.name, current, address)
    _keep_password(session, user, password, actor=user, but=web_session)


def give_password(session: Session, user: User, password: str) -> None:
    """Give somebody a password, by who has the database itself; the user's sessions end.

    Raises:
        WeakPasswordError: it is easily guessed.
    """
    passwords.check_password(password, user.name)
    _keep_password(session, user, password, actor=None)


def _keep_password(
    session: Session, user: User, password: str, *, actor: User | None, but: WebSession | None = None
) -> None:
    release(session)
    made = passwords.hashed(password)
    user = user_store.locked(session, user.id)
    user.password_hash = made
    store.end_all(session, user, but=but)
    events.log(session, PasswordSet(user.name), actor=actor)
