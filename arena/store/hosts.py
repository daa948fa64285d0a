"""Queries for worker hosts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from arena.store.models import Host, WorkerProcess


def seen_since(session: Session, moment: dt.datetime) -> Sequence[Host]:
    """The hosts that gave a sign of life since then, by name."""
    return session.scalars(select(Host).where(Host.seen_at >= moment).order_by(Host.name)).all()


def by_name(session: Session, name: str) -> Host | None:
    """The host of that name."""
    return session.get(Host, name)


def process(session: Session, host: Host, name: str) -> WorkerProcess | None:
    """The process of that name on a host."""
    return session.get(WorkerProcess, (host.name, name))


def processes_since(session: Session, moment: dt.datetime) -> Sequence[WorkerProcess]:
    """The processes of all hosts that gave a sign of life since then."""
    return session.scalars(select(WorkerProcess).where(WorkerProcess.seen_at >= moment)).all()


def forget_processes(session: Session, moment: dt.datetime) -> None:
    """Delete the processes that gave no sign of life since then."""
    session.execute(delete(WorkerProcess).where(WorkerProcess.seen_at < moment))
