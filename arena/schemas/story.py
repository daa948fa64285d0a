"""What was done to a tournament, an act at a time."""

from __future__ import annotations

import datetime as dt
from typing import Any

from pydantic import BaseModel, Field


class PartOut(BaseModel):
    """One event of an act."""

    number: int
    at: dt.datetime
    kind: str = Field(examples=["match.decided"])
    match: int | None = Field(description="The number of the match that it is about.")
    text: str = Field(description="In English.")
    data: dict[str, Any]


class ActOut(BaseModel):
    """Something that was done."""

    number: int = Field(description="That of the first event that tells of it.")
    at: dt.datetime
    by: str | None = Field(description="Who did it; null for the arena itself.")
    kind: str = Field(description="Of the event that says what it was.", examples=["entry.disqualified"])
    text: str = Field(description="A sentence in English, and what followed from it.")
    size: int = Field(description="How many events tell of it.")
    parts: list[PartOut] = Field(description="The first of these; the rest at the act's own address.")
