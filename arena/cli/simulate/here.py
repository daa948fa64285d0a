"""Running a simulation on this machine."""

from __future__ import annotations

from pathlib import Path

from arena.cli.shared.output import note
from arena.cli.shared.progress import showing
from arena.cli.simulate.report import Finished
from arena.cli.simulate.request import Request
from arena.local import simulation
from workers.simulation.contract import RowOf


def run(request: Request, *, jobs: int | None, folder: Path | None, fresh: bool) -> Finished:
    """Play what is asked for; where it was broken off before, go on from there.

    Raises:
        UsageError, GameError, LocalError: what is asked for is impossible, or cannot be done now.
    """
    spec = request.spec()
    plan = simulation.Plan(
        spec=spec,
        rule=request.rule(),
        stop=request.stop(spec),
        every=request.every,
        chunk=request.chunk,
        record=request.record,
        rows=RowOf(request.record_by),
        force=request.force,
    )
    watch = simulation.Watch(note, showing)
    ran = simulation.run(plan, jobs=jobs, folder=folder, fresh=fresh, watch=watch)
    return Finished(
        spec=spec,
        confidence=request.confidence,
        interval=request.interval,
        sprt=request.sprt,
        tally=ran.tally,
        seconds=ran.seconds,
        played_now=ran.played_now,
        stopped=ran.stopped,
        trouble=ran.trouble,
    )
