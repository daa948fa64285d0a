"""Worker hosts: what each can run, as it says itself, and what all that are there now can do together."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.settings import Settings
from arena.store import hosts as store
from arena.store import worker_keys
from arena.store.database import has_news
from arena.store.models import Host, WorkerProcess
from arena.submissions import environments
from workers.programs.runtimes.languages import ADAPTED, LANGUAGES, exact, title_of
from workers.programs.serving import CHECKS, KINDS, MATCHES, SOLVES, TRAININGS, served_needs

MIN_WINDOW, MAX_WINDOW = 16, 1000
"""A window that nobody has set has at least and at most so many places."""
FORGOTTEN_AFTER = dt.timedelta(days=1)
"""Processes that were not heard of for so long are deleted."""
MAX_PROCESSES = 1000
"""So many of a host's processes are known: those that were heard of last."""
SILENCE = dt.timedelta(minutes=1)
"""Who is heard of after so long may be back."""


def register(
    session: Session,
    name: str,
    languages: Mapping[str, str],
    speed: float | None,
    *,
    cores: int | None = None,
    process: str | None = None,
    takes: Collection[str] = KINDS,
    **told: Any,
) -> Host:
    """Take in what a host says of itself, and which of its processes says it, that takes these kinds of work.

    Without a speed the one that was told before is kept. What else is `told` is of the process alone.
    """
    host = store.by_name(session, name)
    if host is None or host.languages != languages or host.seen_at < utc_now() - SILENCE:
        has_news(session)  # it may do what had to wait
    is_new = host is None
    if host is None:
        host = Host(name=name)
        session.add(host)
    host.languages = dict(languages)
    host.speed = host.speed if speed is None else speed
    host.cores = cores
    host.seen_at = utc_now()
    if is_new:
        session.flush()
    environments.taken_in(session, host)
    if process is not None:
        _heard_of(session, host, process, takes, languages, **told)
    return host


def _heard_of(
    session: Session,
    host: Host,
    name: str,
    takes: Collection[str],
    languages: Mapping[str, str],
    *,
    version: str | None = None,
    draining: bool = False,
    doing: dict[str, Any] | None = None,
) -> None:
    process = store.process(session, host, name)
    if process is None:
        has_news(session)
        store.forget_processes(session, host.seen_at - FORGOTTEN_AFTER)
        store.forget_surplus(session, host, MAX_PROCESSES - 1)
        process = WorkerProcess(
            host=host.name, name=name, takes=list(takes), seen_at=host.seen_at, draining=draining
        )
        session.add(process)
        session.flush()
    if process.languages != languages:
        has_news(session)
    process.takes, process.languages, process.seen_at = list(takes), dict(languages), host.seen_at
    process.version, process.draining, process.doing = version, draining, doing


def present(session: Session, settings: Settings) -> Sequence[Host]:
    """The hosts that were heard of lately."""
    return store.seen_since(session, lately(settings))


def takers(session: Session, settings: Settings, kind: str) -> dict[Host, int]:
    """The hosts that are there now and take that kind of work, with how many of their processes do.

    One that is to take nothing new does not. A host whose processes do not tell their names takes every kind,
    with one.
    """
    counts = Counter[Host]()
    for host, _, count in _taking(session, settings, kind):
        counts[host] += count
    return dict(counts)


def _taking(session: Session, settings: Settings, kind: str) -> Iterator[tuple[Host, Mapping[str, str], int]]:
    """The processes of `takers`: a host, the languages that some of them run, and how many do."""
    here = {host.name: host for host in present(session, settings) if host.draining_at is None}
    unnamed = {**here}
    for alike in store.processes_since(session, lately(settings)):
        unnamed.pop(alike.host, None)
        host = here.get(alike.host)
        if host and kind in alike.takes:
            yield host, host.languages if alike.languages is None else alike.languages, alike.processes
    for host in unnamed.values():
        yield host, host.languages, 1


def served(session: Session, settings: Settings, kind: str) -> set[str]:
    """The needs that some process there is can serve in such work now; see `workers.programs.serving`."""
    means = environments.meanings(session)
    able = [languages for _, languages, _ in _taking(session, settings, kind)]
    mixtures = {frozenset(environments.words_of(languages, means)) for languages in able}
    return {needed for languages in mixtures for needed in served_needs(languages)}


def can_solve(session: Session, settings: Settings) -> bool:
    """Whether a trusted host is there now that takes positions of solves: no other is asked for them."""
    return _trusted_take(session, settings, SOLVES)


def can_learn(session: Session, settings: Settings) -> bool:
    """The same of parts of players that are learned."""
    return _trusted_take(session, settings, TRAININGS)


def _trusted_take(session: Session, settings: Settings, kind: str) -> bool:
    there = {host.name for host in takers(session, settings, kind)}
    return not there.isdisjoint(worker_keys.trusted(session))


def window(session: Session, settings: Settings) -> int:
    """How many published matches may wait: as it is set, else one for every process that plays, in bounds."""
    if settings.window is not None:
        return settings.window
    playing = takers(session, settings, MATCHES)
    return min(max(MIN_WINDOW, sum(playing.values())), MAX_WINDOW)


def slots(session: Session, settings: Settings) -> dict[Host, int]:
    """How many matches each host that is there now can play at once: one a process, up to its cores."""
    playing = takers(session, settings, MATCHES)
    return {host: min(count, host.cores or count) for host, count in playing.items()}


def lately(settings: Settings) -> dt.datetime:
    """Who was not heard of since then is gone."""
    return utc_now() - dt.timedelta(seconds=settings.host_seconds)


def versions(session: Session, settings: Settings) -> dict[str, list[str]]:
    """For every language the versions of its tools on the hosts that are there now, if any.

    With each environment of this arena Python is one more.
    """
    means = environments.meanings(session)
    able = [environments.words_of(host.languages, means) for host in present(session, settings)]
    return {name: sorted({str(each[name]) for each in able if name in each}) for name in (*LANGUAGES, *means)}


def lacking(kind: str, needed: str) -> str:
    """What to say of work of that kind that no host can do."""
    if kind == SOLVES:
        return "waiting for a trusted worker host with the compiled search; none is there now"
    if kind == TRAININGS:
        return "waiting for a trusted worker host where learning is compiled; none is there now"
    titles = [title for word in needed.split("+") if (title := title_of(exact(word)[0]))]
    able = [f"runs {' and '.join(titles)}"]
    if needed.endswith(ADAPTED):
        able.append("starts bots by adapters")
    if kind == CHECKS:
        able.append("checks bots")
    first, last = able[:-1], able[-1]
    able_to = f"{', '.join(first)} and {last}" if first else last
    return f"waiting for a worker host that {able_to}; none is there now"
