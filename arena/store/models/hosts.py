"""Worker hosts and their processes."""

from __future__ import annotations

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from arena.core.terms import MAX_HOST_CHARS
from arena.store.models.base import Base


class Host(Base):
    """A worker host by its name: the versions of the languages that it runs, and when it last said so.

    An environment that it has is one more language (`workers.programs.runtimes.languages`).

    Since `draining_at` it is to take nothing new, and what it still has in hand after `drain_until` is given
    to others. `cores` is how many cores its matches may have, one each;
    None where processes are kept on no core.
    """

    __tablename__ = "hosts"

    name: Mapped[str] = mapped_column(String(MAX_HOST_CHARS), primary_key=True)
    languages: Mapped[dict[str, Any]]
    speed: Mapped[float | None]
    seen_at: Mapped[dt.datetime]
    cores: Mapped[int | None]
    draining_at: Mapped[dt.datetime | None]
    drain_until: Mapped[dt.datetime | None]


class Environment(Base):
    """Packages for Python bots that a name means, or meant: what was chosen last for it counts.

    `digest` says which files for which Python they are, and `told` does in words.
    """

    __tablename__ = "environments"

    name: Mapped[str] = mapped_column(String(12), primary_key=True)
    digest: Mapped[str] = mapped_column(String(16), primary_key=True)
    told: Mapped[str] = mapped_column(String(200))
    chosen_at: Mapped[dt.datetime]


class WorkerProcess(Base):
    """A process of a host, the kinds of work that it takes one at a time, and when it last said so.

    It also said which languages it runs, as each process finds that out for itself when it starts (None where
    that is not known), and which version of the arena, whether it takes nothing new, and what it had in hand.
    """

    __tablename__ = "worker_processes"

    host: Mapped[str] = mapped_column(ForeignKey("hosts.name"), primary_key=True)
    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    takes: Mapped[list[str]]
    languages: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    seen_at: Mapped[dt.datetime]
    version: Mapped[str | None] = mapped_column(String(60))
    draining: Mapped[bool] = mapped_column(default=False)
    doing: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class SetAside(Base):
    """Something in a queue of the broker that was no message, found by `host`, or by the recorder with None.

    Only the newest are kept; `id` counts all that there ever were.
    """

    __tablename__ = "set_aside"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[dt.datetime]
    why: Mapped[str] = mapped_column(String(20))
    detail: Mapped[str] = mapped_column(String(500))
    queue: Mapped[str] = mapped_column(String(200))
    host: Mapped[str | None] = mapped_column(String(MAX_HOST_CHARS))
    size: Mapped[int] = mapped_column(BigInteger())
    head: Mapped[str] = mapped_column(String(300))


class WorkerKey(Base):
    """A public key (Ed25519, hexadecimal) by which what a host says is known; a host has one that is good.

    `enrolled_by` made the code that it came with; None where the arena enrolled its own machine. Of a host
    that is not trusted, a laboratory's PC, `repeat_share` of its matches are played again elsewhere.
    """

    __tablename__ = "worker_keys"
    __table_args__ = (
        Index(
            "ix_worker_keys_host",
            "host",
            unique=True,
            sqlite_where=text("revoked_at IS NULL"),
            postgresql_where=text("revoked_at IS NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    host: Mapped[str] = mapped_column(String(MAX_HOST_CHARS))
    public: Mapped[str] = mapped_column(String(64), unique=True)
    enrolled_at: Mapped[dt.datetime]
    enrolled_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    revoked_at: Mapped[dt.datetime | None]
    repeat_share: Mapped[float | None]


class EnrolmentCode(Base):
    """What one host can be enrolled with, once; only the SHA-256 of its text is kept.

    `repeat_share` is that of its key.
    """

    __tablename__ = "enrolment_codes"

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    made_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    expires_at: Mapped[dt.datetime]
    used_at: Mapped[dt.datetime | None]
    repeat_share: Mapped[float | None]
