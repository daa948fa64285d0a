"""The application: `uvicorn arena.web.app:create_app --factory`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version

from fastapi import FastAPI
from starlette.requests import Request
from starlette.types import Scope

from arena.coordinator.broker import Broker, CeleryBroker
from arena.coordinator.watch import PROBE_LOCK_SECONDS, Watch, probes
from arena.core.settings import Settings
from arena.store.database import Database
from arena.store.stamps import stamps
from arena.store.startup import begin
from arena.web import pages
from arena.web.api.openapi import describe, operation_id
from arena.web.api.routes import (
    amendments,
    bots,
    experiments,
    export,
    games,
    health,
    matches,
    planning,
    ratings,
    report,
    roster,
    standings,
    tournaments,
    users,
)
from arena.web.api.routes import problems as problem_kinds
from arena.web.http import problems
from arena.web.http.answer_cache import AnswerCache
from arena.web.http.body_limit import BodyLimit
from arena.web.http.dependencies import CONNECTIONS, Services
from arena.web.http.head import Head
from arena.web.http.sharing import Shared
from workers.programs.archives import ArchiveStore

PREFIX = "/api/v1"
ROUTERS = (
    health.router,
    users.router,
    roster.router,
    games.router,
    bots.router,
    tournaments.router,
    standings.router,
    ratings.router,
    planning.router,
    export.router,
    report.router,
    matches.router,
    amendments.router,
    experiments.router,
    problem_kinds.router,
)
LOCK_SECONDS = 8.0
"""How long a request waits for a lock that another process holds on the database."""
FORM_BYTES = 64 * 1024
"""What a form may have around its file."""
ALONE = ("/static/", f"{PREFIX}/health")
"""What is answered to each who asks, at once."""


def create_app(settings: Settings | None = None, broker: Broker | None = None) -> FastAPI:
    """The API and the pages over the database, the archives and the broker that `settings` name."""
    settings = settings or begin()
    archives, broker = ArchiveStore(settings.archive_url), broker or CeleryBroker(settings.broker_url)
    watched = Database(settings.database_url, connections=1, patience_seconds=PROBE_LOCK_SECONDS)
    services = Services(
        settings=settings,
        database=Database(settings.database_url, CONNECTIONS, LOCK_SECONDS),
        archives=archives,
        broker=broker,
        watch=Watch(probes(watched, broker, archives)),
    )

    asked = stamps(settings.database_url)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        services.watch.start()
        yield
        services.watch.close()
        await asked.close()
        services.database.close()
        watched.close()

    app = FastAPI(
        title="Bot Arena",
        version=version("bot-arena"),
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        generate_unique_id_function=operation_id,
    )
    app.state.services = services
    app.openapi = partial(describe, app)  # type: ignore[method-assign]  # FastAPI's way to add to the document
    app.add_middleware(BodyLimit, limit=settings.max_upload_bytes + FORM_BYTES)
    problems.install(app, pages.show_problem)
    for router in ROUTERS:
        app.include_router(router, prefix=PREFIX)
    pages.install(app)
    app.add_middleware(Shared, question=partial(_question, services.watch), cache=AnswerCache(asked))
    app.add_middleware(Head)
    return app


def _question(watch: Watch, scope: Scope) -> Hashable | None:
    """All that an answer to somebody without a token depends on; None for what is not told to others."""
    request = Request(scope)
    if request.method != "GET" or "authorization" in request.headers or scope["path"].startswith(ALONE):
        return None
    return scope["path"], scope["query_string"], pages.wanted(request), watch.troubles
