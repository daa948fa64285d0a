"""How tournaments are graded, and what their teams are told."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema, model_validator

from arena.core.terms import TournamentState
from arena.schemas.matches import ReasonText
from arena.theory.standings.grading import Unit

MAX_LINES = 20
"""Thresholds, and bands, of one scheme."""

Number = PlainSerializer(float, return_type=float, when_used="json")
Points = Annotated[
    Decimal,
    Field(ge=0, le=1000, max_digits=6, decimal_places=2),
    Number,
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1000}),
]
"""At most two decimal places, as for all that is told to pupils."""
Share = Annotated[
    Decimal,
    Field(ge=0, le=1, max_digits=5, decimal_places=4),
    Number,
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
]


class ThresholdIn(BaseModel):
    """So many points for at least that share of the points of the games against a reference bot."""

    model_config = ConfigDict(extra="forbid")

    bot: str = Field(min_length=1, max_length=60)
    share: Share
    points: Points


class BandIn(BaseModel):
    """So many points for one of the first places, counted among teams."""

    model_config = ConfigDict(extra="forbid")

    up_to: int = Field(ge=1, le=1000, description="The last place, or the percentage of the teams.")
    unit: Unit = Unit.PLACES
    points: Points

    @model_validator(mode="after")
    def _check(self) -> BandIn:
        if self.unit is Unit.PERCENT and self.up_to > 100:
            message = "a band has at most 100 percent of the teams"
            raise ValueError(message)
        return self


class SchemeIn(BaseModel):
    """How a tournament is graded."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {
                "base": 60,
                "thresholds": [{"bot": "random", "share": 0.9, "points": 20}],
                "bands": [{"up_to": 1, "points": 20}, {"up_to": 25, "unit": "percent", "points": 10}],
                "most": 100,
            }
        },
    )

    base: Points = Field(
        default=Decimal(0),
        description="For taking part: at least one game.",
        json_schema_extra={"default": 0},
    )
    thresholds: list[ThresholdIn] = Field(default=[], max_length=MAX_LINES, description="All that are met.")
    bands: list[BandIn] = Field(default=[], max_length=MAX_LINES, description="The best that a place is in.")
    most: Points | None = Field(default=None, description="Nobody gets more; null for no such limit.")

    @model_validator(mode="after")
    def _check(self) -> SchemeIn:
        for what, keys in (
            ("threshold", [(each.bot, each.share) for each in self.thresholds]),
            ("band", [(each.up_to, each.unit) for each in self.bands]),
        ):
            if len({*keys}) < len(keys):
                message = f"there are two equal ones: leave a {what} out"
                raise ValueError(message)
        return self


class NewRelease(BaseModel):
    """Grades to be told; the reason is needed from the second time on."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"reason": "a game was replayed"}}
    )

    reason: ReasonText | None = None


class PassedOut(BaseModel):
    """What became of a threshold."""

    bot: str
    share: Share = Field(description="Of the points, that was asked for.")
    made: float = Field(description="The points that were made against that bot.")
    games: int
    met: bool
    points: Points


class BandOut(BaseModel):
    """The band of places that counted."""

    up_to: int
    unit: Unit
    points: Points


class GradeOut(BaseModel):
    """A team's grade, and how it came about."""

    team: str
    bot: str = Field(description="The best placed of the team's bots, by which it is graded.")
    place: int = Field(description="Among teams, each by its best placed bot; reference bots have none.")
    teams: int = Field(description="Among so many.")
    games: int
    disqualified: bool
    points: Points
    base: Points
    passed: list[PassedOut]
    band: BandOut | None
    limited: bool = Field(description="Whether there would have been more points than the most.")


class ReleaseOut(BaseModel):
    """Grades were told to the teams."""

    number: int
    at: dt.datetime
    by: str | None
    reason: str


class GradingOut(BaseModel):
    """How a tournament is graded now, and who gets what."""

    tournament: str
    state: TournamentState
    scheme: SchemeIn | None = Field(description="As it was set last; null before.")
    grades: list[GradeOut] = Field(description="By that scheme, as the tables are now.")
    releases: list[ReleaseOut] = Field(description="The last first.")
    changed: list[str] = Field(description="The teams that were told other grades than these.")


class OwnGradeOut(BaseModel):
    """What one's own team was told."""

    tournament: str
    title: str | None
    release: int = Field(description="Counts the tournament's releases from 1; the newest is given.")
    at: dt.datetime
    reason: str = Field(description="Why it was told anew; empty the first time.")
    before: float | None = Field(description="The points told before, where there were others.")
    grade: GradeOut


def told_of(grade: GradeOut) -> dict[str, Any]:
    """A grade as it is kept."""
    return grade.model_dump(mode="json")
