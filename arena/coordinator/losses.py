"""What could not be done: matches that wait for the staff or were lost, and what befell their attempts."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.coordinator.queue import theirs_of
from arena.core.errors import ConflictError
from arena.core.terms import ExperimentState, MatchState
from arena.experiments.lifecycle import go_on, spec_of, start_waiting
from arena.store import events, operations
from arena.store import experiments as experiment_store
from arena.store import set_aside as set_aside_store
from arena.store.models import Analysis, Check, Experiment, Match, SetAside, User
from arena.store.models.event_types import MatchLost, MatchParked, MatchStarted
from arena.store.models.experiment_events import ExperimentCreated
from arena.store.paging import page

SHOWN_ATTEMPTS = 20
"""Of one match, the last ones."""
OPEN_CHECKS = (MatchState.RUNNING, MatchState.PUBLISHED, MatchState.PENDING)
GIVEN_UP = (MatchState.PARKED,)
OVER_CHECKS = (MatchState.FINISHED, MatchState.CANCELLED, MatchState.PARKED)


class LostAttempt(NamedTuple):
    """An attempt that was lost: when that was known, on which host it had begun if it had, and why."""

    at: dt.datetime
    attempt: int
    host: str | None
    trouble: str


class Loss(NamedTuple):
    """A match, and its attempts that were lost, in their order."""

    match: Match
    attempts: Sequence[LostAttempt]


def parked(session: Session, actor: User, offset: int, limit: int) -> tuple[list[Loss], int]:
    """One page of the matches that wait for the staff, of all tournaments or an organiser's own.

    Raises:
        ForbiddenError: the actor is not of the staff.
    """
    permissions.require_staff(actor)
    rows, total = page(session, operations.parked_matches(theirs_of(actor)), offset, limit)
    return _with_attempts(session, rows), total


def lost(session: Session, actor: User, offset: int, limit: int) -> tuple[list[Loss], int]:
    """One page of the matches of tournaments that go on which were lost once or more and are not parked.

    Raises:
        ForbiddenError: the actor is not of the staff.
    """
    permissions.require_staff(actor)
    rows, total = page(session, operations.lost_matches(theirs_of(actor)), offset, limit)
    return _with_attempts(session, rows), total


def parked_by_tournament(session: Session, actor: User) -> list[tuple[str, str, int]]:
    """Name, title and number of parked matches of each tournament that has any."""
    return operations.parked_by_tournament(session, theirs_of(actor))


def _with_attempts(session: Session, rows: Sequence[Match]) -> list[Loss]:
    began: dict[tuple[int, int], str] = {}
    found: dict[int, list[LostAttempt]] = defaultdict(list)
    for number, at, kind, data in operations.attempts(session, [row.id for row in rows]):
        if kind == MatchStarted.KIND:
            began[number, data["attempt"]] = data["host"]
        elif kind in {MatchLost.KIND, MatchParked.KIND}:
            host = began.get((number, data["attempt"]))
            found[number].append(LostAttempt(at, data["attempt"], host, data["trouble"]))
    return [Loss(row, found[row.id][-SHOWN_ATTEMPTS:]) for row in rows]


def checks(
    session: Session, actor: User, states: Collection[MatchState], offset: int, limit: int
) -> tuple[Sequence[Check], int]:
    """One page of the checks in these states, of all teams or those of an organiser's classes.

    Raises:
        ForbiddenError: the actor is not of the staff.
    """
    permissions.require_staff(actor)
    return page(session, operations.checks(states, theirs_of(actor)), offset, limit)


def analyses(session: Session, actor: User, offset: int, limit: int) -> tuple[Sequence[Analysis], int]:
    """One page of the analyses that were given up, of all tournaments or an organiser's own.

    Raises:
        ForbiddenError: the actor is not of the staff.
    """
    permissions.require_staff(actor)
    return page(session, operations.parked_analyses(theirs_of(actor)), offset, limit)


def failed_experiments(
    session: Session, actor: User, offset: int, limit: int
) -> tuple[Sequence[Experiment], int]:
    """One page of the experiments that were given up, for administrators.

    Raises:
        ForbiddenError: the actor is none.
    """
    permissions.require_admin(actor)
    return page(session, operations.failed_experiments(), offset, limit)


def set_aside(session: Session, actor: User, offset: int, limit: int) -> tuple[Sequence[SetAside], int]:
    """One page of what stood in the broker's queues and was no message, for administrators, the newest first.

    Raises:
        ForbiddenError: the actor is none.
    """
    permissions.require_admin(actor)
    return page(session, set_aside_store.newest(), offset, limit)


def retry_experiment(session: Session, actor: User, experiment: Experiment) -> None:
    """Have an experiment that was given up go on from where it was.

    Raises:
        ForbiddenError: the actor is no administrator.
        ConflictError: it was not given up.
    """
    permissions.require_admin(actor)
    experiment = experiment_store.lock(session, experiment.id)
    if experiment.state != ExperimentState.FAILED:
        raise ConflictError(
            "experiment %(experiment)s is %(state)s; only one that has failed is taken up again",
            experiment=experiment.id,
            state=experiment.state,
        )
    go_on(experiment)
    if experiment.sweep_id is None:
        experiment.state = ExperimentState.RUNNING
    events.log(session, ExperimentCreated(experiment.id, spec_of(experiment).digest), actor=actor)
    session.flush()
    if experiment.sweep_id is not None:
        start_waiting(session, experiment.sweep_id)
