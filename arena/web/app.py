"""The application, which `arena.web.server` serves."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from functools import cache, partial
from importlib.metadata import version
from typing import Any, Final

import structlog
from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Lifespan, Scope

from arena.coordinator.broker import Broker, CeleryBroker
from arena.coordinator.watch import PROBE_LOCK_SECONDS, Watch, probes
from arena.core.errors import ArenaError
from arena.core.openid import openid_setup
from arena.core.settings import Settings
from arena.events import feed
from arena.events.bell import Bell
from arena.events.feed import Feed
from arena.people.provider import Provider
from arena.store.database import Database
from arena.store.stamps import stamps
from arena.store.startup import begin
from arena.submissions.waiting import WaitingUploads
from arena.web import pages
from arena.web.api.openapi import describe, operation_id
from arena.web.api.routes import (
    account,
    amendments,
    analyses,
    batches,
    bots,
    careers,
    classes,
    environments,
    events,
    experiments,
    export,
    following,
    games,
    grading,
    health,
    likeness,
    matches,
    news,
    pending,
    planning,
    play,
    questions,
    ratings,
    report,
    reproduction,
    roster,
    scrimmages,
    seasons,
    solves,
    staff,
    standings,
    story,
    sweeps,
    team,
    timetables,
    tournaments,
    trainings,
    users,
    watching,
    webhooks,
    worker_keys,
)
from arena.web.api.routes import problems as problem_kinds
from arena.web.http import problems
from arena.web.http.answer_cache import AnswerCache
from arena.web.http.body_limit import BodyLimit
from arena.web.http.body_sizes import is_known, most_bytes
from arena.web.http.calculator import Calculator, ProcessCalculator
from arena.web.http.costly import Costly
from arena.web.http.costly_routes import CostlyRoute
from arena.web.http.dependencies import CONNECTIONS, Services
from arena.web.http.head import Head
from arena.web.http.https_only import HttpsOnly
from arena.web.http.json_bounds import JsonBounds
from arena.web.http.plain_addresses import PlainAddresses
from arena.web.http.plain_cookies import PlainCookies
from arena.web.http.rates import RateLimit
from arena.web.http.secret_paths import hide_secrets
from arena.web.http.security import Security
from arena.web.http.sharing import Shared
from arena.web.http.telemetry import Observed, Routed
from workers.core import tracing
from workers.core.configuration import or_exit
from workers.core.logs import configure_logs, write_as
from workers.core.setting_types import LogFormat
from workers.programs.archive_store import ArchiveStore
from workers.simulation.recordings import RecordingStore

PREFIX = "/api/v1"
ROUTERS = (
    health.router,
    account.router,
    team.router,
    scrimmages.router,
    play.router,
    users.router,
    staff.router,
    worker_keys.router,
    roster.router,
    classes.router,
    batches.router,
    games.router,
    bots.router,
    environments.router,
    careers.router,
    careers.costly,
    tournaments.router,
    pending.router,
    timetables.router,
    standings.router,
    ratings.router,
    planning.costly,
    planning.asking,
    export.router,
    report.router,
    likeness.router,
    grading.router,
    story.router,
    seasons.router,
    matches.router,
    analyses.router,
    analyses.costly,
    amendments.router,
    events.router,
    news.router,
    following.router,
    questions.router,
    webhooks.router,
    amendments.costly,
    experiments.router,
    experiments.costly,
    solves.router,
    solves.costly,
    trainings.router,
    trainings.costly,
    sweeps.costly,
    sweeps.router,
    reproduction.router,
    problem_kinds.router,
)
LOCK_SECONDS = 8.0
"""How long a request waits for a lock that another process holds on the database."""
TIDY_SECONDS = 600.0
"""So often what nobody came back for is put away."""
STREAMS = "/events"
"""What these addresses answer has no end, and is for each who asks."""
UNCOUNTED = ("/static/", f"{PREFIX}/health", "/healthz", "/readyz")
"""What may be asked however often."""
NO_TELEMETRY: Final[TelemetryConfig] = {
    "auto_configure": False,
    "tracing": False,
    "metrics": False,
    "logs": False,
}
"""FastAPI's own would tell whole addresses, and the words of errors."""
ALONE = (*UNCOUNTED, "/metrics")
"""What is answered to each who asks, at once."""

