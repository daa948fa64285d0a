"""The pages: rendered by the server, in the reader's language, for everybody, without scripts."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from arena.pages import bots, matches, numbers, ratings, report, tournaments
from arena.pages.headers import SecurityHeaders
from arena.pages.kept import Kept
from arena.pages.planning import KEPT_SECONDS
from arena.pages.rendering import show_problem

__all__ = ["install", "show_problem"]

STATIC = Path(__file__).parent / "static"


def install(app: FastAPI) -> None:
    """Let `app` show the pages too."""
    app.state.kept_etas = Kept(KEPT_SECONDS)
    app.add_middleware(SecurityHeaders)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    for router in (
        tournaments.router,
        numbers.router,
        ratings.router,
        report.router,
        matches.router,
        bots.router,
    ):
        app.include_router(router, include_in_schema=False)
