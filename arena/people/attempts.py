"""Failed attempts to sign in slow those that follow, by name and by address.

The counts are in the database: all processes of the API share them, and worker hosts, which can write to the
broker, cannot touch them. An attempt is counted before it is looked at, so that many at once are no way
around. What nobody has tried for an hour is forgotten, and of more than 10,000 counts the oldest.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import ipaddress
from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import TooManyError
from arena.store import sessions as store
from arena.store.models import SignInAttempt

KEPT = dt.timedelta(hours=1)
MAX_KEPT = 10_000


@dataclass(frozen=True)
class Limit:
    """So many failures in a row are `free`; each further one doubles the wait, up to `longest_seconds`."""

    free: int
    longest_seconds: int

    def wait_seconds(self, failures: int) -> int:
        """How long after the last of so many failures nobody may try."""
        if failures < self.free:
            return 0
        return min(self.longest_seconds, int(2 ** min(failures - self.free + 1, 20)))


NAME = Limit(free=5, longest_seconds=300)
ADDRESS = Limit(free=100, longest_seconds=60)
"""A whole class may sit behind one address."""


def admit(session: Session, address: str, name: str | None = None) -> None:
    """Count an attempt from an address, and by a name if it is for one; `release` the session then.

    Raises:
        TooManyError: too many have failed; it was not counted.
    """
    limits = _limits(address, name)
    store.forget_attempts(session, utc_now() - KEPT, MAX_KEPT)
    rows = store.attempts(session, list(limits))
    now = utc_now()  # others may have been waited for
    for key, row in rows.items():
        until = row.last_at + dt.timedelta(seconds=limits[key].wait_seconds(row.failures))
        if row.last_at <= now < until:  # who tried by a clock that was set back since waits for nothing
            seconds = max(1, round((until - now).total_seconds()))
            raise TooManyError(f"too many attempts have failed; try again in {seconds} s", seconds)
    for key in sorted(limits):
        row = rows.get(key) or _begun(session, key, now)
        row.failures += 1
        row.last_at = now


def _begun(session: Session, key: str, now: dt.datetime) -> SignInAttempt:
    """A new count; or the one that somebody else has begun at this moment."""
    try:
        with session.begin_nested():
            row = SignInAttempt(key=key, failures=0, last_at=now)
            session.add(row)
    except IntegrityError:
        return store.attempts(session, [key])[key]
    return row


def succeeded(session: Session, address: str, name: str | None = None) -> None:
    """Take the attempt back that was counted: by that name nothing has failed now."""
    rows = store.attempts(session, list(_limits(address, name)))
    for key, row in rows.items():
        by_name = name is not None and key == _key("name", name)
        row.failures = 0 if by_name else max(0, row.failures - 1)


def network_of(address: str) -> str:
    """The address that is counted: of IPv6 the network, as each machine has many of its addresses."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))


def _limits(address: str, name: str | None) -> dict[str, Limit]:
    limits = {_key("address", network_of(address)): ADDRESS}
    return limits if name is None else limits | {_key("name", name): NAME}


def _key(kind: str, value: str) -> str:
    return hashlib.sha256(f"{kind}:{value.casefold()}".encode("utf-8", "replace")).hexdigest()
