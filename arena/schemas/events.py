"""What is told of an event, in streams and to webhooks."""

from __future__ import annotations

import datetime as dt
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from arena.schemas.texts import LongText


class EventOut(BaseModel):
    """Something that has happened. Numbers grow; some are passed over, for what others may not see."""

    number: int = Field(description="Grows from event to event.", examples=[4711])
    at: dt.datetime
    kind: str = Field(examples=["match.recorded"])
    tournament: str | None = Field(description="The tournament that it happened in.", examples=["spring"])
    match: int | None = Field(description="The number of the match that it happened to.")
    bots: list[str] | None = Field(
        min_length=2, max_length=2, description="The two bots of that match; the first moved first."
    )
    user: str | None = Field(description="Who did it; for the staff, and null for the arena itself.")
    data: dict[str, Any] = Field(description="What else there is to say; it depends on the kind.")


class ProgressOut(BaseModel):
    """How far a tournament is: told with every change of its tables."""

    tournament: str
    state: str
    revision: int = Field(description="Grows with whatever its tables show.")
    total: int = Field(description="How many matches it has.")
    finished: int
    cancelled: int


class LiveMove(BaseModel):
    """One ply of a match that is being played; nobody was asked for an opening move or a pass."""

    ply: int
    seat: int
    move: str
    asked: bool
    ms: int = Field(description="What it was charged on the clock.")


class LiveMoves(BaseModel):
    """Moves as the worker tells them; what counts is what is recorded at the end."""

    tournament: str
    match: int
    attempt: int = Field(description="With another attempt the match begins anew.")
    moves: list[LiveMove]
    provisional: bool = True


class NewAnnouncement(BaseModel):
    """Something that the staff tells everybody."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"text": "Round 3 at two."}})

    text: LongText
    tournament: str | None = Field(default=None, max_length=60, description="Where it is about just one.")


class NewText(BaseModel):
    """Something that the staff tells those of a tournament or a class."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"text": "Round 3 at two."}})

    text: LongText
