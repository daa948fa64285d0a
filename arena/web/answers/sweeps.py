"""Sweeps, and how far they are."""

from __future__ import annotations

from sqlalchemy.orm import Session

from arena.experiments import sweeps
from arena.schemas.sweeps import SweepOut
from arena.store.models import Sweep


def sweep_of(session: Session, sweep: Sweep) -> SweepOut:
    """The sweep and how far it is."""
    progress = sweeps.progress(session, sweep)
    return SweepOut(
        name=sweep.name,
        about=sweep.plan["about"],
        owner=sweep.owner.name if sweep.owner else None,
        state=progress.state,
        digest=sweep.digest,
        vary=sweep.plan["vary"],
        cells=sum(progress.states.values()),
        states=progress.states,
        games=progress.games,
        done=progress.done,
        recorded=progress.recorded,
        games_per_second=progress.games_per_second,
        seconds_left=progress.seconds_left,
        created_at=sweep.created_at,
    )
