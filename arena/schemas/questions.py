"""Questions of teams, and what is answered."""

from __future__ import annotations

import datetime as dt

from pydantic import BaseModel, ConfigDict, Field

from arena.core.names import MAX_CHARS
from arena.core.terms import QuestionState
from arena.schemas.texts import LongText


class NewQuestion(BaseModel):
    """Something that a team asks those who run things."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"text": "When is round 3?", "tournament": "spring"}}
    )

    text: LongText
    tournament: str | None = Field(
        default=None, max_length=MAX_CHARS, description="Where it is about one that concerns the team."
    )
    match: int | None = Field(
        default=None, ge=1, lt=2**31, description="Where it is about a game of the team's in that tournament."
    )


class NewAnswer(BaseModel):
    """What is answered."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"text": "At two o'clock.", "to_all": True}}
    )

    text: LongText
    to_all: bool = Field(default=False, description="Whether all read the question and this answer.")
    names_asker: bool = Field(default=False, description="Whether they also read which team asked.")
    corrects: int | None = Field(
        default=None,
        ge=1,
        lt=2**31,
        description="The answer that this one stands in the place of, for the same readers as before.",
    )


class AnswerOut(BaseModel):
    """An answer to a question."""

    number: int
    text: str
    to_all: bool
    at: dt.datetime
    by: str | None = Field(description="Who wrote it; for the staff.")
    corrects: int | None = Field(description="The earlier answer that it stands in the place of.")
    corrected: bool = Field(description="Whether a later answer stands in its place.")


class QuestionOut(BaseModel):
    """A question with its answers, the oldest first."""

    number: int = Field(examples=[12])
    state: QuestionState
    text: str
    asked_at: dt.datetime
    team: str | None = Field(description="Who asked; null where others are not to know.")
    asked_by: str | None = Field(description="The member who wrote it; for the team and the staff.")
    tournament: str | None
    title: str | None = Field(description="What stands over the tournament.")
    match: int | None
    answers: list[AnswerOut]
