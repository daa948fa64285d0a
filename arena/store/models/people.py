"""Users, the classes that they belong to, and what they sign in with."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import BigInteger, Column, ForeignKey, String, Table, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, foreign, mapped_column, relationship, remote

from arena.core.terms import Role, Scope, SignedInBy
from arena.store.models.base import Base
from arena.store.types import EnumText

organisers = Table(
    "class_organisers",
    Base.metadata,
    Column("class_id", ForeignKey("classes.id"), primary_key=True),
    Column("user_id", ForeignKey("users.id"), primary_key=True),
)
"""Which organisers a class has."""


class SchoolClass(Base):
    """Teams that are taught together; its organisers run it, and say whether they have scrimmages."""

    __tablename__ = "classes"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    created_at: Mapped[dt.datetime]
    has_scrimmages: Mapped[bool] = mapped_column(default=True)

    organisers: Mapped[list[User]] = relationship(secondary=organisers, back_populates="organises")


class User(Base):
    """Somebody who signs in: one of the staff, a team, a member of a team, or a reader.

    Bots belong to teams: a member, whose `team_id` is the team's, does for it what the team may do. The
    leader of a team also lets members in and out. Somebody who is out (`left_at`) cannot sign in any more; of
    somebody who was erased (`erased_at`) nothing is left but results, under a neutral name.
    What came after `news_seen_at` is news to them; where that is not there, all since they came.
    """

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    role: Mapped[Role] = mapped_column(EnumText(Role, 10))
    created_at: Mapped[dt.datetime]
    class_id: Mapped[int | None] = mapped_column(index=True)
    team_id: Mapped[int | None] = mapped_column(index=True)
    is_leader: Mapped[bool] = mapped_column(default=False)
    password_hash: Mapped[str | None] = mapped_column(String(200))
    left_at: Mapped[dt.datetime | None]
    erased_at: Mapped[dt.datetime | None]
    news_seen_at: Mapped[dt.datetime | None]

    school_class: Mapped[SchoolClass | None] = relationship(
        primaryjoin=lambda: foreign(User.class_id) == SchoolClass.id, viewonly=True
    )
    team: Mapped[User | None] = relationship(
        primaryjoin=lambda: foreign(User.team_id) == remote(User.id), viewonly=True
    )
    organises: Mapped[list[SchoolClass]] = relationship(secondary=organisers, back_populates="organisers")

    @property
    def account_id(self) -> int:
        """The id of the user whose bots these are: of a member, the team's."""
        return self.team_id or self.id


class Follow(Base):
    """Somebody wants to know what the team `team_id` does, as far as everybody may."""

    __tablename__ = "follows"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    created_at: Mapped[dt.datetime]


class Token(Base):
    """An API token; only the SHA-256 of its text is kept. Of what its user may do it is good for `scope`."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    name: Mapped[str] = mapped_column(String(60), default="")
    scope: Mapped[Scope] = mapped_column(EnumText(Scope, 10), default=Scope.ALL)
    created_at: Mapped[dt.datetime]
    expires_at: Mapped[dt.datetime | None]
    revoked_at: Mapped[dt.datetime | None]

    user: Mapped[User] = relationship(lazy="joined")


class WebSession(Base):
    """Somebody signed in on the pages; of what the browser's cookie holds only the SHA-256 is kept.

    It was begun with the token `token_id`, if with one. What the browser says of itself is cut short.
    """

    __tablename__ = "web_sessions"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    signed_in_by: Mapped[SignedInBy] = mapped_column(EnumText(SignedInBy, 10))
    token_id: Mapped[int | None] = mapped_column(ForeignKey("tokens.id"))
    created_at: Mapped[dt.datetime]
    seen_at: Mapped[dt.datetime]
    expires_at: Mapped[dt.datetime] = mapped_column(index=True)
    browser: Mapped[str] = mapped_column(String(200))
    address: Mapped[str] = mapped_column(String(45))

    user: Mapped[User] = relationship(lazy="joined")


class JoinCode(Base):
    """What lets people in who type it: new teams into a class, or members into the team `team_id`.

    The text is kept as it is, for whoever gave it out to show it again.
    """

    __tablename__ = "join_codes"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(String(20), unique=True)
    class_id: Mapped[int | None] = mapped_column(ForeignKey("classes.id"), index=True)
    team_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    uses_left: Mapped[int]
    created_at: Mapped[dt.datetime]
    expires_at: Mapped[dt.datetime]


class SignInLink(Base):
    """Signs a user in once; only the SHA-256 of its secret is kept. A used one is not there any more."""

    __tablename__ = "sign_in_links"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), unique=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[dt.datetime]
    expires_at: Mapped[dt.datetime]

    user: Mapped[User] = relationship(lazy="joined")


class Passkey(Base):
    """A key that a device keeps for a user and the arena's host name; of it the public half, as text.

    All of a user's have the same random `handle`, by which devices tell one account from another.
    """

    __tablename__ = "passkeys"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    credential_id: Mapped[str] = mapped_column(String(1400), unique=True)
    public_key: Mapped[str] = mapped_column(Text)
    handle: Mapped[str] = mapped_column(String(100))
    host: Mapped[str] = mapped_column(String(253))
    sign_count: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(String(60))
    created_at: Mapped[dt.datetime]
    used_at: Mapped[dt.datetime | None]

    user: Mapped[User] = relationship()


class PasskeyChallenge(Base):
    """What a passkey is to answer, by its SHA-256: one of anybody's, or a new one of the user's `user_id`."""

    __tablename__ = "passkey_challenges"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    handle: Mapped[str | None] = mapped_column(String(100))
    expires_at: Mapped[dt.datetime] = mapped_column(index=True)


class Identity(Base):
    """An account at a school's OpenID provider that signs a user in: the provider's issuer and its subject.

    `label` is what the provider calls it, for its user to recognise.
    """

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"), UniqueConstraint("user_id", "issuer"))

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    issuer: Mapped[str] = mapped_column(String(255))
    subject: Mapped[str] = mapped_column(String(255))
    label: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[dt.datetime]
    used_at: Mapped[dt.datetime | None]

    user: Mapped[User] = relationship()


class OpenIdRequest(Base):
    """Somebody sent to the provider, by the SHA-256 of the state and of what only that browser shows.

    The answer links the account there to `user_id`, joins by `code`, or else signs in; then it goes `onward`.
    """

    __tablename__ = "openid_requests"

    state_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    browser_hash: Mapped[str] = mapped_column(String(64))
    provider_hash: Mapped[str] = mapped_column(String(64))
    redirect_uri: Mapped[str] = mapped_column(String(500))
    onward: Mapped[str] = mapped_column(String(1000))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    code: Mapped[str | None] = mapped_column(String(20))
    member: Mapped[str] = mapped_column(String(60), default="")
    team: Mapped[str] = mapped_column(String(60), default="")
    expires_at: Mapped[dt.datetime] = mapped_column(index=True)


class SignInAttempt(Base):
    """How many attempts in a row have failed by one name, or from one address; `key` is its SHA-256."""

    __tablename__ = "sign_in_attempts"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    failures: Mapped[int]
    last_at: Mapped[dt.datetime] = mapped_column(index=True)
