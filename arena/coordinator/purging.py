"""Taking back all that counts of what a host has reported: it is believed no more, and played again.

A call does a part, in one transaction, and says how much is left: whoever purges calls until nothing is. What
was broken off goes on with the next call.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.coordinator import enrolment, leases
from arena.coordinator.kinds import KINDS
from arena.core.errors import NotFoundError
from arena.core.terms import MAX_HOST_CHARS, MatchState
from arena.store import events
from arena.store import leases as lease_store
from arena.store import purging as store
from arena.store import tournaments as tournament_store
from arena.store import worker_keys as keys
from arena.store.database import has_news
from arena.store.models import Tournament, User
from arena.store.models.host_events import HostPurged
from arena.store.purging import Played
from arena.tournaments import amendments, rounds

AT_ONCE = 100
"""So many matches of a host are played again by one call."""
MAX_NAMED = 100
"""So many are named that cannot be played again."""
PURGED = "its host was purged"


class RetainedResult(NamedTuple):
    """A match that cannot be played again: its result goes on counting."""

    tournament: str
    number: int


class Purge(NamedTuple):
    """What a call has done, and what is left to be done; `kept_total` results count, whoever calls."""

    host: str
    since: dt.datetime
    withdrawn: int
    again: int
    left: int
    kept: Sequence[RetainedResult]
    kept_total: int


def purge(session: Session, actor: User, host: str, reason: str, since: dt.datetime | None = None) -> Purge:
    """Believe a host no more, take away what it has in hand, and have what it has played played again.

    That is what it has reported since then, or since it was enrolled last. Results by which rounds were
    paired go on counting, and so do games of bots that have left or whose people's data was erased. Games
    that it has analysed, whenever that was, are analysed again.

    Raises:
        ForbiddenError: the actor is no administrator.
        NotFoundError: no such host was ever enrolled.
    """
    permissions.require_admin(actor)
    key = keys.newest_key(session, host) if "\0" not in host else None
    if key is None:
        raise NotFoundError("no worker host %(host)r was ever enrolled", host=host[:MAX_HOST_CHARS])
    since = since or key.enrolled_at
    believed = key.revoked_at is None
    if believed:
        enrolment.revoke(session, actor, host)
    numbers = store.tournaments_with(session, host, since)
    cups = {number: tournament_store.lock(session, number) for number in numbers}  # before their matches
    withdrawn = _withdraw(session, host)
    again, kept = _sorted_out(session, host, since, cups)
    now, left = again[:AT_ONCE], max(0, len(again) - AT_ONCE)
    done = sum(
        amendments.rerun_those(session, actor, cups[number], [each.match_id for each in played], reason)
        for number, played in groupby(now, key=lambda each: each.tournament_id)
    )
    analysed = _analyse_again(session, host)
    if believed or withdrawn or done or analysed:
        event = HostPurged(host, since.isoformat(), withdrawn, done, left, reason)
        events.log(session, event, actor=actor)
    named = [RetainedResult(cups[each.tournament_id].name, each.number) for each in kept[:MAX_NAMED]]
    return Purge(host, since, withdrawn, done, left, named, len(kept))


def _sorted_out(
    session: Session, host: str, since: dt.datetime, cups: Mapping[int, Tournament]
) -> tuple[list[Played], list[Played]]:
    """What of the host's is to be played again, and what is not, each by tournament and number.

    The tournaments are locked, so that no round is paired meanwhile.
    """
    found = store.played_on(session, host, since, amendments.SETTLED)
    played = [each for each in found if each.tournament_id in cups]  # others came just now: the next call's
    fixed = {number for number, cup in cups.items() if not rounds.known_in_advance(session, cup)}
    again: list[Played] = []
    kept: list[Played] = []
    for each in played:
        paired = each.tournament_id in fixed and each.round < cups[each.tournament_id].rounds_paired
        (kept if each.left or paired else again).append(each)
    return again, kept


def _analyse_again(session: Session, host: str) -> bool:
    """Have others analyse what a host has, for whoever has asked for it; whether there was anything."""
    rows = store.lock_analysed_on(session, host)
    for row in rows:
        row.release(MatchState.PENDING)
        row.lost = 0
        row.answer = row.accuracy = None
        has_news(session)
    return bool(rows)


def _withdraw(session: Session, host: str) -> int:
    """Take away what a host has in hand, for others to do; how much that was."""
    count = 0
    for work in KINDS:
        if tokens := lease_store.tokens_on(session, work.model, [host]):
            count += leases.recall(work, session, tokens, (MatchState.RUNNING,), PURGED)
    return count
