"""Environments for Python bots: the packages that a name means in this arena.

Hosts build them, and two may have other packages under one name. The first that a trusted host offers under
a name is what the name means, until an administrator chooses another; a host that has something else is given
no work that needs it. So what a bot finds depends on no host, and on no student's PC at all.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping

from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import ConflictError
from arena.store import environments as store
from arena.store import worker_keys
from arena.store.database import has_news
from arena.store.models import Environment, Host
from workers.programs.environments import DIGEST
from workers.programs.runtimes.languages import PYTHON, WITH, environment_of, exact, plain, with_environment
from workers.programs.runtimes.manifest import ENVIRONMENT

OFFERED = re.compile(rf"{PYTHON.name}:{ENVIRONMENT}@{DIGEST}")
SETTLED_AFTER = dt.timedelta(days=1)
"""For so long after a name means other packages matches that were given out before may be recorded."""


def taken_in(session: Session, host: Host) -> None:
    """Let names that nobody has offered before mean what a host offers first under them, if it is trusted."""
    offers = [(word, str(told)) for word, told in host.languages.items() if OFFERED.fullmatch(word)]
    known = store.current(session) if offers else {}
    fresh = {_name(word): chosen_now(word, told) for word, told in offers[::-1] if _name(word) not in known}
    if fresh and host.name not in worker_keys.laboratory(session):
        session.add_all(fresh.values())
        session.flush()
        has_news(session)


def meanings(session: Session) -> dict[str, str]:
    """The digest that each name means, by what bots need: `python:numpy`."""
    current = store.current(session)
    return {with_environment(PYTHON.name, name): each.digest for name, each in current.items()}


def ever(session: Session) -> list[str]:
    """All that work may have been given out for, each exactly: `python:numpy@0123456789abcdef`."""
    return [_word(each) for each in store.all_chosen(session)]


def pinned(session: Session, needs: str) -> str:
    """The same needs with exactly the environments that their names mean now."""
    bare = plain(needs)
    if not any(environment_of(word) and exact(word)[1] is None for word in bare.split("+")):
        return needs
    means = meanings(session)
    words = ((word, means.get(word)) for word in bare.split("+"))
    return "+".join(f"{word}@{digest}" if digest else word for word, digest in words) + needs[len(bare) :]


def is_settled(session: Session, needs: str) -> bool:
    """Whether work with these needs can only have been done with what the names mean now."""
    names = {environment_of(word) for word in needs.split("+")} - {None}
    rows = [each for each in store.all_chosen(session) if each.name in names] if names else []
    before = {each.name for each in rows if sum(other.name == each.name for other in rows) > 1}
    return all(each.name not in before or each.chosen_at < utc_now() - SETTLED_AFTER for each in rows)


def require_known(session: Session, word: str) -> None:
    """Make sure that a bot can be played some day that needs that.

    Raises:
        ConflictError: its environment is none of this arena's.
    """
    name = environment_of(word)
    if name is not None and name not in (known := store.current(session)):
        raise ConflictError(
            "this arena has no environment %(name)r for Python bots; it has %(known)s",
            name=name,
            known=", ".join(known) or "-",
        )


def words_of(languages: Mapping[str, str], means: Mapping[str, str]) -> dict[str, str]:
    """What bots may need of a host, each with its version: not what only it means by a name."""
    words: dict[str, str] = {}
    for word, told in languages.items():
        name, digest = exact(word)
        if WITH not in word or (digest is not None and digest == means.get(name)):
            words[name] = told
    return words


def strange_to(host: Host, means: Mapping[str, str]) -> list[str]:
    """What of a host is given no work, as its name means other packages."""
    return sorted(
        word for word in host.languages if (said := exact(word))[1] not in {None, means.get(said[0])}
    )


def chosen_now(word: str, told: str) -> Environment:
    """A name means from now on what a host has by that word."""
    return Environment(name=_name(word), digest=exact(word)[1], told=told[:200], chosen_at=utc_now())


def _name(word: str) -> str:
    return str(environment_of(word))


def _word(each: Environment) -> str:
    return f"{with_environment(PYTHON.name, each.name)}@{each.digest}"
