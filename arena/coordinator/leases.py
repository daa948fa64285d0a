"""How long a match is waited for, and what happens to one that is given up.

A published match waits for a worker, a running one renews its lease with every heartbeat. All leases are
judged by the trusted side's clock. Losing a match is never a bot's fault: it is played again, and parked
for the staff after too many losses.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection

from sqlalchemy.orm import Session

from arena import hosts
from arena.settings import Settings
from arena.store import events
from arena.store import matches as store
from arena.store.models import Leased, Match, MatchState

REAPED_AT_ONCE = 200


def renew(work: Leased, now: dt.datetime, seconds: float) -> None:
    """Wait for a sign of life until `seconds` from now."""
    work.lease_until = now + dt.timedelta(seconds=seconds)


def lose(session: Session, match: Match, trouble: str, max_lost: int) -> None:
    """Give up the present attempt at a (locked) match; park the match when that was one too many."""
    match.lost += 1
    match.trouble = trouble
    kind = "match.lost"
    _take_back(match)
    if match.lost > max_lost:
        kind = "match.parked"
        match.state = MatchState.PARKED
    events.log(session, kind, match=match, attempt=match.attempt, lost=match.lost, trouble=trouble)


def make_void(session: Session, match: Match, why: str) -> None:
    """Take back a (locked) match whose attempt does not count; that is no loss."""
    _take_back(match)
    events.log(session, "match.void", match=match, attempt=match.attempt, why=why)


def put_back(session: Session, match: Match, why: str) -> None:
    """Withdraw the present attempt at a (locked) match that nobody has begun to play."""
    _take_back(match)
    events.log(session, "match.put_back", match=match, attempt=match.attempt, why=why)


def _take_back(match: Match) -> None:
    match.state = MatchState.PENDING
    match.token = None
    match.lease_until = None
    match.host = None


def reap(
    session: Session, now: dt.datetime, settings: Settings, waiting: Callable[[], Collection[str]]
) -> int:
    """Deal with the leases that have run out; how many there were.

    A published match whose message is still `waiting` (its token is among those) keeps waiting while there
    is a host that can play it. One whose message is gone was taken by a worker that has died since, or was
    lost with the broker.
    """
    expired = store.lock_expired(session, now, REAPED_AT_ONCE)
    published = [match for match in expired if match.state == MatchState.PUBLISHED]
    queued = waiting() if published else ()
    can = hosts.served(session, settings) if published else set()
    for match in expired:
        if match.state == MatchState.RUNNING:
            trouble = f"no sign of life from {match.host} for {settings.lease_seconds:g} s"
            lose(session, match, trouble, settings.max_lost)
        elif match.token in queued and match.needs in can:
            renew(match, now, settings.pickup_seconds)
        elif match.token in queued:
            put_back(session, match, hosts.lacking(match.needs))
        else:
            put_back(session, match, "the message is gone and nobody has begun to play")
    session.flush()
    return len(expired)
