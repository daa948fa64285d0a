"""Worker hosts: what each can run, as it says itself, and what all that are there now can do together."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from arena.moments import utc_now
from arena.settings import Settings
from arena.store import hosts as store
from arena.store.models import Host
from workers.runtimes.languages import LANGUAGES
from workers.serving import served_needs


def register(session: Session, name: str, languages: Mapping[str, str], speed: float | None) -> None:
    """Take in what a host says of itself."""
    host = store.by_name(session, name)
    if host is None:
        host = Host(name=name)
        session.add(host)
    host.languages = dict(languages)
    host.speed = speed
    host.seen_at = utc_now()
    session.flush()


def present(session: Session, settings: Settings) -> Sequence[Host]:
    """The hosts that were heard of lately."""
    return store.seen_since(session, utc_now() - dt.timedelta(seconds=settings.host_seconds))


def served(session: Session, settings: Settings) -> set[str]:
    """The needs that some host which is there now can serve; see `workers.serving`."""
    return {needed for host in present(session, settings) for needed in served_needs(host.languages)}


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
