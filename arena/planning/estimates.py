"""Before the start: how many matches a tournament has, how long they take, and whether that fits."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import ConflictError, InvalidError
from arena.core.games import find_rules
from arena.core.settings import Settings
from arena.core.terms import OVER, Fits, Source
from arena.planning.alternatives import Alternative, WhatIf, alternatives, fits
from arena.planning.forecast import Forecast, Resources, forecast, mean_match
from arena.planning.local_time import moment, zone_of
from arena.planning.longest import longest_match, most_answers
from arena.planning.monte_carlo import EndlessError, Progress, at_the_start
from arena.planning.observed import Capacity, Known, capacity, known
from arena.planning.replay_warning import ReplayWarning, Setting, replay_warning
from arena.schemas.plans import TournamentPlan
from arena.store.models import BotVersion, Tournament
from arena.theory.pairing.format import FormatError
from arena.theory.pairing.formats import find_format
from arena.tournaments import heroes, lifecycle
from engines.game import Game
from workers.core.contract import Limits, TimeControl


class Question(NamedTuple):
    """What is supposed: so many bots and workers, and that it begins at one time and shall end by another.

    None takes those that are entered, the workers that are there, and now.
    """

    bots: int | None = None
    workers: int | None = None
    start: str | None = None
    until: str | None = None


@dataclass(frozen=True)
class Deadline:
    """Whether it fits into the time until then, and if not, what would."""

    until: dt.datetime
    fits: Fits
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True)
class Estimate:
    """What can be said before the start; `forecast` is None where a tournament has no end of its own.

    `answers` is the most that both bots can be asked for in a match, `longest` the most seconds that it can
    take, and `hourly` how many matches an hour brings.
    """

    draft: WhatIf
    bots: int
    entered: int
    capacity: Capacity
    answers: int
    longest: float
    source: Source
    source_matches: int
    forecast: Forecast | None
    hourly: float
    start: dt.datetime
    deadline: Deadline | None
    replays: ReplayWarning | None


def of_tournament(session: Session, settings: Settings, tournament: Tournament, asked: Question) -> Estimate:
    """The estimate for a tournament that has not begun.

    Raises:
        ConflictError: it has begun.
        InvalidError: its format cannot be played by so many bots, or a number or time makes no sense.
    """
    if tournament.state not in lifecycle.ENTERING:
        if tournament.state in OVER:
            raise ConflictError(
                "%(name)r is %(state)s; an estimate is for what has not begun",
                name=tournament.name,
                state=tournament.state,
            )
        raise ConflictError(
            "%(name)r is %(state)s; an estimate is for what has not begun, and"
            " `arena tournament eta %(name)s` says how long it still takes",
            name=tournament.name,
            state=tournament.state,
        )
    versions = [entry.version for entry in lifecycle.entries(session, tournament)]
    names = [version.bot.name for version in versions]
    named = _heroes(heroes.names_of(tournament), names)
    plan = _Planned(
        game=lifecycle.game_of(tournament),
        format=tournament.format,
        options=heroes.options_of(tournament) | named,
        openings=tournament.openings,
        moves=tournament.opening_moves,
        time=TimeControl.model_validate(tournament.time),
        limits=Limits.model_validate(tournament.limits),
        seed=tournament.seed,
    )
    return _estimate(session, settings, plan, versions, asked=asked, tournament=tournament)


def of_plan(session: Session, settings: Settings, plan: TournamentPlan, asked: Question) -> Estimate:
    """The estimate for a tournament that somebody thinks of; it needs a number of bots.

    Raises:
        InvalidError: as for a tournament, or there is no such game.
    """
    drafted = _Planned(
        game=find_rules(plan.game, plan.params),
        format=str(plan.format),
        options=plan.options | _heroes(plan.heroes, []),
        openings=plan.openings,
        moves=[],
        time=plan.time,
        limits=plan.limits,
        seed=plan.seed or 0,
    )
    return _estimate(session, settings, drafted, [], asked=asked)


class _Planned(NamedTuple):
    """What an estimate needs of a plan, whether it is a tournament yet or not."""

    game: Game[Any]
    format: str
    options: dict[str, Any]
    openings: int
    moves: list[list[str]]
    time: TimeControl
    limits: Limits
    seed: int


def _heroes(named: Sequence[str], entered: Sequence[str]) -> dict[str, Any]:
    """The heroes by number: those that are entered by their own, others by numbers that are left."""
    taken = {entered.index(name) + 1 for name in named if name in entered}
    free = (number for number in count(1) if number not in taken)
    numbers = [entered.index(name) + 1 if name in entered else next(free) for name in dict.fromkeys(named)]
    return {"heroes": tuple(numbers)} if numbers else {}


def _estimate(
    session: Session,
    settings: Settings,
    plan: _Planned,
    versions: Sequence[BotVersion],
    *,
    asked: Question,
    tournament: Tournament | None = None,
) -> Estimate:
    bots = len(versions) if asked.bots is None else asked.bots
    there = capacity(session, settings, {version.language for version in versions})
    workers = max(1, there.workers) if asked.workers is None else asked.workers
    draft = WhatIf(plan.format, plan.options, plan.openings, plan.time, workers)
    answers = max(most_answers(plan.game, opening) for opening in _begin(plan))
    knowledge = known(session, plan.game, plan.time, versions, tournament)
    oracle = _Oracle(
        plan, knowledge, answers, _named(versions, bots), at_the_start(bots)._replace(seed=plan.seed)
    )
    zone = zone_of(settings)
    start = (utc_now() if asked.start is None else moment(asked.start, utc_now(), zone)).astimezone(zone)
    until = None if asked.until is None else moment(asked.until, start, zone).astimezone(zone)
    try:
        outcome = oracle.judge(draft)
    except FormatError as error:
        raise InvalidError("%(why)s; this estimate is for %(bots)s bots", why=error, bots=bots) from None
    except EndlessError:
        outcome = None
    evidence = knowledge.under(plan.time)
    return Estimate(
        draft=draft,
        bots=bots,
        entered=len(versions),
        capacity=there,
        answers=answers,
        longest=longest_match(plan.time, plan.limits, answers),
        source=evidence.source,
        source_matches=evidence.games,
        forecast=outcome,
        hourly=3600 * workers / oracle.mean(draft),
        start=start,
        deadline=_deadline(oracle, draft, outcome, start, until),
        replays=replay_warning(
            session,
            lambda openings: find_format(plan.format, plan.options, openings),
            Setting(plan.openings, bots, plan.game),
            versions,
            tournament,
        ),
    )


def _begin(plan: _Planned) -> Sequence[Sequence[str]]:
    """How games may begin: with one of the openings; at the beginning where there are none, or none yet."""
    return plan.moves if plan.openings and plan.moves else [()]


def _named(versions: Sequence[BotVersion], bots: int) -> list[int | None]:
    ids: list[int | None] = [version.bot_id for version in versions[:bots]]
    return ids + [None] * (bots - len(ids))


class _Oracle(NamedTuple):
    """Forecasts for drafts of one plan."""

    plan: _Planned
    known: Known
    answers: int
    bots: list[int | None]
    now: Progress

    def _resources(self, draft: WhatIf) -> Resources:
        return Resources(draft.workers, longest_match(draft.time, self.plan.limits, self.answers))

    def judge(self, draft: WhatIf) -> Forecast:
        fmt = find_format(draft.format, draft.options, draft.openings)
        fmt.check(len(self.bots))
        return forecast(fmt, self.now, self.bots, self.known.under(draft.time), self._resources(draft))

    def mean(self, draft: WhatIf) -> float:
        """The mean duration of a match, in seconds."""
        return mean_match(self.bots, self.known.under(draft.time), self._resources(draft))


def _deadline(
    oracle: _Oracle, draft: WhatIf, outcome: Forecast | None, start: dt.datetime, until: dt.datetime | None
) -> Deadline | None:
    if until is None or outcome is None:
        return None
    seconds = (until.astimezone(dt.UTC) - start.astimezone(dt.UTC)).total_seconds()
    if seconds <= 0:
        raise InvalidError(
            "%(moment)s is before the start; name a later time", moment=f"{until:%Y-%m-%d %H:%M}"
        )
    how = fits(outcome, seconds)
    enough = how in {Fits.SURELY, Fits.LIKELY}
    others = () if enough else tuple(alternatives(draft, oracle.judge, seconds))
    return Deadline(until, how, others)
