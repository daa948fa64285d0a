"""Whether the arena can do its work."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field
from sqlalchemy import text

from arena.api.dependencies import InServices, Services

router = APIRouter(tags=["health"])

State = Literal["ok", "failing"]


class Health(BaseModel):
    """How the parts are."""

    status: State = Field(description="`ok` when every part is.")
    database: State
    broker: State
    version: str


FAILING: dict[int | str, dict[str, Any]] = {503: {"model": Health, "description": "A part is failing."}}


@router.get("/health", responses=FAILING)
def health(services: InServices, response: Response) -> Health:
    """Whether the database and the broker answer."""
    database = _state(lambda: _ask_database(services))
    broker = _state(services.broker.ping)
    status: State = "ok" if database == broker == "ok" else "failing"
    response.status_code = 200 if status == "ok" else 503
    response.headers["Cache-Control"] = "no-store"
    return Health(status=status, database=database, broker=broker, version=version("bot-arena"))


def _ask_database(services: Services) -> None:
    with services.database.reading() as session:
        session.execute(text("SELECT 1 FROM tournaments LIMIT 1"))


def _state(ask: Callable[[], object]) -> State:
    try:
        ask()
    except Exception:  # noqa: BLE001  (whatever goes wrong, the part is failing)
        return "failing"
    return "ok"
