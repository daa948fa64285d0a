"""The description of the interface, complete with what FastAPI does not know."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from arena.web.http.problems import Problem, documented

DESCRIPTION = """Submit bots, run timed tournaments between them, read the leaderboard.

Everybody may read. Teams and their members submit their own bots and enter them into open tournaments. An
organiser runs their own classes and tournaments, an administrator (role `admin`) everything. Errors are
problem details (RFC 9457). Only tokens count here; whoever signs in on the pages makes one there.
"""
TAGS = [
    {"name": "health", "description": "Whether the arena can do its work."},
    {"name": "account", "description": "Oneself: tokens, sessions, password, team; and joining by a code."},
    {"name": "team", "description": "One's own bots, what they could enter, and their games."},
    {"name": "users", "description": "Who may do what."},
    {"name": "classes", "description": "Teams that are taught together, and who runs them."},
    {"name": "games", "description": "What can be played."},
    {"name": "bots", "description": "Who plays."},
    {"name": "tournaments", "description": "Plans, entries and tables."},
    {"name": "planning", "description": "How long tournaments take, before they start and while they run."},
    {"name": "matches", "description": "Games, move by move."},
    {"name": "amendments", "description": "Who leaves, what is played again, what the staff decides."},
    {"name": "grading", "description": "Schemes, grades, and what teams are told of theirs."},
    {"name": "seasons", "description": "Tournaments that are counted together."},
    {"name": "events", "description": "What happens, as it happens, and what the staff announces."},
    {"name": "experiments", "description": "Many games between two players, counted."},
    {"name": "webhooks", "description": "Addresses that are told of what happens."},
    {"name": "problems", "description": "What can go wrong."},
]


ALWAYS, WITH_BODY = (429, 503), (408, 413)
"""What anything may be answered with: too often, too busy; and what has a body, too slow or too large."""


def operation_id(route: APIRoute) -> str:
    """The endpoint's own name."""
    return route.name


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of `app`, made once."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            description=DESCRIPTION,
            routes=app.routes,
            tags=TAGS,
        )
        schemas = document["components"]["schemas"]
        problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas.update(problem.pop("$defs"))
        schemas["Problem"] = problem
        _tell_of_limits(document)
        app.openapi_schema = document
    return app.openapi_schema


def _tell_of_limits(document: dict[str, Any]) -> None:
    """Say of every operation how it is refused before it is looked at."""
    for operations in document["paths"].values():
        for operation in operations.values():
            statuses = (*ALWAYS, *WITH_BODY) if "requestBody" in operation else ALWAYS
            for status, told in documented(*statuses).items():
                operation["responses"].setdefault(str(status), told)
