"""Estimates before the start of a tournament, and how long it still takes."""

from __future__ import annotations

import datetime as dt

from arena.core.terms import Source, TournamentState
from arena.planning.alternatives import Alternative
from arena.planning.estimates import Deadline, Estimate, Question
from arena.planning.eta import Eta
from arena.planning.forecast import Forecast, Span
from arena.planning.local_time import later
from arena.planning.observed import Capacity
from arena.planning.replay_warning import ReplayWarning
from arena.schemas import planning as schemas
from arena.web.answers.copying import copied

LONG_AHEAD_SECONDS = 100 * 365 * 24 * 3600

BASES = {
    Source.TOURNAMENT: "what matches of this tournament took",
    Source.HISTORY: "what matches of the same game and time control took in this arena",
    Source.CHECKS: "what the bots took in the matches of their submission checks",
    Source.PRIOR: "an assumption, as nothing like it was played here: games as long as random ones, and "
    "bots that use from a hundredth to all of their time",
}


def question_of(asked: schemas.Asked) -> Question:
    """The same for the planner."""
    return Question(bots=asked.bots, workers=asked.workers, start=asked.start, until=asked.until)


def estimate_of(estimate: Estimate) -> schemas.EstimateOut:
    """What can be said of a tournament before it begins."""
    forecast, start = estimate.forecast, estimate.start
    duration = _duration(forecast.span, forecast.worst) if forecast else None
    return copied(
        schemas.EstimateOut,
        estimate,
        format=estimate.draft.format,
        options=dict(estimate.draft.options),
        openings=estimate.draft.openings,
        time=estimate.draft.time,
        workers=estimate.draft.workers,
        there=_hosts(estimate.capacity),
        matches=_matches(forecast) if forecast else None,
        stages=forecast.rounds if forecast else None,
        matches_an_hour=estimate.hourly,
        most_answers=estimate.answers,
        longest_match=estimate.longest,
        duration=duration,
        based_on=_basis(estimate.source, estimate.source_matches),
        finish=_finish(start, duration) if duration else None,
        deadline=_deadline(estimate.deadline, start) if estimate.deadline else None,
        replays=_replays(estimate.replays),
    )


def eta_of(eta: Eta) -> schemas.EtaOut:
    """How long a tournament still takes."""
    duration = None
    if eta.span is not None and eta.worst is not None:
        duration = _duration(eta.span, eta.worst)
    goes_on = duration is not None and eta.state == TournamentState.RUNNING
    return copied(
        schemas.EtaOut,
        eta,
        there=_hosts(eta.capacity),
        duration=duration,
        based_on=_basis(eta.source, eta.source_matches),
        finish=_finish(eta.now, duration) if duration is not None and goes_on else None,
        replays=_replays(eta.replays),
    )


def _deadline(deadline: Deadline, start: dt.datetime) -> schemas.DeadlineOut:
    return copied(
        schemas.DeadlineOut,
        deadline,
        alternatives=[_alternative(each, start) for each in deadline.alternatives],
    )


def _alternative(alternative: Alternative, start: dt.datetime) -> schemas.AlternativeOut:
    draft, forecast = alternative.draft, alternative.forecast
    duration = _duration(forecast.span, forecast.worst)
    return copied(
        schemas.AlternativeOut,
        draft,
        change=alternative.change,
        fits=alternative.fits,
        options=dict(draft.options),
        matches=_matches(forecast),
        duration=duration,
        finish=_finish(start, duration),
    )


def _matches(forecast: Forecast) -> schemas.MatchRange:
    return copied(schemas.MatchRange, forecast.matches)


def _duration(span: Span, worst: float) -> schemas.Duration:
    return schemas.Duration(expected=span.expected, low=span.low, high=span.high, worst=worst)


def _finish(start: dt.datetime, duration: schemas.Duration) -> schemas.Finish:
    def after(seconds: float) -> dt.datetime | None:
        return later(start, round(seconds)) if seconds < LONG_AHEAD_SECONDS else None

    return schemas.Finish(**{name: after(getattr(duration, name)) for name in schemas.Finish.model_fields})


def _basis(source: Source, matches: int) -> schemas.Basis:
    return schemas.Basis(source=source, matches=matches, words=BASES[source])


def _hosts(capacity: Capacity) -> schemas.Hosts:
    return copied(schemas.Hosts, capacity)


def _replays(warning: ReplayWarning | None) -> schemas.Replays | None:
    if warning is None:
        return None
    offer = warning.offer
    return copied(
        schemas.Replays,
        warning,
        openings=offer.openings if offer else None,
        matches_then=offer.matches if offer else None,
    )
