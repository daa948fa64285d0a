"""Who is shown a frozen tournament as it was, and who as it is.

All that is read of a tournament at an address below `/tournaments/{name}`, of the API and the pages, is read
in a session from here. For those to whom the tournament is frozen it is one that sees only what was kept at
the freeze, so that no route, table or export has to know of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import Request
from fastapi.security.utils import get_authorization_scheme_param
from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.errors import ArenaError
from arena.people import users
from arena.store import freezes
from arena.store import tournaments as store
from arena.store.database import Database
from arena.store.models import Tournament, User
from arena.submissions import versions
from arena.tournaments import lifecycle, matches
from arena.web.http.responses import SINCE

PATH = re.compile(r"(?:/api/v1)?/tournaments/[^/]+(?P<rest>/.*)?", re.DOTALL)
OWN_MATCH = re.compile(r"/matches/(?P<number>[0-9]{1,9})(?:/(?:analysis|file|record|positions))?")
OWN_MATCHES = "/matches"


@contextmanager
def reading(request: Request, database: Database) -> Iterator[Session]:
    """A session for reading what the request asks for, as whoever asks may see it."""
    name = _named(request)
    request.scope.pop(SINCE, None)
    while True:
        with database.reading() as session:
            if name is None or not _hides(request, session, name):
                yield session
                return
        with database.frozen() as session:
            kept = store.by_name(session, name)
            if kept is not None:
                request.scope[SINCE] = kept.frozen_at
                yield session
                return  # otherwise it was revealed in between


def sees_more(request: Request, session: Session) -> bool:
    """Whether whoever asks sees a tournament as it is that is frozen to others."""
    name = _named(request)
    return name is not None and freezes.is_hiding(session, name) and not _hides(request, session, name)


def _named(request: Request) -> str | None:
    """The tournament that the request's address names."""
    name: str | None = request.path_params.get("name")
    return name if name is not None and PATH.fullmatch(request.scope["path"]) else None


def _hides(request: Request, session: Session, name: str) -> bool:
    """Whether the tournament is frozen to whoever asks for this."""
    if not freezes.is_hiding(session, name):
        return False
    tournament, user = lifecycle.get(session, name), _user(request, session)
    if user is None or permissions.runs(user, tournament):
        return user is None
    return not (tournament.shows_own and _is_own(request, session, tournament, user))


def _user(request: Request, session: Session) -> User | None:
    """Who shows a token; a worthless one is refused later."""
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() != "bearer" or not token:
        return None
    try:
        return users.authenticate(session, token)
    except ArenaError:
        return None


def _is_own(request: Request, session: Session, tournament: Tournament, user: User) -> bool:
    """Whether a match of the user's bot is asked for, or the list of its matches."""
    address = PATH.fullmatch(request.scope["path"])
    rest = address["rest"] or "" if address else ""
    try:
        if rest == OWN_MATCHES and (bot := request.query_params.get("bot")):
            return permissions.opens(user, versions.get(session, bot))
        if match := OWN_MATCH.fullmatch(rest):
            return permissions.plays_in(user, matches.get(session, tournament, int(match["number"])))
    except ArenaError:
        return False
    return False
