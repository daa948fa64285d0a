"""Worker hosts: what each can run, as it says itself, and what all that are there now can do together."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.store import hosts as store
from arena.store.models import Host, WorkerProcess
from workers.host.serving import CHECKS, KINDS, MATCHES, served_needs
from workers.programs.runtimes.languages import LANGUAGES

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
    takes: Collection[str] = KINDS,
) -> None:
    """Take in what a host says of itself, and which of its processes says it, that takes these kinds of work.

    Without a speed the one that was told before is kept.
    """
    host = store.by_name(session, name)
    if host is None:
        host = Host(name=name)
        session.add(host)
    host.languages = dict(languages)
    host.speed = host.speed if speed is None else speed
    host.cores = cores
    host.seen_at = utc_now()
    session.flush()
    if process is not None:
        _heard_of(session, host, process, takes)


def _heard_of(session: Session, host: Host, name: str, takes: Collection[str]) -> None:
    process = store.process(session, host, name)
    if process is None:
        store.forget_processes(session, host.seen_at - FORGOTTEN_AFTER)
        process = WorkerProcess(host=host.name, name=name)
        session.add(process)
    process.takes, process.seen_at = list(takes), host.seen_at
    session.flush()


def present(session: Session, settings: Settings) -> Sequence[Host]:
    """The hosts that were heard of lately."""
    return store.seen_since(session, _lately(settings))


def takers(session: Session, settings: Settings, kind: str) -> dict[Host, int]:
    """The hosts that are there now and take that kind of work, with how many of their processes do.

    A host whose processes do not tell their names takes every kind, with one.
    """
    told = store.processes_since(session, _lately(settings))
    named = {process.host for process in told}
    counts = Counter(process.host for process in told if kind in process.takes)
    here = present(session, settings)
    counts.update(host.name for host in here if host.name not in named)
    return {host: counts[host.name] for host in here if counts[host.name]}


def served(session: Session, settings: Settings, kind: str) -> set[str]:
    """The needs that some host which is there now can serve in such work; see `workers.host.serving`."""
    return {needed for host in takers(session, settings, kind) for needed in served_needs(host.languages)}


def slots(session: Session, settings: Settings) -> dict[Host, int]:
    """How many matches each host that is there now can play at once: one a process, up to its cores."""
    playing = takers(session, settings, MATCHES)
    return {host: min(count, host.cores or count) for host, count in playing.items()}


def _lately(settings: Settings) -> dt.datetime:
    return utc_now() - dt.timedelta(seconds=settings.host_seconds)


def versions(session: Session, settings: Settings) -> dict[str, list[str]]:
    """For every language the versions of its tools on the hosts that are there now, if any."""
    hosts = present(session, settings)
    return {
        name: sorted({str(host.languages[name]) for host in hosts if name in host.languages})
        for name in LANGUAGES
    }


def lacking(kind: str, needed: str) -> str:
    """What to say of work of that kind that no host can do."""
    titles = [LANGUAGES[name].title for name in needed.split("+") if name in LANGUAGES]
    able = f"runs {' and '.join(titles)}{' and checks bots' if kind == CHECKS else ''}"
    return f"waiting for a worker host that {able}; none is there now"
