"""What endpoints ask for: the services, the request's one transaction, and who is asking."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Depends, Path, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from fastapi.security.utils import get_authorization_scheme_param
from pydantic import Field
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from arena.access import permissions
from arena.coordinator.broker import Broker
from arena.coordinator.figures import Backlogs
from arena.coordinator.watch import Trouble, Watch
from arena.core.addresses import is_here
from arena.core.errors import AuthRequiredError, ForbiddenError
from arena.core.settings import Settings
from arena.core.terms import Ended, MatchState
from arena.events.feed import Feed
from arena.people import classes, sessions, users
from arena.people.provider import Provider
from arena.results import views
from arena.store import matches as match_store
from arena.store import stamps
from arena.store.database import Database
from arena.store.matches import Sought
from arena.store.models import Match, SchoolClass, Token, Tournament, User
from arena.submissions import versions
from arena.submissions.waiting import WaitingUploads
from arena.tournaments import lifecycle, matches
from arena.web.http import freezing
from arena.web.http.admission import Lane
from arena.web.http.answer_cache import cacheable
from arena.web.http.costly import Costly
from arena.web.http.download import Downloads
from arena.web.http.responses import MAX_OFFSET, Window
from arena.web.http.scrapes import Scrapes
from arena.web.http.strangers import looked_at_by, refuse_strangers
from arena.web.http.telemetry import Telemetry
from arena.web.http.visibility import Viewer
from workers.programs.archive_store import ArchiveStore
from workers.simulation.recordings import RecordingStore

T = TypeVar("T")

SAFE_METHODS = {"GET", "HEAD"}
READERS, WRITERS = 4, 4
"""How many requests that read, and that write, are answered at once; more threads of one process only get in
each other's way."""
CONNECTIONS = READERS + WRITERS
"""One for each who is let in, so that nobody waits for one."""
PUBLIC: dict[str, Any] = {"security": [{}]}
"""The `openapi_extra` of a route that shows more with a token but needs none."""

TROUBLES = "arena.troubles"
"""Where the scope of a request tells a calculator what is in trouble."""

NO_TOKEN = "the Authorization header must read 'Bearer' and a token"  # noqa: S105  (what is said, not a token)
NEEDS_TOKEN = "this needs a token; send it as 'Authorization: Bearer TOKEN'"  # noqa: S105  (likewise)
bearer = HTTPBearer(auto_error=False, scheme_name="token", description="A token that the staff gave you.")


@dataclass(frozen=True)
class Services:
    """What the application was made with, and the lanes by which requests come to its database.

    Who reads does not wait for those who write, nor the other way round. What costs much is had of `costly`,
    and worked out here where that is None, in a calculator. `provider` is a school's, if one is set up.
    """

    settings: Settings
    database: Database
    archives: ArchiveStore
    waiting: WaitingUploads
    recordings: RecordingStore
    broker: Broker
    watch: Watch
    feed: Feed
    costly: Costly | None = None
    provider: Provider | None = None
    reading: Lane = field(default_factory=lambda: Lane(READERS))
    writing: Lane = field(default_factory=lambda: Lane(WRITERS))
    downloads: Downloads = field(default_factory=Downloads)
    telemetry: Telemetry = field(default_factory=Telemetry)
    scrapes: Scrapes = field(default_factory=Scrapes)

    @cached_property
    def backlogs(self) -> Backlogs:
        """How far the recorder is behind."""
        return Backlogs(self.broker)


def get_services(request: Request) -> Services:
    """The services of the application that got the request."""
    services: Services = request.app.state.services
    return services


def troubles(request: Request) -> tuple[Trouble, ...]:
    """What stands still, as is known where the request was taken in."""
    known: tuple[Trouble, ...] = request.scope.get(TROUBLES, get_services(request).watch.troubles)
    return known


async def _services(request: Request) -> Services:
    return get_services(request)


InServices = Annotated[Services, Depends(_services)]


async def admitted(request: Request) -> AsyncIterator[None]:
    """A place among those who may use the database: one connection each, and no thread while they wait."""
    services = get_services(request)
    lane = services.reading if request.method in SAFE_METHODS else services.writing
    async with lane.slot():
        yield


def transaction(
    request: Request, _admitted: Annotated[None, Depends(admitted, scope="function")]
) -> Iterator[Session]:
    """The request's transaction, committed before the answer goes out; for reading where the method reads.

    Of a frozen tournament who reads sees what they may (`freezing`).
    """
    database = get_services(request).database
    reads = request.method in SAFE_METHODS
    if not reads:
        with database.reading() as session:
            refuse_strangers(request, session)
    with freezing.reading(request, database) if reads else database.transaction() as session:
        yield session
        if not reads:
            sessions.require_still(session)


InSession = Annotated[Session, Depends(transaction, scope="function")]


async def read(request: Request, services: Services, work: Callable[[Session], T]) -> T:
    """What `work` makes of what who asks may see, admitted and in a thread that is entered once.

    As a dependency the session, its end and the work would each enter one, which takes as long as a short
    answer.
    """
    async with services.reading.slot():
        return await run_in_threadpool(_reading, request, services.database, work)


def _reading(request: Request, database: Database, work: Callable[[Session], T]) -> T:
    with freezing.reading(request, database) as session:
        return work(session)


def _shown_token(request: Request, session: Session) -> Token | None:
    """The token that is shown, if any is."""
    if (header := request.headers.get("authorization")) is None:
        return None
    scheme, text = get_authorization_scheme_param(header)
    if scheme.lower() != "bearer" or not text:
        raise AuthRequiredError(NO_TOKEN)
    return users.find_token(session, text)


