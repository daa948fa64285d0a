"""Sweeps, and how far they are."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from arena.access import permissions
from arena.experiments import sweeps
from arena.experiments.grid import SweepPlan
from arena.experiments.sweeps import Progress
from arena.schemas.sweeps import SweepOut
from arena.store.models import Sweep, User


def sweeps_of(session: Session, viewer: User | None, rows: Sequence[Sweep]) -> list[SweepOut]:
    """Sweeps, and how far they are."""
    return [_sweep_of(viewer, *each) for each in zip(rows, sweeps.progress(session, rows), strict=True)]


def sweep_of(session: Session, viewer: User | None, sweep: Sweep) -> SweepOut:
    """The sweep and how far it is."""
    (told,) = sweeps_of(session, viewer, [sweep])
    return told


def _sweep_of(viewer: User | None, sweep: Sweep, progress: Progress) -> SweepOut:
    is_open = permissions.sees_seeds(viewer, sweep, progress.state)
    secret = SweepPlan.model_validate(sweep.plan).secret if not is_open else ()
    return SweepOut(
        name=sweep.name,
        about=sweep.plan["about"],
        owner=sweep.owner.name if sweep.owner else None,
        state=progress.state,
        digest=sweep.digest if is_open else None,
        vary={name: [] if name in secret else values for name, values in sweep.plan["vary"].items()},
        cells=sum(progress.states.values()),
        states=progress.states,
        games=progress.games,
        done=progress.done,
        recorded=progress.recorded,
        games_per_second=progress.games_per_second,
        seconds_left=progress.seconds_left,
        created_at=sweep.created_at,
    )
