"""What others serve on the same server: `uvicorn benchmarks.peers.web:create_app --factory`.

A route that says hello, and one with the rows of an arena's entries, read by the ORM and told through a
response model, as the documentation of FastAPI and SQLAlchemy shows it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import Annotated

from fastapi import Depends, FastAPI
from pydantic import BaseModel, ConfigDict
from sqlalchemy import Engine, create_engine, select
from sqlalchemy.orm import Session, lazyload

from arena.store.models import Entry


class EntryOut(BaseModel):
    """A line as a leaderboard has it."""

    model_config = ConfigDict(from_attributes=True)

    number: int
    bot_id: int
    version_id: int
    left_as: str | None
    games: int
    played: int
    half_points: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    score_own: int
    score_other: int
    wall_ns: int
    bye_half_points: int


@cache
def _engine() -> Engine:
    return create_engine(os.environ["ARENA_DATABASE_URL"])


def _session() -> Iterator[Session]:
    with Session(_engine()) as session:
        yield session


InSession = Annotated[Session, Depends(_session)]


def create_app() -> FastAPI:
    """The routes, over the database that the arena has."""
    app = FastAPI()

    @app.get("/hello")
    async def hello() -> dict[str, str]:
        return {"message": "Hello World"}

    @app.get("/rows", response_model=list[EntryOut])
    def rows(session: InSession) -> list[Entry]:
        return list(session.scalars(select(Entry).options(lazyload(Entry.version))))

    return app
