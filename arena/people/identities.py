"""Accounts at a school's OpenID provider that sign in here, and who was sent there for what: decision 56.

Who is sent there is remembered for ten minutes, for one answer, by hashes only. What proves that the answer
comes to the browser that asked is a secret in a cookie of that browser; nonce and PKCE verifier are made of
it and of the state, so that nobody who reads the database can finish what somebody else has begun.
"""

from __future__ import annotations

import base64
import datetime as dt
import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import AuthRequiredError, ConflictError, ForbiddenError, NotFoundError
from arena.core.openid import OpenIdSetup
from arena.people import attempts, classes
from arena.people.provider import Person, Question
from arena.people.secret import digest, new_secret
from arena.store import events
from arena.store import identities as store
from arena.store import passkeys as passkey_store
from arena.store import users as user_store
from arena.store.database import release
from arena.store.models import Identity, OpenIdRequest, User
from arena.store.models.account_events import IdentityLinked, IdentityUnlinked

GOOD = dt.timedelta(minutes=10)
"""How long somebody may take at the provider."""
MAX_REQUESTS = 10_000


class StrayAnswerError(AuthRequiredError):
    """Nobody was sent to the provider for this answer by this browser, or too long ago; begin again."""


class UnknownPersonError(ForbiddenError):
    """Nobody here has this account of the school; join by a code, or sign in and link it."""


class TakenIdentityError(ConflictError):
    """The account of the school is somebody else's here, or the user has linked another one."""


class LastWayError(ConflictError):
    """Nothing else would sign the user in; choose a password or make a passkey first."""


@dataclass(frozen=True)
class Errand:
    """What somebody is sent there for: to link an account to `user`, to join by `code`, or to sign in.

    After signing in they go `onward`.
    """

    onward: str = ""
    user: User | None = None
    code: str | None = None
    member: str = ""
    team: str = ""


def send(session: Session, setup: OpenIdSetup, errand: Errand, redirect_uri: str) -> tuple[str, Question]:
    """What the browser has to keep, and with what it is sent to the provider."""
    store.forget_requests(session, MAX_REQUESTS)
    browser, state = new_secret(), new_secret()
    row = OpenIdRequest(
        state_hash=digest(state),
        browser_hash=digest(browser),
        provider_hash=_provider(setup),
        redirect_uri=redirect_uri,
        onward=errand.onward,
        user_id=None if errand.user is None else errand.user.id,
        code=errand.code,
        member=errand.member,
        team=errand.team,
        expires_at=utc_now() + GOOD,
    )
    session.add(row)
    return browser, _question(browser, state, redirect_uri)


def answered(
    session: Session, setup: OpenIdSetup, state: str, browser: str, address: str
) -> tuple[OpenIdRequest, Question]:
    """Who was sent with that state by that browser, and with which question; it is answered no second time.

    The attempt is counted; the session is released before: nothing may have been written.

    Raises:
        TooManyError: too many attempts have failed from that address.
        StrayAnswerError: nobody was, too long ago, or to another provider.
    """
    attempts.admit(session, address)
    release(session)
    row = store.take_request(session, digest(state), digest(browser)) if state and browser else None
    if row is None or row.provider_hash != _provider(setup):
        raise StrayAnswerError("nobody was sent to the provider for this answer just now; begin again")
    return row, _question(browser, state, row.redirect_uri)


def sign_in(session: Session, person: Person) -> User:
    """Whom an account at the provider signs in.

    Raises:
        UnknownPersonError: nobody.
    """
    known = store.by_subject(session, person.issuer, person.subject)
    if known is None or known.user.left_at is not None:
        raise UnknownPersonError("nobody here has this account; join by a code, or sign in and link it")
    known.used_at, known.label = utc_now(), person.label
    return known.user


def join(session: Session, person: Person, request: OpenIdRequest, address: str) -> User:
    """The new account of somebody who joins by a code, signed in by the provider from then on.

    Raises:
        TakenIdentityError: they have an account here.
        ArenaError: as `classes.join`.
    """
    _of_who_is_out(session, person)
    release(session)
    user = classes.join(
        session, request.code or "", member=request.member, team=request.team, address=address
    )
    link(session, user, person).used_at = utc_now()
    return user


def check_joining(session: Session, errand: Errand, address: str) -> None:
    """Say what is wrong with a code and names before somebody is sent away with them; nothing is kept.

    Raises:
        ArenaError: as `classes.join`.
    """
    try:
        classes.join(session, errand.code or "", member=errand.member, team=errand.team, address=address)
    finally:
        session.rollback()
    attempts.succeeded(session, address)


def link(session: Session, user: User, person: Person) -> Identity:
    """Let an account at the provider sign in a user, too.

    Raises:
        TakenIdentityError: it is somebody's, or the user has one there.
    """
    if (left := _of_who_is_out(session, person)) is not None:
        session.delete(left)
        session.flush()
    if any(each.issuer == person.issuer for each in store.of_user(session, user)):
        raise TakenIdentityError("you have linked another account of the school; unlink that one first")
    row = Identity(
        user_id=user.id,
        issuer=person.issuer,
        subject=person.subject,
        label=person.label,
        created_at=utc_now(),
    )
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        raise TakenIdentityError("this account of the school was linked at this moment; look again") from None
    events.log(session, IdentityLinked(user.name, person.issuer), actor=user)
    return row


def identities(session: Session, user: User) -> Sequence[Identity]:
    """A user's accounts at providers, the oldest first."""
    return store.of_user(session, user)


def unlink(session: Session, user: User, number: int) -> None:
    """Let one of one's own accounts at a provider sign in no more.

    Raises:
        NotFoundError: it is not the user's, or is unlinked.
        LastWayError: the user has neither a password nor a passkey.
    """
    user = user_store.locked(session, user.id)
    mine = store.of_user(session, user)
    chosen = next((each for each in mine if each.id == number), None)
    if chosen is None:
        raise NotFoundError(f"you have no linked account {number}; it may be unlinked")
    if user.password_hash is None and not passkey_store.of_user(session, user):
        raise LastWayError("nothing else would sign you in; choose a password or make a passkey first")
    session.delete(chosen)
    events.log(session, IdentityUnlinked(user.name, chosen.issuer), actor=user)


def _of_who_is_out(session: Session, person: Person) -> Identity | None:
    """The account as somebody has linked it who is out: it is free again.

    Raises:
        TakenIdentityError: somebody has who is in.
    """
    known = store.by_subject(session, person.issuer, person.subject)
    if known is not None and known.user.left_at is None:
        raise TakenIdentityError("this account of the school signs in somebody here already")
    return known


def _provider(setup: OpenIdSetup) -> str:
    """What an answer has to come from: the same provider, and for the same client of it."""
    return digest(f"{setup.issuer} {setup.client_id}")


def _question(browser: str, state: str, redirect_uri: str) -> Question:
    def made(what: str) -> str:
        code = hmac.digest(browser.encode(), f"{what}:{state}".encode(), "sha256")
        return base64.urlsafe_b64encode(code).decode().rstrip("=")

    return Question(state, made("nonce"), made("verifier"), redirect_uri)
