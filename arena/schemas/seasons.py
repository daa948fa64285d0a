"""Seasons: tournaments that are counted together, and their table."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from arena.core.names import SLUG, check_slug
from arena.core.terms import TournamentState
from arena.schemas.grading import Number, Points
from arena.schemas.tournaments import Title

MAX_TOURNAMENTS = 40
MAX_PLACES = 100
NO_NAME = "new"
"""What no season is called: at `/manage/seasons/new` stands the form that makes one."""
USUAL = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)


def _addressable(name: str) -> str:
    if check_slug(name) == NO_NAME:
        message = f"{NO_NAME!r} is where seasons are made on the pages; choose another name"
        raise ValueError(message)
    return name


SeasonName = Annotated[
    str,
    Field(min_length=1, max_length=60, json_schema_extra={"pattern": SLUG}, examples=["spring-2030"]),
    AfterValidator(_addressable),
]
Whole = Annotated[
    Decimal,
    Field(gt=0, le=1000, max_digits=6, decimal_places=2),
    Number,
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "maximum": 1000}),
]


class By(StrEnum):
    """What a tournament's points follow from."""

    PLACES = "places"
    SHARE = "share"


class Scoring(BaseModel):
    """How the tournaments of a season are counted."""

    model_config = ConfigDict(extra="forbid")

    by: By = By.PLACES
    points: list[Points] = Field(
        default=[Decimal(each) for each in USUAL],
        max_length=MAX_PLACES,
        description="By places: for the first place, the second and so on; nothing for those after. No place "
        "has more than the one before.",
        json_schema_extra={"default": [*USUAL]},
    )
    whole: Whole = Field(
        default=Decimal(100),
        description="By share: for a share of all points of one's games.",
        json_schema_extra={"default": 100},
    )
    best: int | None = Field(
        default=None,
        ge=1,
        le=MAX_TOURNAMENTS,
        description="So many of a team's tournaments count; null: all.",
    )

    @model_validator(mode="after")
    def _check(self) -> Scoring:
        if self.by is By.PLACES and not self.points:
            message = "say what the first place is worth"
            raise ValueError(message)
        if any(later > earlier for earlier, later in pairwise(self.points)):
            message = "no place may be worth more than the one before"
            raise ValueError(message)
        return self


class SeasonChange(BaseModel):
    """What a season is; the tournaments in their order."""

    model_config = ConfigDict(extra="forbid")

    title: Title | None = None
    scoring: Scoring = Scoring()
    tournaments: list[str] = Field(
        default=[], max_length=MAX_TOURNAMENTS, json_schema_extra={"uniqueItems": True}
    )

    @model_validator(mode="after")
    def _check(self) -> SeasonChange:
        if len({*self.tournaments}) < len(self.tournaments):
            message = "a tournament is named twice; leave it out once"
            raise ValueError(message)
        return self


class NewSeason(SeasonChange):
    """A season to be made."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {
                "name": "spring-2030",
                "title": "春季聯賽",
                "scoring": {"by": "places", "points": [10, 6, 4, 3, 2, 1], "best": 3},
                "tournaments": ["week-1", "week-2", "week-3", "week-4"],
            }
        },
    )

    name: SeasonName
    class_name: str | None = Field(
        default=None, max_length=60, description="A class, whose organisers run it."
    )


class SeasonTournamentOut(BaseModel):
    """A tournament of a season."""

    name: str
    title: str | None
    state: TournamentState
    counts: bool = Field(description="Whether it is in the table that is shown: it is over, and revealed.")
    behind_freeze: bool = Field(description="It is in the table for its staff alone, until the reveal.")

    @property
    def heading(self) -> str:
        """What stands over it."""
        return self.title or self.name


class SeasonOut(BaseModel):
    """A season."""

    name: str
    title: str | None
    class_name: str | None
    created_at: dt.datetime
    scoring: Scoring
    tournaments: list[SeasonTournamentOut]

    @property
    def heading(self) -> str:
        """What stands over it."""
        return self.title or self.name


class SeasonListed(BaseModel):
    """A season in the list of all."""

    name: str
    title: str | None
    tournaments: int

    @property
    def heading(self) -> str:
        """What stands over it."""
        return self.title or self.name


class MadeOut(BaseModel):
    """What a team got for a tournament."""

    place: int | None = Field(description="Among teams; null for who was disqualified.")
    points: float
    counts: bool = Field(description="Whether it is one of the best that count.")


class SeasonLineOut(BaseModel):
    """A team of a season."""

    rank: int
    team: str
    points: float
    made: list[MadeOut | None] = Field(description="Of every tournament; null where it did not take part.")


class SeasonTable(BaseModel):
    """The table of a season, best first."""

    season: SeasonOut
    items: list[SeasonLineOut]
