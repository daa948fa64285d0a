"""Submission checks: given out under leases like matches, given up, and given out again.

A check that was lost too often is not the bot's fault: its version is unchecked until somebody asks anew.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Callable, Collection

from sqlalchemy.orm import Session

from arena import hosts
from arena.coordinator.broker import CheckMessage
from arena.coordinator.leases import REAPED_AT_ONCE, renew
from arena.coordinator.publishing import TOKEN_BYTES
from arena.moments import utc_now
from arena.settings import Settings
from arena.store import checks as store
from arena.store import events, leases
from arena.store.models import Check, MatchState, VersionState
from workers.check_contract import CheckSpec
from workers.contract import BotRef


def publishable(session: Session, settings: Settings) -> bool:
    """Whether there is a check to give out that a host can do, and room for it."""
    if leases.count_published(session, Check) >= settings.window:
        return False
    return store.any_pending(session, hosts.served(session, settings))


def issue(session: Session, settings: Settings) -> list[CheckMessage]:
    """Give the next checks a new attempt and a new token; the messages to send once this is committed."""
    room = settings.window - leases.count_published(session, Check)
    pending = store.lock_pending(session, hosts.served(session, settings), max(0, room))
    messages = [_issue_one(check, settings) for check in pending]
    session.flush()
    return messages


def _issue_one(check: Check, settings: Settings) -> CheckMessage:
    token = secrets.token_hex(TOKEN_BYTES)
    check.state = MatchState.PUBLISHED
    check.attempt += 1
    check.token = token
    renew(check, utc_now(), settings.pickup_seconds)
    return CheckMessage(check_spec(check), check.attempt, token, check.needs)


def check_spec(check: Check) -> CheckSpec:
    """What a worker is told about a check; the same for every attempt."""
    version = check.version
    bot = BotRef(name=version.bot.name, version=version.number, archive=version.archive)
    return CheckSpec(check=str(check.version_id), bot=bot, games=tuple(version.games))


def take_back(session: Session, messages: list[CheckMessage]) -> None:
    """Put back the checks of messages that could not be sent, unless they moved on meanwhile."""
    for message in messages:
        check = store.lock(session, int(message.spec.check))
        if check and check.state == MatchState.PUBLISHED and check.token == message.token:
            put_back(check)
    session.flush()


def reap(
    session: Session, now: dt.datetime, settings: Settings, waiting: Callable[[], Collection[str]]
) -> int:
    """Deal with the leases that have run out, as `leases.reap` does with those of matches; how many."""
    expired = store.lock_expired(session, now, REAPED_AT_ONCE)
    queued = waiting() if expired else ()
    can = hosts.served(session, settings) if expired else set()
    for check in expired:
        if check.state == MatchState.RUNNING:
            trouble = f"no sign of life from {check.host} for {settings.lease_seconds:g} s"
            lose(session, check, trouble, settings.max_lost)
        elif check.token in queued and check.needs in can:
            renew(check, now, settings.pickup_seconds)
        else:
            put_back(check)
    session.flush()
    return len(expired)


def lose(session: Session, check: Check, trouble: str, max_lost: int) -> None:
    """Give up the present attempt at a (locked) check; for good when that was one too many."""
    check.lost += 1
    check.trouble = trouble
    put_back(check)
    if check.lost > max_lost:
        check.state = MatchState.PARKED
        check.version.state = VersionState.UNCHECKED
    bot, number = check.version.bot.name, check.version.number
    events.log(session, "check.lost", bot=bot, version=number, attempt=check.attempt, trouble=trouble)


def put_back(check: Check) -> None:
    """Withdraw the present attempt at a (locked) check."""
    check.state = MatchState.PENDING
    check.token = None
    check.lease_until = None
    check.host = None
