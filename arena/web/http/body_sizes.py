"""How many bytes may be sent: by what they are, where they go, and whether the sender is known there."""

from __future__ import annotations

import re

from fastapi import HTTPException, Request
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.types import Scope

from arena.core.errors import ArenaError
from arena.store.failures import WORDS, failure_of
from arena.submissions.batches import MAX_BATCH_BYTES
from arena.web.http.dependencies import Services
from arena.web.http.json_bounds import FIELDS, FILES
from arena.web.http.strangers import refuse_strangers

FORM_BYTES = 64 * 1024
"""What a form may have around its file."""
BATCH_FORM_BYTES = 1024 * 1024
"""And around the thousand files of a folder."""
JSON_BYTES = FIELDS_BYTES = 256 * 1024
CLASS_FIELDS_BYTES = 1024 * 1024
"""A roster that was typed, or the names of all the bots of a class."""
BATCHES = re.compile(r"(?:/api/v1)?/classes/[^/]+/(?:submissions|hand-in)")
"""Where the bots of a whole class are sent."""
CLASSES = "/classes/"


def most_bytes(upload_bytes: int, path: str, kind: str) -> int:
    """How many bytes of a kind may be sent to an address: more where the bots of a class are."""
    kind = kind.lower()
    if kind.startswith(FILES):
        return MAX_BATCH_BYTES + BATCH_FORM_BYTES if BATCHES.fullmatch(path) else upload_bytes + FORM_BYTES
    if kind.startswith(FIELDS):
        return CLASS_FIELDS_BYTES if path.startswith(CLASSES) else FIELDS_BYTES
    return JSON_BYTES


async def is_known(services: Services, scope: Scope) -> bool:
    """Whether the route has asked who sends this, and knows them.

    Raises:
        HTTPException: they are not, and nobody else may use it; or that cannot be found out now.
    """
    try:
        async with services.reading.slot():
            return await run_in_threadpool(_look, services, Request(scope))
    except ArenaError as error:
        headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
        raise HTTPException(error.status, str(error), headers) from None
    except DBAPIError as error:
        if (failure := failure_of(error)) is None:
            raise
        raise HTTPException(503, WORDS[failure]) from None


def _look(services: Services, request: Request) -> bool:
    with services.database.reading() as session:
        return refuse_strangers(request, session)
