"""Bots, their versions, and the checks of these."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from arena.core.terms import MatchState, VersionState
from arena.store.models.base import Base, Leased
from arena.store.models.people import User
from arena.store.types import EnumText


class Bot(Base):
    """A program that a user submits, through all its versions.

    Where it `takes_scrimmages` others of its owner's class may play some against it.
    """

    __tablename__ = "bots"

    id: Mapped[int] = mapped_column(primary_key=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    created_at: Mapped[dt.datetime]
    takes_scrimmages: Mapped[bool] = mapped_column(default=False)

    owner: Mapped[User] = relationship(lazy="joined")
    versions: Mapped[list[BotVersion]] = relationship(order_by="BotVersion.number", back_populates="bot")


class BotVersion(Base):
    """One submission of a bot; `archive` is the SHA-256 of the stored zip.

    `games` are the names of those that it was submitted for, and is checked in.
    """

    __tablename__ = "bot_versions"
    __table_args__ = (UniqueConstraint("bot_id", "number"), UniqueConstraint("bot_id", "archive"))

    id: Mapped[int] = mapped_column(primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bots.id"))
    number: Mapped[int]
    archive: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    filename: Mapped[str] = mapped_column(String(200))
    language: Mapped[str] = mapped_column(String(20))
    games: Mapped[list[str]]
    state: Mapped[VersionState] = mapped_column(EnumText(VersionState, 10))
    created_at: Mapped[dt.datetime]

    bot: Mapped[Bot] = relationship(lazy="joined", back_populates="versions")
    check: Mapped[Check | None] = relationship(back_populates="version")


class Check(Leased, Base):
    """The submission check of a version: the only one, or the last. `report` is what came of it.

    `needs` are the languages that a host must run to do it, here and wherever work is given out. It was asked
    for at `created_at`, and the attempt that has begun must be over at `ends_at`.
    """

    __tablename__ = "checks"

    version_id: Mapped[int] = mapped_column(ForeignKey("bot_versions.id"), primary_key=True)
    state: Mapped[MatchState] = mapped_column(EnumText(MatchState, 10), index=True)
    needs: Mapped[str] = mapped_column(String(40))
    refused: Mapped[int] = mapped_column(default=0)
    trouble: Mapped[str | None] = mapped_column(Text)
    report: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[dt.datetime]
    ends_at: Mapped[dt.datetime | None]
    recorded_at: Mapped[dt.datetime | None]

    version: Mapped[BotVersion] = relationship(lazy="joined", back_populates="check")

    def release(self, state: MatchState) -> None:
        """The next attempt has a whole time again."""
        super().release(state)
        self.ends_at = None

    def finish(self) -> None:
        """It is over in time."""
        super().finish()
        self.ends_at = None
