"""Users, their sessions and their classes, in the words of the API and the pages."""

from __future__ import annotations

import ipaddress

from arena.people.administering import Account
from arena.schemas.account import CodeOut, IdentityOut, PasskeyOut, SessionOut, TokenOut
from arena.schemas.classes import ClassOut
from arena.schemas.users import UserOut, UserState
from arena.store.models import Identity, JoinCode, Passkey, SchoolClass, Token, User, WebSession
from arena.web.answers.copying import copied

BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = ("Windows", "Android", "iPhone", "iPad", "CrOS", "Macintosh", "Linux")
"""What browsers say of themselves; the first that fits, as they name others after themselves."""


def user_of(user: User) -> UserOut:
    """The user with their team and class."""
    return copied(
        UserOut,
        user,
        team=user.team.name if user.team else None,
        class_name=user.school_class.name if user.school_class else None,
    )


def state_of(account: Account) -> UserState:
    """The user with what they can sign in with."""
    user, ways = account
    return UserState(
        **dict(user_of(user)),
        disabled_at=user.left_at,
        has_password=user.password_hash is not None,
        **ways._asdict(),
    )


def token_of(token: Token) -> TokenOut:
    """The token without its text."""
    return copied(TokenOut, token)


def session_of(web_session: WebSession) -> SessionOut:
    """The session, with browser and address in short."""
    return copied(
        SessionOut,
        web_session,
        browser=short_browser(web_session.browser),
        address=short_address(web_session.address),
    )


def passkey_of(passkey: Passkey) -> PasskeyOut:
    """The passkey without its key."""
    return copied(PasskeyOut, passkey)


def identity_of(identity: Identity) -> IdentityOut:
    """The account at a provider."""
    return copied(IdentityOut, identity)


def code_of(code: JoinCode) -> CodeOut:
    """The code."""
    return copied(CodeOut, code)


def class_of(school_class: SchoolClass) -> ClassOut:
    """The class with those who run it."""
    organisers = sorted(each.name for each in school_class.organisers)
    return copied(ClassOut, school_class, organisers=organisers, scrimmages=school_class.has_scrimmages)


def short_browser(told: str) -> str:
    """Which browser it is and on what, as in ``Firefox, Windows``; empty where it is none that is known."""
    browser = next((name for mark, name in BROWSERS if mark in told), "")
    system = next((name for name in SYSTEMS if name in told), "")
    return ", ".join(part for part in (browser, system) if part)


def short_address(address: str) -> str:
    """An address without what tells one machine of a network from another."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if isinstance(parsed, ipaddress.IPv4Address):
        return ".".join(address.split(".")[:3]) + ".…"
    return f"{ipaddress.ip_network((parsed, 48), strict=False).network_address}…"
