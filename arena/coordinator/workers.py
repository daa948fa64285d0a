"""The worker hosts for the staff: what each has in hand, and having one finish and take nothing new."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import structlog
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.coordinator.broker import Broker
from arena.coordinator.comparing import Comparison, compare
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, NotFoundError, UnavailableError
from arena.core.settings import Settings
from arena.core.terms import MAX_HOST_CHARS, HostState
from arena.store import events, operations, repeats
from arena.store import hosts as store
from arena.store import worker_keys as key_store
from arena.store.database import has_news
from arena.store.models import Host, Repeat, User, WorkerKey, WorkerProcess
from arena.store.models.host_events import HostDrained, HostForgotten, HostResumed
from arena.store.operations import InHand
from arena.store.paging import page
from arena.submissions import environments
from arena.submissions.hosts import lately
from workers.programs.serving import (
    CHECKS,
    MATCHES,
    REPEATS,
    REVIEWS,
    SCRIMMAGES,
    SIMULATIONS,
    SOLVES,
    TRAININGS,
)

MAX_IN_HAND = 500
"""So much of each kind of work is listed of the hosts of one page."""
MAX_TELLING = 200
"""So many of the newest matches that went another way elsewhere."""

log = structlog.get_logger()


class Piece(NamedTuple):
    """Work that a host has in hand, and what the process that does it last said of it, if it has."""

    kind: str
    work: InHand
    process: str | None
    doing: dict[str, Any] | None


@dataclass(frozen=True)
class HostView:
    """A host, its processes that were heard of within a day, and what it has in hand.

    Of its key, if it has a good one, and of how its matches compare where they were played again: `telling`
    are the newest that went another way. `strange` are its environments that mean something else here.
    """

    host: Host
    state: HostState
    processes: Sequence[WorkerProcess]
    in_hand: Sequence[Piece]
    key: WorkerKey | None
    comparison: Comparison
    telling: Sequence[Repeat]
    strange: Sequence[str]


def list_hosts(
    session: Session, settings: Settings, offset: int, limit: int, *, name: str | None = None
) -> tuple[list[HostView], int]:
    """One page of the hosts by name, or the one of that name, and how many there are in all."""
    query = store.all_hosts() if name is None else store.all_hosts().where(Host.name == name)
    rows, total = page(session, query, offset, limit)
    names = [host.name for host in rows]
    processes: dict[str, list[WorkerProcess]] = defaultdict(list)
    for process in store.processes_of(session, names):
        processes[process.host].append(process)
    pieces: dict[str, list[Piece]] = defaultdict(list)
    for kind, found in (
        (MATCHES, operations.matches_in_hand(session, names, MAX_IN_HAND)),
        (CHECKS, operations.checks_in_hand(session, names, MAX_IN_HAND)),
        (REPEATS, operations.repeats_in_hand(session, names, MAX_IN_HAND)),
        (REVIEWS, operations.analyses_in_hand(session, names, MAX_IN_HAND)),
        (SCRIMMAGES, operations.scrimmages_in_hand(session, names, MAX_IN_HAND)),
        (SIMULATIONS, operations.chunks_in_hand(session, names, MAX_IN_HAND)),
        (SOLVES, operations.leaves_in_hand(session, names, MAX_IN_HAND)),
        (TRAININGS, operations.training_in_hand(session, names, MAX_IN_HAND)),
    ):
        for each in found:
            pieces[each.host].append(_piece(kind, each, processes[each.host]))
    keys, compared = key_store.of_hosts(session, names), compare(repeats.counts(session))
    means = environments.meanings(session)
    telling: dict[str, list[Repeat]] = defaultdict(list)
    for repeat in repeats.telling(session, names, MAX_TELLING):
        telling[repeat.played_on].append(repeat)
    return [
        HostView(
            host,
            _state(host, processes[host.name], pieces[host.name], settings),
            processes[host.name],
            pieces[host.name],
            keys.get(host.name),
            compared.get(host.name, Comparison({})),
            telling[host.name],
            environments.strange_to(host, means),
        )
        for host in rows
    ], total


def _piece(kind: str, work: InHand, processes: Sequence[WorkerProcess]) -> Piece:
    for process in processes:
        doing = process.doing
        if doing and (doing["kind"], doing["about"], doing["attempt"]) == (kind, work.about, work.attempt):
            return Piece(kind, work, process.name, doing)
    return Piece(kind, work, None, None)


def _state(
    host: Host, processes: Sequence[WorkerProcess], in_hand: Sequence[Piece], settings: Settings
) -> HostState:
    since = lately(settings)
    if host.seen_at < since:
        return HostState.GONE
    if host.draining_at is None:
        return HostState.PRESENT
    if in_hand or not all(each.draining for each in processes if each.seen_at >= since):
        return HostState.DRAINING
    return HostState.DRAINED


def get(session: Session, settings: Settings, name: str) -> HostView:
    """The host of that name.

    Raises:
        NotFoundError: there is none.
    """
    found, _ = list_hosts(session, settings, 0, 1, name=name) if _could_be(name) else ([], 0)
    if not found:
        raise _unknown(name)
    return found[0]


def drain(
    session: Session, broker: Broker, actor: User, name: str, *, within_seconds: float | None = None
) -> None:
    """Have a host finish what it has in hand and take nothing new, also when it is started anew.

    What it still has in hand after `within_seconds` is given to others; that can be said later, too.

    Raises:
        ForbiddenError: the actor is no administrator.
        NotFoundError: there is no such host.
        ConflictError: it drains already.
    """
    host = _lock(session, actor, name)
    if host.draining_at is not None and within_seconds is None:
        raise ConflictError("the host %(host)r takes nothing new already", host=host.name)
    host.draining_at = host.draining_at or utc_now()
    if within_seconds is not None:
        host.drain_until = utc_now() + dt.timedelta(seconds=within_seconds)
        has_news(session)
    events.log(session, HostDrained(host.name, within_seconds=within_seconds), actor=actor)
    _tell(broker, host)


def resume(session: Session, broker: Broker, actor: User, name: str) -> None:
    """Have a host take work again.

    Raises:
        ForbiddenError, NotFoundError: as `drain`.
        ConflictError: it does not drain.
    """
    host = _lock(session, actor, name)
    if host.draining_at is None:
        raise ConflictError("the host %(host)r takes work; there is nothing to resume", host=host.name)
    host.draining_at = host.drain_until = None
    has_news(session)
    events.log(session, HostResumed(host.name), actor=actor)
    _tell(broker, host)


def forget(session: Session, settings: Settings, broker: Broker, actor: User, name: str) -> None:
    """List a host no more that is gone; should it come back, it is a new one.

    Raises:
        ForbiddenError, NotFoundError: as `drain`.
        ConflictError: it is there.
    """
    host = _lock(session, actor, name)
    if host.seen_at >= lately(settings):
        raise ConflictError(
            "the host %(host)r is there; only one that is gone can be forgotten", host=host.name
        )
    host.draining_at = host.drain_until = None
    _tell(broker, host)
    store.forget(session, host)
    events.log(session, HostForgotten(host.name), actor=actor)


def _lock(session: Session, actor: User, name: str) -> Host:
    permissions.require_admin(actor)
    host = store.lock(session, name) if _could_be(name) else None
    if host is None:
        raise _unknown(name)
    return host


def _could_be(name: str) -> bool:
    return 0 < len(name) <= MAX_HOST_CHARS and "\0" not in name


def _unknown(name: str) -> NotFoundError:
    return NotFoundError("no worker host %(name)r was heard of", name=name[:MAX_HOST_CHARS])


def _tell(broker: Broker, host: Host) -> None:
    """Let the host know; where the broker is away it is told when it is next heard of."""
    try:
        broker.drain(host.name, draining=host.draining_at is not None)
    except UnavailableError as error:
        log.warning("the host is told later", host=host.name, error=str(error))
