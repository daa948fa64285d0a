"""Estimates before the start of a tournament, and how long it still takes."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field

from arena.core.terms import CONFIDENCE, Change, Fits, Source, TournamentState
from arena.planning.alternatives import Alternative
from arena.planning.estimates import Deadline, Estimate, Question
from arena.planning.eta import Eta
from arena.planning.forecast import Forecast, Span
from arena.planning.observed import Capacity
from arena.planning.replay_warning import ReplayWarning
from arena.tournaments.plans import TournamentPlan
from workers.core.contract import TimeControl

MAX_BOTS = 1000
MAX_WORKERS = 10_000
LONG_AHEAD_SECONDS = 100 * 365 * 24 * 3600

BASES = {
    Source.TOURNAMENT: "what matches of this tournament took",
    Source.HISTORY: "what matches of the same game and time control took in this arena",
    Source.CHECKS: "what the bots took in the matches of their submission checks",
    Source.PRIOR: "an assumption, as nothing like it was played here: games as long as random ones, and "
    "bots that use from a hundredth to all of their time",
}


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

    @property
    def question(self) -> Question:
        """The same for the planner."""
        return Question(bots=self.bots, workers=self.workers, start=self.start, until=self.until)


class PlanToEstimate(TournamentPlan):
    """A tournament that somebody thinks of; it needs no name."""

    name: str = "plan"


class NewEstimate(Asked):
    """A plan, how many bots would take part, and what else is supposed."""

    plan: PlanToEstimate
    bots: int = Field(ge=2, le=MAX_BOTS)


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

    @classmethod
    def of(cls, span: Span, worst: float) -> Self:
        """The numbers of a forecast."""
        return cls(expected=span.expected, low=span.low, high=span.high, worst=worst)


class Finish(BaseModel):
    """When it is over, in the arena's time zone: expected, both ends of the interval, and at worst.

    Null is a moment more than a hundred years ahead.
    """

    expected: dt.datetime | None
    low: dt.datetime | None
    high: dt.datetime | None
    worst: dt.datetime | None

    @classmethod
    def of(cls, start: dt.datetime, duration: Duration) -> Self:
        """So long after `start`."""

        def after(seconds: float) -> dt.datetime | None:
            return start + dt.timedelta(seconds=round(seconds)) if seconds < LONG_AHEAD_SECONDS else None

        names = ("expected", "low", "high", "worst")
        return cls(**{name: after(getattr(duration, name)) for name in names})


class Basis(BaseModel):
    """What durations rest on: the tournament itself, others like it, checks, or an assumption."""

    source: Source
    matches: int = Field(description="How many matches, or bots' checks, that are.")
    words: str

    @classmethod
    def of(cls, source: Source, matches: int) -> Self:
        """The basis with its words."""
        return cls(source=source, matches=matches, words=BASES[source])


class Hosts(BaseModel):
    """The worker hosts that are there now, and how many matches they can play at once."""

    hosts: int
    workers: int
    lacking: list[str] = Field(description="Languages that matches need together and no host has.")

    @classmethod
    def of(cls, capacity: Capacity) -> Self:
        """What there is."""
        return cls(hosts=capacity.hosts, workers=capacity.workers, lacking=list(capacity.lacking))


class Replays(BaseModel):
    """A warning: two deterministic bots would play the same game again, or did."""

    times: int = Field(description="How often at most two bots meet with the same seats and opening.")
    matches: list[list[int]] = Field(description="Numbers of matches that were the same move by move.")
    bots: list[str] = Field(description="Bots that repeated a game, in this tournament or another.")
    openings: int | None = Field(description="So many openings make all games different, if any do.")
    matches_then: int | None = Field(description="How many matches there are then, at most.")

    @classmethod
    def of(cls, warning: ReplayWarning | None) -> Self | None:
        """The warning, if there is one."""
        if warning is None:
            return None
        return cls(
            times=warning.times,
            matches=[list(group) for group in warning.matches],
            bots=list(warning.bots),
            openings=warning.offer.openings if warning.offer else None,
            matches_then=warning.offer.matches if warning.offer else None,
        )


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

    @classmethod
    def of(cls, alternative: Alternative, start: dt.datetime) -> Self:
        """The alternative from `start` on."""
        duration = Duration.of(alternative.forecast.span, alternative.forecast.worst)
        return cls(
            change=alternative.change,
            fits=alternative.fits,
            format=alternative.draft.format,
            options=dict(alternative.draft.options),
            openings=alternative.draft.openings,
            time=alternative.draft.time,
            workers=alternative.draft.workers,
            matches=_matches(alternative.forecast),
            duration=duration,
            finish=Finish.of(start, duration),
        )


class DeadlineOut(BaseModel):
    """Whether it fits until then; where it is not at least likely to, what would."""

    until: dt.datetime
    fits: Fits = Field(
        description="`surely`: even at worst. `likely`: by the upper end of the interval. `perhaps`: by its "
        "lower end only."
    )
    alternatives: list[AlternativeOut]

    @classmethod
    def of(cls, deadline: Deadline, start: dt.datetime) -> Self:
        """The answer for a start at `start`."""
        others = [AlternativeOut.of(each, start) for each in deadline.alternatives]
        return cls(until=deadline.until, fits=deadline.fits, alternatives=others)


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

    @classmethod
    def of(cls, estimate: Estimate) -> Self:
        """The estimate."""
        duration = Duration.of(estimate.forecast.span, estimate.forecast.worst) if estimate.forecast else None
        return cls(
            format=estimate.draft.format,
            options=dict(estimate.draft.options),
            openings=estimate.draft.openings,
            time=estimate.draft.time,
            bots=estimate.bots,
            entered=estimate.entered,
            workers=estimate.draft.workers,
            there=Hosts.of(estimate.capacity),
            matches=_matches(estimate.forecast) if estimate.forecast else None,
            stages=estimate.forecast.rounds if estimate.forecast else None,
            matches_an_hour=estimate.hourly,
            most_answers=estimate.answers,
            longest_match=estimate.longest,
            duration=duration,
            based_on=Basis.of(estimate.source, estimate.source_matches),
            start=estimate.start,
            finish=Finish.of(estimate.start, duration) if duration else None,
            deadline=DeadlineOut.of(estimate.deadline, estimate.start) if estimate.deadline else None,
            replays=Replays.of(estimate.replays),
        )


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

    @classmethod
    def of(cls, eta: Eta) -> Self:
        """What is left."""
        duration = None
        if eta.span is not None and eta.worst is not None:
            duration = Duration.of(eta.span, eta.worst)
        goes_on = duration is not None and eta.state == TournamentState.RUNNING
        return cls(
            state=eta.state,
            now=eta.now,
            left=eta.left,
            later=eta.later,
            parked=eta.parked,
            voids=eta.voids,
            there=Hosts.of(eta.capacity),
            sharing=eta.sharing,
            endless=eta.endless,
            duration=duration,
            based_on=Basis.of(eta.source, eta.source_matches),
            finish=Finish.of(eta.now, duration) if duration is not None and goes_on else None,
            replays=Replays.of(eta.replays),
        )


def _matches(forecast: Forecast) -> MatchRange:
    return MatchRange(
        least=forecast.matches.least, expected=forecast.matches.expected, most=forecast.matches.most
    )
