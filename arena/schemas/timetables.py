"""Timetables, freezes, and reveals."""

from __future__ import annotations

import datetime as dt

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from arena.core.terms import Act

OWN = "Whether teams see their own matches while it is frozen."


class NewTimetable(BaseModel):
    """When what is to be done, in this order; what is null is not done by itself. It replaces the one before.

    A moment that has passed has to be given as it is.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {"close": "2100-06-01T08:00:00+08:00", "start": "2100-06-01T09:00:00+08:00"}
        },
    )

    open: AwareDatetime | None = Field(default=None, description="Teams may enter their bots.")
    close: AwareDatetime | None = Field(default=None, description="Teams may enter no more bots.")
    start: AwareDatetime | None = Field(default=None, description="It begins.")
    freeze: AwareDatetime | None = Field(default=None, description="Results are hidden from then on.")
    reveal: AwareDatetime | None = Field(default=None, description="All results are shown.")
    own: bool = Field(default=False, description=OWN)

    def moments(self) -> dict[Act, dt.datetime | None]:
        """The moments by their acts."""
        return {act: getattr(self, act) for act in Act}


class MomentOut(BaseModel):
    """When an act is to be done, or was."""

    act: Act
    at: dt.datetime
    done_at: dt.datetime | None = Field(description="When it was done, or tried; null while it is to come.")
    trouble: str | None = Field(description="Why it could not be done; for the tournament's staff.")


class TimetableOut(BaseModel):
    """What the arena does by itself to a tournament."""

    tournament: str
    moments: list[MomentOut]
    own: bool = Field(description=OWN)
    frozen_at: dt.datetime | None = Field(description="Since when it is frozen, if it is.")


class NewFreeze(BaseModel):
    """How a tournament is frozen."""

    model_config = ConfigDict(extra="forbid")

    own: bool = Field(default=False, description=OWN)


class RevealStep(BaseModel):
    """From which step of a reveal to which one; nothing happens where it is at another one by now."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"at": 0, "to": 1}})

    at: int = Field(ge=0, le=2**31 - 1)
    to: int = Field(ge=0, le=2**31 - 1)


class RevealLineOut(BaseModel):
    """One line of the table between freeze and end, best first."""

    entry: int
    bot: str
    owner: str
    games: int
    points: float = Field(description="The final ones where they are shown, else those at the freeze.")
    shown: bool = Field(description="Whether what it made since the freeze is shown.")
    place: int | None = Field(description="The final rank, where it is certain.")
    gained: float | None = Field(description="The points since the freeze, where they are shown.")


class RevealOut(BaseModel):
    """A reveal after `step` of `steps`."""

    tournament: str
    frozen_at: dt.datetime | None = Field(description="Null when everybody sees all results.")
    step: int
    steps: int
    latest: int | None = Field(description="The number of the entry that was shown last.")
    before: int = Field(description="Where that stood, counted from 1; 0 at the beginning.")
    after: int = Field(description="Where it stands.")
    next: int | None = Field(description="The number of the entry that is shown next.")
    items: list[RevealLineOut]
