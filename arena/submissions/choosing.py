"""Which packages an environment's name means: what hosts offer, and choosing among it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import NotFoundError
from arena.core.settings import Settings
from arena.store import environments as store
from arena.store import events
from arena.store.database import has_news
from arena.store.models import Environment, Host, User
from arena.store.models.host_events import EnvironmentChosen
from arena.submissions import hosts
from arena.submissions.environments import OFFERED, chosen_now
from workers.programs.runtimes.languages import PYTHON, environment_of, exact, with_environment


class Choice(NamedTuple):
    """What a name means, on how many hosts it is that are there now, and what else is offered under it.

    The latter by the digests, each with what it is and the names of the hosts.
    """

    chosen: Environment
    hosts: int
    others: dict[str, tuple[str, list[str]]]


def list_all(session: Session, settings: Settings) -> list[Choice]:
    """What all names mean, in the order of the names."""
    there = hosts.present(session, settings)
    return [_choice(each, there) for each in store.current(session).values()]


def get(session: Session, settings: Settings, name: str) -> Choice:
    """What a name means.

    Raises:
        NotFoundError: nothing here.
    """
    chosen = store.current(session).get(name)
    if chosen is None:
        raise NotFoundError("this arena has no environment %(name)r", name=name[:80])
    return _choice(chosen, hosts.present(session, settings))


def choose(session: Session, settings: Settings, actor: User, name: str, digest: str) -> Choice:
    """Let a name mean other packages from now on, which a host has that is there now.

    Raises:
        ForbiddenError: the actor is no administrator.
        NotFoundError: there is no such environment, or no host has those packages.
    """
    permissions.require_admin(actor)
    found = get(session, settings, name)
    if digest != found.chosen.digest:
        if digest not in found.others:
            raise NotFoundError(
                "no worker host that is there now has the environment %(name)r with the digest %(digest)r",
                name=name,
                digest=digest[:80],
            )
        told = found.others[digest][0]
        session.merge(chosen_now(f"{with_environment(PYTHON.name, name)}@{digest}", told))
        events.log(session, EnvironmentChosen(name, digest, told), actor=actor)
        session.flush()
        has_news(session)
    return get(session, settings, name)


def _choice(chosen: Environment, there: Sequence[Host]) -> Choice:
    others: dict[str, tuple[str, list[str]]] = {}
    for host in there:
        for word, told in host.languages.items():
            if OFFERED.fullmatch(word) and environment_of(word) == chosen.name:
                others.setdefault(str(exact(word)[1]), (str(told), []))[1].append(host.name)
    _, own = others.pop(chosen.digest, ("", []))
    return Choice(chosen, len(own), others)
