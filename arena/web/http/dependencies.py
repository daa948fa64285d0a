"""What endpoints ask for: the services, the request's one transaction, and who is asking."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy.orm import Session

from arena.coordinator.broker import Broker
from arena.coordinator.watch import Watch
from arena.core.errors import AuthRequiredError, ForbiddenError
from arena.core.settings import Settings
from arena.people import users
from arena.results import views
from arena.store import stamps
from arena.store.database import Database
from arena.store.models import Match, Tournament, User
from arena.tournaments import lifecycle, matches
from arena.web.http.admission import Lane
from arena.web.http.answer_cache import cacheable
from arena.web.http.download import AT_ONCE, Downloads
from arena.web.http.responses import MAX_OFFSET, Window
from arena.web.http.visibility import Viewer
from workers.programs.archives import ArchiveStore

SAFE_METHODS = {"GET", "HEAD"}
READERS, WRITERS = 4, 4
"""How many requests that read, and that write, are answered at once; more threads of one process only get in
each other's way."""
CONNECTIONS = READERS + WRITERS + AT_ONCE
"""One for each who is let in, so that nobody waits for one."""
PUBLIC: dict[str, Any] = {"security": [{}]}
"""The `openapi_extra` of a route that shows more with a token but needs none."""

bearer = HTTPBearer(auto_error=False, scheme_name="token", description="A token that the staff gave you.")


@dataclass(frozen=True)
class Services:
    """What the application was made with, and the lanes by which requests come to its database.

    Who reads does not wait for those who write, nor the other way round.
    """

    settings: Settings
    database: Database
    archives: ArchiveStore
    broker: Broker
    watch: Watch
    reading: Lane = field(default_factory=lambda: Lane(READERS))
    writing: Lane = field(default_factory=lambda: Lane(WRITERS))
    downloads: Downloads = field(default_factory=Downloads)


def get_services(request: Request) -> Services:
    """The services of the application that got the request."""
    services: Services = request.app.state.services
    return services


async def _services(request: Request) -> Services:
    return get_services(request)


InServices = Annotated[Services, Depends(_services)]


async def admitted(request: Request, services: InServices) -> AsyncIterator[None]:
    """A place among those who may use the database: one connection each, and no thread while they wait."""
    lane = services.reading if request.method in SAFE_METHODS else services.writing
    async with lane.slot():
        yield


def transaction(
    request: Request, services: InServices, _admitted: Annotated[None, Depends(admitted, scope="function")]
) -> Iterator[Session]:
    """The request's transaction, committed before the answer goes out; for reading where the method reads."""
    database = services.database
    with database.reading() if request.method in SAFE_METHODS else database.transaction() as session:
        yield session


InSession = Annotated[Session, Depends(transaction, scope="function")]


def get_viewer(
    request: Request,
    session: InSession,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> Viewer:
    """Whoever asks.

    Raises:
        AuthRequiredError: an Authorization header is there but holds no valid token.
    """
    if credentials is not None:
        return Viewer(users.authenticate(session, credentials.credentials))
    if "authorization" in request.headers:
        raise AuthRequiredError("the Authorization header must read 'Bearer' and a token")
    return Viewer(None)


InViewer = Annotated[Viewer, Depends(get_viewer)]


def get_actor(viewer: InViewer) -> User:
    """The user who asks.

    Raises:
        AuthRequiredError: no token was shown.
    """
    if viewer.user is None:
        raise AuthRequiredError("this needs a token; send it as 'Authorization: Bearer TOKEN'")
    return viewer.user


Actor = Annotated[User, Depends(get_actor)]


def get_staff(actor: Actor) -> User:
    """The member of the staff who asks.

    Raises:
        ForbiddenError: a team asks.
    """
    if not actor.is_staff:
        raise ForbiddenError("only the staff (role admin) may do this")
    return actor


Staff = Annotated[User, Depends(get_staff)]


def get_tournament(session: InSession, name: Annotated[str, Path(examples=["spring-final"])]) -> Tournament:
    """The tournament that the path names."""
    return lifecycle.get(session, name)


InTournament = Annotated[Tournament, Depends(get_tournament)]


def get_cached_tournament(request: Request, session: InSession, tournament: InTournament) -> Tournament:
    """The tournament that the path names; the answer is kept for others until something new happens in it."""
    cacheable(request, stamps.of_tournament(session, tournament))
    return tournament


CachedTournament = Annotated[Tournament, Depends(get_cached_tournament)]


def get_match(
    session: InSession,
    tournament: InTournament,
    number: Annotated[int, Path(description="Counts from 1 in the order of the schedule.", examples=[1])],
) -> Match:
    """The match that the path names."""
    return matches.get(session, tournament, number)


InMatch = Annotated[Match, Depends(get_match)]


def _block(
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET, description="The rows and columns to skip.")] = 0,
    limit: Annotated[
        int, Query(ge=1, le=views.MAX_CROSSED, description="How many rows and columns to give at most.")
    ] = views.MAX_CROSSED,
) -> Window:
    return Window(offset=offset, limit=limit)


Block = Annotated[Window, Depends(_block)]
