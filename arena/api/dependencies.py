"""What endpoints ask for: the services, the request's one transaction, and who is asking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy.orm import Session

from arena import tournaments, users
from arena.api.visibility import Viewer
from arena.coordinator.broker import Broker
from arena.errors import AuthRequiredError, ForbiddenError
from arena.settings import Settings
from arena.store.database import Database
from arena.store.models import Role, Tournament, User
from workers.archives import ArchiveStore

SAFE_METHODS = {"GET", "HEAD"}
PUBLIC: dict[str, Any] = {"security": [{}]}
"""The `openapi_extra` of a route that shows more with a token but needs none."""

bearer = HTTPBearer(auto_error=False, scheme_name="token", description="A token that the staff gave you.")


@dataclass(frozen=True)
class Services:
    """What the application was made with."""

    settings: Settings
    database: Database
    archives: ArchiveStore
    broker: Broker


def get_services(request: Request) -> Services:
    """The services of the application that got the request."""
    services: Services = request.app.state.services
    return services


def transaction(request: Request, services: Annotated[Services, Depends(get_services)]) -> Iterator[Session]:
    """The request's transaction, committed before the answer goes out; for reading where the method reads."""
    database = services.database
    with database.reading() if request.method in SAFE_METHODS else database.transaction() as session:
        yield session


InServices = Annotated[Services, Depends(get_services)]
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
    if actor.role != Role.ADMIN:
        raise ForbiddenError("only the staff (role admin) may do this")
    return actor


Staff = Annotated[User, Depends(get_staff)]


def get_tournament(session: InSession, name: Annotated[str, Path(examples=["spring-final"])]) -> Tournament:
    """The tournament that the path names."""
    return tournaments.get(session, name)


InTournament = Annotated[Tournament, Depends(get_tournament)]
