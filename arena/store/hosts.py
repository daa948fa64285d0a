"""Queries for worker hosts."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Select, Text, cast, delete, func, select
from sqlalchemy.orm import Session

from arena.store.models import Host, WorkerProcess


def seen_since(session: Session, moment: dt.datetime) -> Sequence[Host]:
    """The hosts that gave a sign of life since then, by name."""
    return session.scalars(select(Host).where(Host.seen_at >= moment).order_by(Host.name)).all()


def by_name(session: Session, name: str) -> Host | None:
    """The host of that name."""
    return session.get(Host, name)


def lock(session: Session, name: str) -> Host | None:
    """The host of that name as it is now; nobody else changes it until this transaction ends."""
    query = select(Host).where(Host.name == name).with_for_update()
    return session.scalar(query.execution_options(populate_existing=True))


def all_hosts() -> Select[Host]:
    """All hosts that were ever heard of and are not forgotten, by name."""
    return select(Host).order_by(Host.name)


def draining(session: Session) -> Sequence[str]:
    """The names of the hosts that are to take nothing new."""
    return session.scalars(select(Host.name).where(Host.draining_at.is_not(None))).all()


def overdue(session: Session, now: dt.datetime) -> Sequence[str]:
    """The names of the hosts that were to be done by now with all that they have in hand."""
    return session.scalars(select(Host.name).where(Host.drain_until < now)).all()


def processes_of(session: Session, names: Collection[str]) -> Sequence[WorkerProcess]:
    """The processes of these hosts, by name."""
    query = select(WorkerProcess).where(WorkerProcess.host.in_(names))
    return session.scalars(query.order_by(WorkerProcess.host, WorkerProcess.name)).all()


def forget(session: Session, host: Host) -> None:
    """Delete a host with its processes."""
    session.execute(delete(WorkerProcess).where(WorkerProcess.host == host.name))
    session.delete(host)


def process(session: Session, host: Host, name: str) -> WorkerProcess | None:
    """The process of that name on a host."""
    return session.get(WorkerProcess, (host.name, name))


class Alike(NamedTuple):
    """Processes of a host that take the same work and run the same languages, and how many they are."""

    host: str
    takes: list[str]
    languages: dict[str, str] | None
    processes: int


def processes_since(session: Session, moment: dt.datetime) -> Iterator[Alike]:
    """The processes that gave a sign of life since then."""
    alike = WorkerProcess.host, cast(WorkerProcess.takes, Text), cast(WorkerProcess.languages, Text)
    query = select(*alike, func.count()).where(WorkerProcess.seen_at >= moment)
    for host, takes, languages, count in session.execute(query.group_by(*alike)):
        yield Alike(host, json.loads(takes), json.loads(languages) if languages else None, count)


def gather(session: Session, names: Collection[str]) -> object:
    """Have the session read at once what it has of these hosts; hold it as long as that is needed."""
    hosts = session.scalars(select(Host).where(Host.name.in_(names))).all()
    return hosts, session.scalars(select(WorkerProcess).where(WorkerProcess.host.in_(names))).all()


def forget_processes(session: Session, moment: dt.datetime) -> None:
    """Delete the processes that gave no sign of life since then."""
    session.execute(delete(WorkerProcess).where(WorkerProcess.seen_at < moment))


def forget_surplus(session: Session, host: Host, most: int) -> None:
    """Delete all processes of a host but so many that were heard of last."""
    mine = WorkerProcess.host == host.name
    newest = WorkerProcess.seen_at.desc(), WorkerProcess.name
    surplus = select(WorkerProcess.name).where(mine).order_by(*newest).offset(most)
    session.execute(delete(WorkerProcess).where(mine, WorkerProcess.name.in_(surplus)))
