"""The class report, as JSON and as lines of CSV."""

from __future__ import annotations

from pydantic import BaseModel, Field

from arena.core.terms import Leaving, TournamentState

COLUMNS = (
    "place",
    "class_place",
    "team",
    "bot",
    "version",
    "games",
    "points",
    "wins",
    "draws",
    "losses",
    "forfeits",
)
TIMES = ("answers", "mean_ms", "mean_share", "slowest_ms", "slowest_share", "extensions")
COMPARED = ("games", "points", "share", "threshold", "passed")


class ReferenceOut(BaseModel):
    """A bot that the others are measured by."""

    bot: str
    threshold: float | None = Field(description="The share of the points that passes; null for none.")


class AgainstOut(BaseModel):
    """What a bot made against a reference bot."""

    bot: str
    games: int
    points: float
    share: float | None = Field(description="Of the points; null without a game.")
    passed: bool | None = Field(description="Null without a threshold or a game.")


class TimeUse(BaseModel):
    """What a bot's answers took, as its clock was charged; null without an answer."""

    answers: int
    mean_ms: float | None
    mean_share: float | None = Field(description="Of the limit for an answer.")
    slowest_ms: float | None
    slowest_share: float | None = Field(description="Of the limit; an extended answer may have more than 1.")
    extensions: int


class ReportLineOut(BaseModel):
    """One bot of the class."""

    place: int = Field(description="Among all bots.")
    class_place: int = Field(description="Without the reference bots.")
    team: str
    bot: str
    version: int
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    left_as: Leaving | None = Field(description="How it left the tournament; null for who did not.")
    forfeits: dict[str, int] = Field(description="By their kinds; those that did not happen are left out.")
    time: TimeUse
    against: list[AgainstOut]
    passed: bool | None = Field(description="Every threshold; null while one is open or where there is none.")


class ClassReportOut(BaseModel):
    """What the bots of a class made of a tournament, in the order of its leaderboard."""

    tournament: str
    state: TournamentState
    limit_ms: int = Field(description="For one answer.")
    references: list[ReferenceOut]
    items: list[ReportLineOut]
