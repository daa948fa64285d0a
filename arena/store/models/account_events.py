"""What the audit log can say of users, their classes, and what they sign in with."""

from __future__ import annotations

from arena.core.terms import Role, SignedInBy
from arena.store.models.event_types import EventData, EventKind


class UserCreated(EventData, kind=EventKind.USER_CREATED):
    """A user came to be."""

    user: str
    role: Role


class TokenIssued(EventData, kind=EventKind.TOKEN_ISSUED):
    """A user has another token."""

    user: str


class TokenRevoked(EventData, kind=EventKind.TOKEN_REVOKED):
    """So many tokens of a user are worthless."""

    user: str
    count: int


class UserJoined(EventData, kind=EventKind.USER_JOINED):
    """Somebody joined a team by a code."""

    user: str
    team: str


class SignedIn(EventData, kind=EventKind.USER_SIGNED_IN):
    """Somebody signed in on the pages."""

    user: str
    by: SignedInBy


class RoleSet(EventData, kind=EventKind.USER_ROLE_SET):
    """A user has another role."""

    user: str
    before: Role
    role: Role


class UserDisabled(EventData, kind=EventKind.USER_DISABLED):
    """A user cannot sign in any more, and no token of theirs is good."""

    user: str


class UserEnabled(EventData, kind=EventKind.USER_ENABLED):
    """A user can be let in again."""

    user: str


class UserErased(EventData, kind=EventKind.USER_ERASED):
    """The data of somebody was erased, who has this neutral name since."""

    user: str


class MemberLeft(EventData, kind=EventKind.MEMBER_LEFT):
    """A member was let out of a team."""

    user: str
    team: str


class SessionsEnded(EventData, kind=EventKind.SESSIONS_ENDED):
    """So many sessions of a user were ended."""

    user: str
    count: int


class PasswordSet(EventData, kind=EventKind.PASSWORD_SET):
    """A user has chosen a password."""

    user: str


class LinkMade(EventData, kind=EventKind.LINK_MADE):
    """There is a link that signs a user in."""

    user: str


class PasskeyAdded(EventData, kind=EventKind.PASSKEY_ADDED):
    """A user signs in by another passkey, too."""

    user: str


class PasskeyRemoved(EventData, kind=EventKind.PASSKEY_REMOVED):
    """A passkey signs in no more."""

    user: str


class IdentityLinked(EventData, kind=EventKind.IDENTITY_LINKED):
    """A user signs in by an account at the school's provider, too."""

    user: str
    issuer: str


class IdentityUnlinked(EventData, kind=EventKind.IDENTITY_UNLINKED):
    """An account at the school's provider signs in no more."""

    user: str
    issuer: str


class CodeMade(EventData, kind=EventKind.CODE_MADE):
    """So many may join a class or a team by a code, for so many days."""

    what: str
    uses: int
    days: int


class CodeRevoked(EventData, kind=EventKind.CODE_REVOKED):
    """A code is worthless."""

    code: int


class ClassCreated(EventData, kind=EventKind.CLASS_CREATED):
    """A class came to be."""

    name: str


class OrganiserAdded(EventData, kind=EventKind.ORGANISER_ADDED):
    """An organiser runs a class."""

    name: str
    user: str


class OrganiserRemoved(EventData, kind=EventKind.ORGANISER_REMOVED):
    """An organiser runs a class no more."""

    name: str
    user: str


class BotKept(EventData, kind=EventKind.BOT_KEPT):
    """A class's roster names a bot that nothing was submitted for yet."""

    bot: str
    owner: str