log = structlog.get_logger()


def create_app(
    settings: Settings | None = None,
    broker: Broker | None = None,
    calculator: Callable[[], Calculator] | None = None,
    https_port: int | None = None,
) -> FastAPI:
    """The API and the pages over the database, the archives and the broker that `settings` name.

    What costs much is worked out by what `calculator` makes, processes unless something else is given. With
    an `https_port` whoever comes by http from another machine is led there.
    """
    settings = settings or begin()
    _tell_as(settings.log_format)
    archives, broker = ArchiveStore(settings.archive_url), broker or CeleryBroker(settings.broker_url)
    watched = Database(settings.database_url, connections=1, patience_seconds=PROBE_LOCK_SECONDS)
    watch, asked = Watch(probes(watched, broker, archives)), stamps(settings.database_url)
    costly = Costly(asked, calculator or partial(ProcessCalculator, settings), partial(_depends_on, watch))
    bell = Bell(settings.broker_url)
    services = Services(
        settings=settings,
        database=Database(settings.database_url, CONNECTIONS, LOCK_SECONDS, bell.ring),
        archives=archives,
        waiting=WaitingUploads(settings.archive_url),
        recordings=RecordingStore(settings.records_url),
        broker=broker,
        watch=watch,
        feed=Feed(Database(settings.database_url, feed.CONNECTIONS, LOCK_SECONDS), settings.broker_url),
        costly=costly,
        provider=_provider(settings),
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        services.watch.start()
        tidying = asyncio.create_task(_tidy(services.waiting))
        yield
        tidying.cancel()
        for ending in (services.feed, costly, asked):
            await ending.close()
        for each in (watch, bell, services.database, watched):
            each.close()

    app = _application(services, lifespan)
    _bound(app, services)
    app.add_middleware(Shared, question=partial(_question, watch), cache=AnswerCache(asked))
    app.add_middleware(pages.SignedInHeader)
    app.add_middleware(Head)
    if https_port is not None:
        app.add_middleware(HttpsOnly, port=https_port)
    return app


def _tell_as(form: LogFormat) -> None:
    """Have this process log no secrets, and JSON where that is the form; and tell its traces, if anybody.

    As text each part has its own form.
    """
    or_exit(lambda: tracing.begin("api"))
    hide_secrets()
    if form is LogFormat.JSON:
        configure_logs("api", form)
        write_as("api", form, *map(logging.getLogger, ("uvicorn", "uvicorn.access")))


def _bound(app: FastAPI, services: Services) -> None:
    """Let `app` refuse what is asked too often or oddly, or is too large, too slow or too involved."""
    settings = services.settings
    limits, known = partial(most_bytes, settings.max_upload_bytes), partial(is_known, services)
    app.add_middleware(JsonBounds)
    app.add_middleware(BodyLimit, limits=limits, is_known=known)
    app.add_middleware(RateLimit, settings=settings, uncounted=UNCOUNTED, refuse=partial(_refuse, app))
    app.add_middleware(PlainAddresses, refuse=partial(_refuse, app))


async def _refuse(app: FastAPI, request: Request, error: ArenaError) -> Response:
    """The answer to what was refused before any route had it."""
    answer: Any = app.exception_handlers[ArenaError]  # which is a coroutine (`problems.install`)
    answered: Response = await answer(request, error)
    return answered


def _provider(settings: Settings) -> Provider | None:
    """The school's OpenID provider, if one is set up; it is not asked for anything yet."""
    setup = openid_setup(settings)
    return None if setup is None else Provider(setup)


async def _tidy(waiting: WaitingUploads) -> None:
    """Put away from time to time what waits too long."""
    while True:
        try:
            await run_in_threadpool(waiting.tidy)
        except Exception:
            log.exception("what waits too long could not be put away")
        await asyncio.sleep(TIDY_SECONDS)


def calculating_app(settings: Settings, broker: Broker) -> FastAPI:
    """The same as a calculator has it, which is asked one thing after another and tells of no troubles."""
    services = Services(
        settings=settings,
        database=Database(settings.database_url, connections=1, patience_seconds=LOCK_SECONDS),
        archives=ArchiveStore(settings.archive_url),
        waiting=WaitingUploads(settings.archive_url),
        recordings=RecordingStore(settings.records_url),
        broker=broker,
        watch=Watch({}),
        feed=Feed(Database(settings.database_url, feed.CONNECTIONS), settings.broker_url),  # nobody follows
    )
    return _application(services)


def _application(services: Services, lifespan: Lifespan[FastAPI] | None = None) -> FastAPI:
    """All routes over these services."""
    app = Arena(
        title="Bot Arena",
        version=version("bot-arena"),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        routes=_routes(),
        telemetry=NO_TELEMETRY,
        generate_unique_id_function=operation_id,
    )
    app.state.services = services
    app.add_middleware(Routed, telemetry=services.telemetry)
    app.openapi = partial(describe, app)  # type: ignore[method-assign]  # FastAPI's way to add to the document
    app.add_route(f"{PREFIX}/openapi.json", _described, include_in_schema=False)
    problems.install(app, pages.show_problem)
    pages.install(app)
    return app


def _described(request: Request) -> Response:
    """The OpenAPI document, which FastAPI's own route would make where all other requests wait for it."""
    return JSONResponse(request.app.openapi())


@cache
def _routes() -> list[BaseRoute]:
    """All of them, which take long to be put together, and know nothing of any services.

    Nor of the application that has them: its `dependency_overrides` do nothing to them.
    """
    together = FastAPI(openapi_url=None, generate_unique_id_function=operation_id)
    for router in ROUTERS:
        together.include_router(router, prefix=PREFIX)
    together.include_router(watching.router)
    pages.include(together)
    return together.routes


class Arena(FastAPI):
    """The application, which also secures what it answers when it fails, but within a calculator."""

    def build_middleware_stack(self) -> ASGIApp:
        """Around everything, also what turns a failure into an answer, what secures and measures answers.

        So is what keeps odd cookies from all who read any.
        """
        stack, services = super().build_middleware_stack(), self.state.services
        if services.costly is None:
            return stack
        secured = Security(PlainCookies(stack), pages.is_private, pages.is_framed)
        return Observed(secured, services.telemetry)


def _question(watch: Watch, scope: Scope) -> Hashable | None:
    """All that an answer to somebody without a token depends on; None for what is not told to others.

    Nor is that which costs much, which is shared in its own way. Whoever is signed in asks for the same as
    everybody else, and gets their name put in later.
    """
    path, request = scope["path"], Request(scope)
    own = path.startswith(ALONE) or path.endswith(STREAMS) or pages.is_private(path)
    if scope["method"] != "GET" or own or "authorization" in request.headers:
        return None
    costly = any(paths.fullmatch(path) and kind.is_costly(request) for kind, paths in COSTLY.items())
    return None if costly else _depends_on(watch, scope)


def _depends_on(watch: Watch, scope: Scope) -> Hashable:
    """All that an answer depends on, but for who asks."""
    return scope["path"], scope["query_string"], pages.wanted(Request(scope)), watch.troubles


def _costly_paths() -> dict[type[CostlyRoute], re.Pattern[str]]:
    """The addresses of all routes whose answers cost much, by their kind."""
    found = [
        (type(route), re.sub(r"{\w+}", "[^/]+", prefix + route.path))
        for prefix, routers in ((PREFIX, ROUTERS), ("", pages.ROUTERS))
        for router in routers
        for route in router.routes
        if isinstance(route, CostlyRoute)
    ]
    return {
        kind: re.compile("|".join(path for other, path in found if other is kind))
        for kind in dict.fromkeys(kind for kind, _ in found)
    }


COSTLY = _costly_paths()
