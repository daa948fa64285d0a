"""Users and their tokens."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import Role
from arena.store.models.base import Base
from arena.store.types import EnumText


class User(Base):
    """Somebody with a token: the staff, or a team of the class."""

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    role: Mapped[Role] = mapped_column(EnumText(Role, 10))
    created_at: Mapped[dt.datetime]

    @property
    def is_staff(self) -> bool:
        """Whether the user may do and see everything."""
        return self.role == Role.ADMIN


class Token(Base):
    """An API token; only the SHA-256 of its text is kept."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[dt.datetime]
    revoked_at: Mapped[dt.datetime | None]

    user: Mapped[User] = relationship(lazy="joined")
