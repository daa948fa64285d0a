"""Estimates before the start of a tournament, and how long it still takes."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from arena.core.terms import CONFIDENCE, Change, Fits, Source, TournamentState
from workers.core.contract import TimeControl

MAX_BOTS = 1000
MAX_WORKERS = 10_000

Moment = Annotated[
    str,
    Field(
        json_schema_extra={
            "pattern": r"^(([01]?[0-9]|2[0-3]):[0-5][0-9]|2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
            r"T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])?)$"
        }
    ),
]


class Asked(BaseModel):
    """What is supposed for an estimate."""

    model_config = ConfigDict(extra="forbid")

    bots: int | None = Field(default=None, ge=2, le=MAX_BOTS, description="Else those that are entered.")
    workers: int | None = Field(
        default=None, ge=1, le=MAX_WORKERS, description="Matches played at once; else those there are now."
    )
    start: Moment | None = Field(
        default=None, max_length=40, description="Else now. Like `13:00` or `2026-05-20T13:00`."
    )
    until: Moment | None = Field(
        default=None, max_length=40, description="Does it fit until then? `17:00` is the next one."
    )


class MatchRange(BaseModel):
    """How many matches; not one number where it depends on how they end."""

    least: int
    expected: float = Field(description="The mean, if all bots are equally strong and no game is drawn.")
    most: int


class Duration(BaseModel):
    """Seconds: the mean, the interval that holds the share `confidence` of all resamples, and the worst."""

    expected: float
    low: float
    high: float
    confidence: float = CONFIDENCE
    worst: float = Field(description="If every match takes as long as its clocks allow, on an idle host.")


class Finish(BaseModel):
    """When it is over, in the arena's time zone: expected, both ends of the interval, and at worst.

    Null is a moment more than a hundred years ahead.
    """

    expected: dt.datetime | None
    low: dt.datetime | None
    high: dt.datetime | None
    worst: dt.datetime | None


class Basis(BaseModel):
    """What durations rest on: the tournament itself, others like it, checks, or an assumption."""

    source: Source
    matches: int = Field(description="How many matches, or bots' checks, that are.")
    words: str


class Hosts(BaseModel):
    """The worker hosts that are there now, and how many matches they can play at once."""

    hosts: int
    workers: int
    lacking: list[str] = Field(
        description="Languages, and `adapters`, that matches need together and no host has."
    )


class Replays(BaseModel):
    """A warning: two deterministic bots would play the same game again, or did."""

    times: int = Field(description="How often at most two bots meet with the same seats and opening.")
    matches: list[list[int]] = Field(description="Numbers of matches that were the same move by move.")
    bots: list[str] = Field(description="Bots that repeated a game, in this tournament or another.")
    openings: int | None = Field(description="So many openings make all games different, if any do.")
    matches_then: int | None = Field(description="How many matches there are then, at most.")


class AlternativeOut(BaseModel):
    """What would fit: one thing changed, the smallest change of its kind."""

    change: Change
    fits: Fits
    format: str
    options: dict[str, Any]
    openings: int
    time: TimeControl
    workers: int
    matches: MatchRange
    duration: Duration
    finish: Finish


class DeadlineOut(BaseModel):
    """Whether it fits until then; where it is not at least likely to, what would."""

    until: dt.datetime
    fits: Fits = Field(
        description="`surely`: even at worst. `likely`: by the upper end of the interval. `perhaps`: by its "
        "lower end only."
    )
    alternatives: list[AlternativeOut]


class EstimateOut(BaseModel):
    """What can be said of a tournament before it begins; null where it has no end of its own."""

    format: str
    options: dict[str, Any]
    openings: int
    time: TimeControl
    bots: int
    entered: int
    workers: int = Field(description="Matches that are played at once.")
    there: Hosts
    matches: MatchRange | None
    stages: int | None = Field(description="A stage waits for all matches of the one before.")
    matches_an_hour: float
    most_answers: int = Field(description="Of both bots in one match.")
    longest_match: float = Field(description="The longest that a match can take, in seconds.")
    duration: Duration | None
    based_on: Basis
    start: dt.datetime
    finish: Finish | None
    deadline: DeadlineOut | None
    replays: Replays | None


class EtaOut(BaseModel):
    """How long a tournament still takes; null where no worker is there, or where it has no end of its own."""

    state: TournamentState
    now: dt.datetime
    left: int = Field(description="Matches that are being played or can be.")
    later: float = Field(description="Matches of rounds that are still to be paired; a mean.")
    parked: int = Field(description="Matches that wait for the staff; nothing else here counts them.")
    voids: int = Field(description="Attempts that did not count and were made again.")
    there: Hosts
    sharing: int = Field(description="Other running tournaments, each with an equal share of the workers.")
    endless: bool
    duration: Duration | None
    based_on: Basis
    finish: Finish | None = Field(description="Null while it is paused.")
    replays: Replays | None
