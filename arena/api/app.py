"""The application: `uvicorn arena.api.app:create_app --factory`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version

from fastapi import FastAPI

from arena import pages
from arena.api import problems
from arena.api.body_limit import BodyLimit
from arena.api.dependencies import Services
from arena.api.head import Head
from arena.api.openapi import describe, operation_id
from arena.api.routes import (
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
from arena.api.routes import problems as problem_kinds
from arena.coordinator.broker import Broker, CeleryBroker
from arena.settings import Settings, get_settings
from arena.store.database import Database
from workers.archives import ArchiveStore

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
FORM_BYTES = 64 * 1024
"""What a form may have around its file."""


def create_app(settings: Settings | None = None, broker: Broker | None = None) -> FastAPI:
    """The API and the pages over the database, the archives and the broker that `settings` name."""
    settings = settings or get_settings()
    services = Services(
        settings=settings,
        database=Database(settings.database_url),
        archives=ArchiveStore(settings.archive_url),
        broker=broker or CeleryBroker(settings.broker_url),
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        services.database.close()

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
    app.add_middleware(Head)
    return app