def _needed_token(request: Request, session: Session) -> Token:
    if (token := _shown_token(request, session)) is None:
        raise AuthRequiredError(NEEDS_TOKEN)
    return token


@looked_at_by(_shown_token)
def get_viewer(
    request: Request,
    session: InSession,
    _documented: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> Viewer:
    """Whoever asks.

    Raises:
        AuthRequiredError: an Authorization header is there but holds no valid token.
        ForbiddenError: the token is not good for this.
    """
    if (token := _shown_token(request, session)) is None:
        return Viewer(None)
    operation, reads = request.scope["route"].name, request.method in SAFE_METHODS
    permissions.require_scope(token.scope, operation, reads=reads)
    return Viewer(token.user)


InViewer = Annotated[Viewer, Depends(get_viewer)]


@looked_at_by(_needed_token)
def get_actor(viewer: InViewer) -> User:
    """The user who asks.

    Raises:
        AuthRequiredError: no token was shown.
    """
    if viewer.user is None:
        raise AuthRequiredError(NEEDS_TOKEN)
    return viewer.user


Actor = Annotated[User, Depends(get_actor)]


def get_admin(actor: Actor) -> User:
    """The administrator who asks.

    Raises:
        ForbiddenError: somebody else asks.
    """
    permissions.require_admin(actor)
    return actor


Admin = Annotated[User, Depends(get_admin)]


def get_player(actor: Actor) -> User:
    """The user who asks, who may have bots.

    Raises:
        ForbiddenError: a reader asks.
    """
    permissions.require_player(actor)
    return actor


Player = Annotated[User, Depends(get_player)]


def get_staff(actor: Actor) -> User:
    """The member of the staff who asks.

    Raises:
        ForbiddenError: a team or a reader asks.
    """
    permissions.require_staff(actor)
    return actor


Staff = Annotated[User, Depends(get_staff)]


def get_tournament(session: InSession, name: Annotated[str, Path(examples=["spring-final"])]) -> Tournament:
    """The tournament that the path names."""
    return lifecycle.get(session, name)


InTournament = Annotated[Tournament, Depends(get_tournament)]


def get_runner(staff: Staff, tournament: InTournament) -> User:
    """The member of the staff who asks, and runs the tournament that the path names.

    Raises:
        ForbiddenError: somebody else asks.
    """
    permissions.require_runner(staff, tournament)
    return staff


Runner = Annotated[User, Depends(get_runner)]


def get_cached_tournament(
    request: Request, session: InSession, name: Annotated[str, Path(examples=["spring-final"])]
) -> Tournament:
    """The tournament that the path names; the answer is kept for others until something new happens in it."""
    tournament = lifecycle.get(session, name)
    cacheable(request, stamps.of_tournament(session, tournament))
    return tournament


CachedTournament = Annotated[Tournament, Depends(get_cached_tournament)]


def get_sought(
    *,
    session: InSession,
    tournament: InTournament,
    state: Annotated[MatchState | Literal[""] | None, Query(description="Only those in this state.")] = None,
    bot: Annotated[str | None, Query(description="Only those of this bot.")] = None,
    round_: Annotated[
        Annotated[int, Field(ge=1, le=MAX_OFFSET)] | Literal[""] | None,
        Query(alias="round", description="Only those of this round."),
    ] = None,
    ended: Annotated[
        Ended | Literal[""] | None,
        Query(description="Only those that ended so: by a win or a draw at the board, or by a forfeit."),
    ] = None,
) -> Sought:
    """Which matches of a tournament are asked for; what is left empty is not asked."""
    entry = lifecycle.entry_of(session, tournament, versions.get(session, bot)) if bot else None
    return Sought(state=state or None, entry=entry, round=round_ or None, ended=ended or None)


AreSought = Annotated[Sought, Depends(get_sought)]


def cacheable_matches(
    request: Request, session: Session, tournament: Tournament, sought: Sought, part: Window
) -> None:
    """Let the answer with a part of a tournament's matches be told to others who ask the same.

    How many of some are in one state changes where the part of them does not: that is worked out each time.
    """
    if sought.count_is_stamped:
        listed = match_store.listed(tournament, sought, part.offset, part.limit)
        cacheable(request, stamps.of_matches(session, tournament, listed))


MatchNumber = Annotated[int, Path(description="Counts from 1 in the order of the schedule.", examples=[1])]


def get_match(session: InSession, tournament: InTournament, number: MatchNumber) -> Match:
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


def get_class(
    session: InSession, staff: Staff, name: Annotated[str, Path(examples=["class-7a"])]
) -> SchoolClass:
    """The class that the path names, for those who run it.

    Raises:
        ForbiddenError: somebody else asks.
    """
    school_class = classes.get(session, name)
    permissions.require_class(staff, school_class)
    return school_class


InClass = Annotated[SchoolClass, Depends(get_class)]


def address_of(request: Request) -> str:
    """Where a request comes from; behind a proxy on this machine, what that says."""
    return request.client.host if request.client else ""


def require_secrecy(request: Request) -> None:
    """Let a password come only where nobody else reads it on its way: by https, or from this machine.

    Raises:
        ForbiddenError: it came by plain http over a network.
    """
    if not is_secret(request):
        raise ForbiddenError(
            "a password is taken by https or on the arena's own machine only, as others can read what is "
            "sent by http; use a token, a join code or a link to sign in"
        )


def is_secret(request: Request) -> bool:
    """Whether nobody else reads what is sent: by https, or on this machine."""
    return request.url.scheme == "https" or is_here(address_of(request))
