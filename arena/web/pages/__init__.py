"""The pages: rendered by the server, in the reader's language, for everybody, without scripts."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from arena.web.pages import bots, matches, ratings, statistics, tournaments
from arena.web.pages.headers import SecurityHeaders
from arena.web.pages.i18n import wanted
from arena.web.pages.planning import KEPT_SECONDS
from arena.web.pages.rendering import show_problem
from arena.web.pages.ttl_cache import TtlCache

__all__ = ["install", "show_problem", "wanted"]

STATIC = Path(__file__).parent / "static"


def install(app: FastAPI) -> None:
    """Let `app` show the pages too."""
    app.state.kept_etas = TtlCache(KEPT_SECONDS)
    app.add_middleware(SecurityHeaders)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    for router in (
        tournaments.router,
        statistics.router,
        ratings.router,
        matches.router,
        bots.router,
    ):
        app.include_router(router, include_in_schema=False)
