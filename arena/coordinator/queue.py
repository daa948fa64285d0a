"""What waits to be done, how old it is, what nobody can do and why, and when the queue is empty."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import Worded
from arena.core.settings import Settings
from arena.core.terms import ExperimentState, MatchState, SolveState, TournamentState, TrainingState
from arena.store import operations, solves, trainings
from arena.store.models import User
from arena.store.operations import Theirs, WaitingExperiment, WaitingLine
from arena.store.solves import OpenSolve
from arena.store.trainings import OpenTraining
from arena.submissions import hosts
from workers.programs.serving import CHECKS, MATCHES, REVIEWS, SCRIMMAGES, SIMULATIONS

RATE_OVER = dt.timedelta(minutes=10)
MIN_SPAN_SECONDS = 5.0
MAX_EXPERIMENTS = 100
MAX_SOLVES = 20
MAX_TRAININGS = 20


@dataclass
class QueuedWork:
    """Work of one kind with the same needs, of a tournament if it is matches.

    `since` is when its oldest came to wait: of matches, when their last round was paired. It is `served`
    where a host is there that takes such work and runs the languages.
    """

    needs: str
    served: bool
    tournament: str = ""
    title: str = ""
    paused: bool = False
    since: dt.datetime | None = None
    counts: dict[MatchState, int] = field(default_factory=dict)

    @property
    def unclaimed(self) -> int:
        """How much nobody has taken in hand."""
        return self.counts.get(MatchState.PENDING, 0) + self.counts.get(MatchState.PUBLISHED, 0)

    @property
    def nobody(self) -> bool:
        """Whether it waits and no host can do it."""
        return not self.served and self.unclaimed > 0


@dataclass(frozen=True)
class ExperimentLine:
    """An experiment that is not over."""

    row: WaitingExperiment
    nobody: bool


@dataclass(frozen=True)
class SolveLine:
    """A solve that is not over."""

    row: OpenSolve
    nobody: bool


@dataclass(frozen=True)
class TrainingLine:
    """A training that is not over."""

    row: OpenTraining
    nobody: bool


@dataclass(frozen=True)
class Queue:
    """What waits. `rate` is how many matches a minute were recorded of late, of those that are shown.

    `seconds` is how long what can be played takes at that rate; None where nothing was recorded of late, or
    where not all of it is shown. `stuck` are tournaments whose formats do not know how they go on.
    """

    matches: Sequence[QueuedWork]
    checks: Sequence[QueuedWork]
    reviews: Sequence[QueuedWork]
    scrimmages: Sequence[QueuedWork]
    experiments: Sequence[ExperimentLine]
    experiments_total: int
    solves: Sequence[SolveLine]
    solves_total: int
    trainings: Sequence[TrainingLine]
    trainings_total: int
    window: int
    players: int
    checkers: int
    rate: float
    seconds: float | None
    stuck: Sequence[tuple[str, str, Worded]]


def queue(session: Session, settings: Settings, actor: User) -> Queue:
    """What waits, of all or of what an organiser runs; what is calculated is the administrators' to see.

    Raises:
        ForbiddenError: the actor is not of the staff.
    """
    permissions.require_staff(actor)
    theirs = theirs_of(actor)
    matches = _matches(session, theirs, hosts.served(session, settings, MATCHES))
    checks = _lines(operations.waiting_checks(session, theirs), hosts.served(session, settings, CHECKS))
    can_play = hosts.served(session, settings, SCRIMMAGES)
    can_review = hosts.served(session, settings, REVIEWS)
    rows, total = operations.waiting_experiments(session, MAX_EXPERIMENTS) if theirs is None else ([], 0)
    can = hosts.served(session, settings, SIMULATIONS)
    solving, solves_total = solves.open_solves(session, MAX_SOLVES) if theirs is None else ([], 0)
    learning, trainings_total = (
        trainings.open_trainings(session, MAX_TRAININGS) if theirs is None else ([], 0)
    )
    can_learn = bool(learning) and hosts.can_learn(session, settings)
    can_solve = bool(solving) and hosts.can_solve(session, settings)
    rate = _rate(session, theirs)
    left = sum(
        line.unclaimed + line.counts.get(MatchState.RUNNING, 0)
        for line in matches
        if not (line.paused or line.nobody)
    )
    return Queue(
        matches=matches,
        checks=checks,
        reviews=_lines(operations.waiting_analyses(session, theirs), can_review),
        scrimmages=_lines(operations.waiting_scrimmages(session, theirs), can_play),
        experiments=[ExperimentLine(row, _nobody(row, can)) for row in rows],
        experiments_total=total,
        solves=[SolveLine(row, row.state == SolveState.RUNNING and not can_solve) for row in solving],
        solves_total=solves_total,
        trainings=[
            TrainingLine(row, row.state == TrainingState.RUNNING and not can_learn) for row in learning
        ],
        trainings_total=trainings_total,
        window=hosts.window(session, settings),
        players=sum(hosts.takers(session, settings, MATCHES).values()),
        checkers=sum(hosts.takers(session, settings, CHECKS).values()),
        rate=rate,
        seconds=60 * left / rate if left and rate and theirs is None else None,
        stuck=operations.stuck(session, theirs),
    )


def theirs_of(actor: User) -> Theirs | None:
    """Whose tournaments and teams somebody of the staff runs; None for all."""
    if permissions.is_admin(actor):
        return None
    return Theirs(actor.id, permissions.classes_of(actor))


def _matches(session: Session, theirs: Theirs | None, served: Collection[str]) -> list[QueuedWork]:
    lines: dict[tuple[int, str], QueuedWork] = {}
    rows = operations.waiting_matches(session, theirs)
    paired = operations.paired_at(session, {row.tournament_id for row in rows})
    for row in rows:
        key = row.tournament_id, row.needs
        if key not in lines:
            lines[key] = QueuedWork(
                row.needs,
                row.needs in served,
                tournament=row.name,
                title=row.title or "",
                paused=row.tournament_state == TournamentState.PAUSED,
                since=paired.get(row.tournament_id),
            )
        lines[key].counts[row.state] = row.matches
    return list(lines.values())


def _lines(rows: Sequence[WaitingLine], served: Collection[str]) -> list[QueuedWork]:
    lines: dict[str, QueuedWork] = {}
    for row in rows:
        line = lines.setdefault(row.needs, QueuedWork(row.needs, row.needs in served))
        line.counts[row.state] = row.number
        line.since = min(filter(None, (line.since, row.oldest)))
    return list(lines.values())


def _nobody(row: WaitingExperiment, can: Collection[str]) -> bool:
    return row.state == ExperimentState.RUNNING and row.needs not in can


def _rate(session: Session, theirs: Theirs | None) -> float:
    now = utc_now()
    count, first = operations.recorded_since(session, now - RATE_OVER, theirs)
    if not count or first is None:
        return 0.0
    return 60 * count / max(MIN_SPAN_SECONDS, (now - first).total_seconds())
