"""Worker hosts: what each can run, as it says itself, and what all that are there now can do together."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from arena.moments import utc_now
from arena.settings import Settings
from arena.store import hosts as store
from arena.store.models import Host, WorkerProcess
from workers.runtimes.languages import LANGUAGES
from workers.serving import served_needs

FORGOTTEN_AFTER = dt.timedelta(days=1)
"""Processes that were not heard of for so long are deleted."""


def register(
    session: Session,
    name: str,
    languages: Mapping[str, str],
    speed: float | None,
    *,
    cores: int | None = None,
    process: str | None = None,
) -> None:
    """Take in what a host says of itself, and which of its processes says it."""
    host = store.by_name(session, name)
    if host is None:
        host = Host(name=name)
        session.add(host)
    host.languages = dict(languages)
    host.speed = speed
    host.cores = cores
    host.seen_at = utc_now()
    session.flush()
    if process is not None:
        _heard_of(session, host, process)


def _heard_of(session: Session, host: Host, name: str) -> None:
    found = store.process(session, host, name)
    if found is None:
        store.forget_processes(session, host.seen_at - FORGOTTEN_AFTER)
        found = WorkerProcess(host=host.name, name=name)
        session.add(found)
    found.seen_at = host.seen_at
    session.flush()


def present(session: Session, settings: Settings) -> Sequence[Host]:
    """The hosts that were heard of lately."""
    return store.seen_since(session, utc_now() - dt.timedelta(seconds=settings.host_seconds))


def served(session: Session, settings: Settings) -> set[str]:
    """The needs that some host which is there now can serve; see `workers.serving`."""
    return {needed for host in present(session, settings) for needed in served_needs(host.languages)}


def slots(session: Session, settings: Settings) -> dict[str, int]:
    """How many matches each host that is there now can play at once: one a process, but no more than cores.

    A host whose processes do not tell their names plays one.
    """
    running = store.processes_since(session, utc_now() - dt.timedelta(seconds=settings.host_seconds))
    found = {}
    for host in present(session, settings):
        processes = running.get(host.name, 1)
        found[host.name] = processes if host.cores is None else min(processes, host.cores)
    return found


def versions(session: Session, settings: Settings) -> dict[str, list[str]]:
    """For every language the versions of its tools on the hosts that are there now, if any."""
    hosts = present(session, settings)
    return {
        name: sorted({str(host.languages[name]) for host in hosts if name in host.languages})
        for name in LANGUAGES
    }


def lacking(needed: str) -> str:
    """What to say of work that no host can do."""
    titles = [LANGUAGES[name].title for name in needed.split("+") if name in LANGUAGES]
    return f"waiting for a worker host that runs {' and '.join(titles)}; none is there now"
