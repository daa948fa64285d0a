"""Sweeps on the workers: the experiments of a grid, asked for together.

Some of them run at a time, the others wait. Asking for the same again changes nothing where all is well, and
lets what was cancelled or has failed go on, each experiment from where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.core.clock import utc_now
from arena.core.errors import ConflictError, InvalidError, NotFoundError
from arena.core.names import could_exist
from arena.core.terms import UNFINISHED, ExperimentState
from arena.experiments import lifecycle, quotas
from arena.experiments.forecast import Pace, Spent, seconds_left
from arena.experiments.grid import Cell, GridError, SweepPlan
from arena.experiments.pace import pace_of
from arena.experiments.sweep_table import row_of
from arena.schemas.plans import ExperimentPlan
from arena.store import events
from arena.store import experiments as store
from arena.store.models import Sweep, User
from arena.store.models.experiment_events import ExperimentCreated
from arena.store.paging import page

MAX_DRAWN = 16
"""Different games for which the openings of one sweep may have to be drawn, which takes seconds each."""


def create(
    session: Session, actor: User, plan: SweepPlan, quota: quotas.Quota = quotas.NOTHING
) -> tuple[Sweep, bool]:
    """The sweep of that plan, and whether it is new; one that was broken off goes on.

    Raises:
        InvalidError, NotFoundError, ConflictError, ForbiddenError: as of an experiment; or there is a sweep
            of that name with other contents or another owner's.
    """
    there = _existing(session, actor, plan)
    if there is not None:
        _go_on(session, actor, there, quota)
        return there, False
    cells = cells_of(plan)
    plans = [cell.plan for cell in cells]
    _require_few_openings(plans)
    quotas.require(session, actor, plans, quota)
    experiments = lifecycle.prepared(session, actor, plans)
    quotas.require(session, actor, plans, quota)
    if _existing(session, actor, plan) is not None:
        raise ConflictError("the sweep %(name)r has just been created; ask again to see it", name=plan.name)
    sweep = Sweep(
        name=plan.name,
        owner_id=lifecycle.owner_of(actor),
        digest=plan.digest,
        plan=plan.model_dump(mode="json"),
        created_at=utc_now(),
    )
    session.add(sweep)
    session.flush()
    for cell, experiment in zip(cells, experiments, strict=True):
        experiment.sweep_id, experiment.cell = sweep.id, cell.number
        experiment.state = ExperimentState.WAITING
    session.add_all(experiments)
    session.flush()
    for experiment in experiments:
        digest = lifecycle.spec_of(experiment).digest
        events.log(session, ExperimentCreated(experiment.id, digest), actor=actor)
    lifecycle.start_waiting(session, sweep.id)
    return sweep, True


def cells_of(plan: SweepPlan) -> list[Cell]:
    """Its cells.

    Raises:
        InvalidError: one of them cannot be.
    """
    try:
        return list(plan.cells())
    except GridError as error:
        raise InvalidError(error.message, **error.values) from None


def get(session: Session, viewer: User | None, name: str) -> Sweep:
    """The sweep of that name.

    Raises:
        NotFoundError: there is none that `viewer` may see.
    """
    sweep = store.sweep_named(session, name) if could_exist(name) else None
    if sweep is None or not permissions.sees_order(viewer, sweep):
        raise NotFoundError("there is no sweep %(name)r", name=name)
    return sweep


def list_sweeps(
    session: Session, viewer: User | None, offset: int, limit: int
) -> tuple[Sequence[Sweep], int]:
    """One page of the sweeps that `viewer` may see, newest first, and how many there are in all."""
    return page(session, store.sweeps_seen(lifecycle.seen_by(viewer)), offset, limit)


def cancel(session: Session, actor: User, sweep: Sweep) -> None:
    """End every experiment of it that is not over; what their first games came to stays.

    Raises:
        ConflictError: all of them are.
    """
    unfinished = store.lock_unfinished(session, sweep)
    if not unfinished:
        raise ConflictError("the sweep %(name)r is over and cannot be cancelled", name=sweep.name)
    for state in UNFINISHED:  # what waits first, so that nothing of it begins
        for experiment in [each for each in unfinished if each.state == state]:
            lifecycle.cancel(session, actor, experiment)


class Progress(NamedTuple):
    """How far a sweep is: its cells by their state, games, and how long what is left will take."""

    states: dict[ExperimentState, int]
    games: int
    done: int
    recorded: int
    games_per_second: float | None
    seconds_left: float | None

    @property
    def state(self) -> ExperimentState:
        """That of the whole: the worst of those that are over once all are."""
        order = (ExperimentState.RUNNING, ExperimentState.WAITING, ExperimentState.FAILED)
        return next(
            (state for state in (*order, ExperimentState.CANCELLED) if self.states.get(state)),
            ExperimentState.FINISHED,
        )


def progress(session: Session, sweeps: Sequence[Sweep]) -> list[Progress]:
    """How far each of them is; it takes as long whatever they have of games and of cells that are over."""
    counts: dict[int, list[store.StateCounts]] = {sweep.id: [] for sweep in sweeps}
    begun: dict[int, list[Pace]] = {sweep.id: [] for sweep in sweeps}
    for each in store.state_counts(session, sweeps):
        counts[each.sweep_id].append(each)
    for cell in store.begun_cells(session, sweeps):
        begun[cell.sweep_id or 0].append(pace_of(cell))
    return [_progress(counts[sweep.id], begun[sweep.id]) for sweep in sweeps]


def _progress(counts: Sequence[store.StateCounts], begun: Sequence[Pace]) -> Progress:
    """That of one sweep: its cells that are not over have `begun`, or wait with games that are `fresh`."""
    began = min((each.began for each in counts if each.began), default=None)
    until = max((each.until for each in counts if each.until), default=None)
    elapsed = (until - began).total_seconds() if began and until else 0.0
    recorded = sum(each.recorded for each in counts)
    spent = Spent(
        begun=sum(each.begun for each in counts),
        ns_a_game=sum(each.ns_a_game for each in counts),
        ns=sum(each.spent_ns for each in counts),
    )
    fresh = Pace(sum(each.fresh for each in counts if each.state in UNFINISHED), 0, 0)
    return Progress(
        states={state: each.cells for state in ExperimentState for each in counts if each.state == state},
        games=sum(each.games for each in counts),
        done=sum(each.done for each in counts),
        recorded=recorded,
        games_per_second=round(recorded / elapsed, 1) if elapsed > 0 else None,
        seconds_left=seconds_left([*begun, fresh], spent, elapsed),
    )


def rows(
    session: Session, viewer: User | None, sweep: Sweep, offset: int = 0, limit: int | None = None
) -> Iterator[dict[str, Any]]:
    """Its table, as `viewer` may see it, or a part of it."""
    plan = SweepPlan.model_validate(sweep.plan)
    (far,) = progress(session, [sweep])
    secret = None if permissions.sees_seeds(viewer, sweep, far.state) else plan.secret
    experiments = store.cells(session, sweep, offset=offset, limit=limit)
    for experiment, cell in zip(experiments, islice(plan.cells(), offset, None), strict=False):
        yield row_of(
            cell,
            lifecycle.spec_of(experiment),
            lifecycle.tally_of(experiment),
            confidence=experiment.confidence,
            interval=experiment.interval,
            state=experiment.state,
            stopped=experiment.stopped,
            experiment=experiment.id,
            secret=secret,
        )


def _existing(session: Session, actor: User, plan: SweepPlan) -> Sweep | None:
    there = store.sweep_named(session, plan.name)
    if there is None:
        return None
    if not permissions.opens_order(actor, there):
        raise ConflictError(
            "there is a sweep %(name)r of somebody else's already; choose another name", name=plan.name
        )
    if there.digest != plan.digest:
        raise ConflictError(
            "there is a sweep %(name)r with other contents already; choose another name, or ask for the same "
            "as before",
            name=plan.name,
        )
    return there


def _go_on(session: Session, actor: User, sweep: Sweep, quota: quotas.Quota) -> None:
    broken = store.cells(session, sweep, ExperimentState.CANCELLED, ExperimentState.FAILED)
    if broken:
        chosen = cells_of(SweepPlan.model_validate(sweep.plan))
        left = [
            chosen[each.cell or 0].plan.model_copy(update={"games": each.games - each.done})
            for each in broken
        ]
        accounted = actor if permissions.is_admin(actor) else sweep.owner or actor
        quotas.require(session, accounted, left, quota)
    for experiment in broken:
        lifecycle.go_on(store.lock(session, experiment.id))
        digest = lifecycle.spec_of(experiment).digest
        events.log(session, ExperimentCreated(experiment.id, digest), actor=actor)
    session.flush()
    if broken:
        lifecycle.start_waiting(session, sweep.id)


def _require_few_openings(plans: Sequence[ExperimentPlan]) -> None:
    drawn = {lifecycle.drawing_for(plan) for plan in plans if plan.openings}
    if len(drawn) > MAX_DRAWN:
        raise InvalidError(
            "openings would have to be drawn for %(drawn)s different games, seeds or numbers of openings; "
            "one sweep has at most %(most)s: make several of it",
            drawn=len(drawn),
            most=MAX_DRAWN,
        )
