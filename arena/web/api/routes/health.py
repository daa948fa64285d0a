"""Whether the arena can do its work."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from arena.coordinator.watch import ARCHIVES, BROKER, DATABASE
from arena.store.failures import Failure
from arena.web.http.dependencies import InServices

router = APIRouter(tags=["health"])

State = Literal["ok", "failing"]


class TroubleOut(BaseModel):
    """A part that does not do its work."""

    part: str = Field(examples=[DATABASE])
    failure: Failure = Field(
        description="`locked` by others, `full`, `unwritable` (read-only or damaged), "
        "or `away`: it does not answer."
    )
    detail: str = Field(description="What stands still, and why.")


class Health(BaseModel):
    """How the parts are: whether each took what was written to it a few seconds ago."""

    status: State = Field(description="`ok` when every part is.")
    database: State
    broker: State
    archives: State
    troubles: list[TroubleOut]
    version: str


FAILING: dict[int | str, dict[str, Any]] = {503: {"model": Health, "description": "A part is failing."}}


@router.get("/health", responses=FAILING)
async def health(services: InServices, response: Response) -> Health:
    """Whether the database, the broker and the store of archives take what is written to them.

    Answered at once, by what was found when they were last tried.
    """
    await services.watch.first()
    troubles = services.watch.troubles
    states: dict[str, State] = dict.fromkeys((DATABASE, BROKER, ARCHIVES), "ok")
    states |= {trouble.part: "failing" for trouble in troubles}
    response.status_code = 503 if troubles else 200
    response.headers["Cache-Control"] = "no-store"
    return Health(
        status="failing" if troubles else "ok",
        database=states[DATABASE],
        broker=states[BROKER],
        archives=states[ARCHIVES],
        troubles=[TroubleOut(part=each.part, failure=each.failure, detail=each.detail) for each in troubles],
        version=version("bot-arena"),
    )
