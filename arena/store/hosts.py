"""Queries for worker hosts."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import Text, cast, delete, func, select
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


def processes_since(session: Session, moment: dt.datetime) -> Iterator[tuple[str, list[str], int]]:
    """The processes that gave a sign of life since then: a host, what they take, and how many of it do."""
    takes = cast(WorkerProcess.takes, Text)
    query = select(WorkerProcess.host, takes, func.count()).where(WorkerProcess.seen_at >= moment)
    for host, told, count in session.execute(query.group_by(WorkerProcess.host, takes)):
        yield host, json.loads(told), count


def gather(session: Session, names: Collection[str]) -> object:
    """Have the session read at once what it has of these hosts; hold it as long as that is needed."""
    hosts = session.scalars(select(Host).where(Host.name.in_(names))).all()
    return hosts, session.scalars(select(WorkerProcess).where(WorkerProcess.host.in_(names))).all()


def forget_processes(session: Session, moment: dt.datetime) -> None:
    """Delete the processes that gave no sign of life since then."""
    session.execute(delete(WorkerProcess).where(WorkerProcess.seen_at < moment))
