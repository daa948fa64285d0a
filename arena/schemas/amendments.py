"""What is asked for when a tournament that has begun is changed."""

from __future__ import annotations

import datetime as dt
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from arena.core.terms import Winner
from arena.schemas.matches import Reason, ReasonText


class Decision(BaseModel):
    """How the staff decides a match, and why; with `nobody` both lose."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"winner": "first", "reason": "agreed with both"}}
    )

    winner: Winner
    reason: ReasonText


class Disqualification(Reason):
    """Why a bot is expelled, and whether its games still count."""

    annul: bool = Field(default=False, description="Let none of its games count.")


class LogLine(BaseModel):
    """Something that was done to a tournament."""

    at: dt.datetime
    kind: str = Field(examples=["match.rerun"])
    user: str | None = Field(description="Who did it; null for the arena itself.")
    match: int | None = Field(description="The number of the match that it was done to.")
    data: dict[str, Any] = Field(description="What else there is to say, such as the reason.")


class Verification(BaseModel):
    """Whether the stored totals are those that the log of events and the results add up to."""

    tournament: str
    agrees: bool
    differences: list[str]
