"""What is asked for when a tournament that has begun is changed."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from arena.api.schemas.matches import Reason, ReasonText
from arena.decisions import Winner


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


class Verification(BaseModel):
    """Whether the stored totals are those that the log of events and the results add up to."""

    tournament: str
    agrees: bool
    differences: list[str]
