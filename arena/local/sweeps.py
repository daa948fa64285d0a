"""Playing a sweep on this machine: one simulation after the other, each on all cores.

What the finished ones came to stands in a file, so that the same sweep goes on where it was broken off; the
one in play goes on by its own journal.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from arena.core.terms import ExperimentState
from arena.core.words import say, say_many
from arena.experiments.forecast import Pace, Spent, seconds_left
from arena.experiments.grid import Cell, SweepPlan, described
from arena.experiments.sweep_table import row_of
from arena.local import simulation
from arena.local.errors import InputError, LocalError
from arena.theory.statistics.stopping import decided_by, rule_name, stop_at
from workers.core.contract import Frozen
from workers.simulation.contract import CHECK_EVERY, SimulationSpec, Tally


class _Finished(Frozen):
    """What a simulation came to, as a line of the file: the last `played_now` games in `seconds`.

    It is known again by its digest and the `rule` by which it was to end.
    """

    digest: str
    rule: str
    tally: Tally
    seconds: float
    played_now: int
    stopped: bool


class CellRun(NamedTuple):
    """A cell that was played: its row of the table, and what broke it off, if anything did."""

    row: dict[str, Any]
    trouble: str


class Way(NamedTuple):
    """How each simulation is played, as `arena.local.simulation.run` says; `note` is told of each."""

    jobs: int | None
    folder: Path | None
    fresh: bool
    note: Callable[[str], None]


def run(
    plan: SweepPlan, cells: Sequence[Cell], spec_of: Callable[[Cell], SimulationSpec], way: Way
) -> Iterator[CellRun]:
    """Play every cell that is not finished, in their order, and tell of each; one in trouble is the last.

    Raises:
        InputError, GameError: a cell cannot be played.
        LocalError: another process is at the same, or the file cannot be written.
    """
    path = (way.folder or simulation.usual_folder()) / f"sweep-{plan.digest[:32]}.jsonl"
    if way.fresh:
        path.unlink(missing_ok=True)
    known = _read(path)
    if known:
        way.note(
            say(
                "going on after {count} of {simulations} that were played before",
                count=len(known),
                simulations=say_many("{number} simulation", "{number} simulations", len(cells)),
            )
        )
    paces = [Pace(cell.plan.games, 0, 0) for cell in cells]
    for number, cell in enumerate(cells):
        spec = spec_of(cell)
        there = known.get((spec.digest, _rule(cell)))
        one, trouble = (there, "") if there else _play(cell, spec, way)
        if not there and not trouble:
            _append(path, one)
        paces[number] = Pace(0, one.played_now, round(one.seconds * 1e9))
        yield CellRun(_row(cell, spec, one, trouble), trouble)
        if trouble:
            return
        if not there:
            spent = Spent.of(paces)
            left = seconds_left(paces, spent, spent.ns / 1e9)
            told = "" if left is None else say("; {left:,.0f} s left", left=left)
            way.note(
                say(
                    "{what} of {count}: {values}: {games}{told}",
                    what=number + 1,
                    count=len(cells),
                    values=described(cell.values),
                    games=say_many("{number:,} game", "{number:,} games", one.tally.games),
                    told=told,
                )
            )


def _row(cell: Cell, spec: SimulationSpec, one: _Finished, trouble: str) -> dict[str, Any]:
    return row_of(
        cell,
        spec,
        one.tally,
        confidence=cell.plan.confidence,
        interval=cell.plan.interval,
        state=ExperimentState.CANCELLED if trouble else ExperimentState.FINISHED,
        stopped=one.stopped,
    )


def _play(cell: Cell, spec: SimulationSpec, way: Way) -> tuple[_Finished, str]:
    """What it came to, and what broke it off."""
    plan, stop, every = cell.plan, None, CHECK_EVERY
    if plan.sprt is not None:
        stop, every = decided_by(spec, plan.sprt), plan.sprt.every
    elif plan.stop_when_ci is not None:
        stop = stop_at(spec, plan.stop_when_ci, plan.confidence, plan.interval)
    wanted = simulation.Plan(spec=spec, rule=_rule(cell), stop=stop, every=every, chunk=plan.chunk)
    watch = simulation.Watch(way.note, _quiet)
    ran = simulation.run(wanted, jobs=way.jobs, folder=way.folder, fresh=way.fresh, watch=watch)
    one = _Finished(
        digest=spec.digest,
        rule=_rule(cell),
        tally=ran.tally,
        seconds=ran.seconds,
        played_now=ran.played_now,
        stopped=ran.stopped,
    )
    return one, ran.trouble


def _rule(cell: Cell) -> str:
    """By what a simulation ends."""
    plan = cell.plan
    return rule_name(plan.stop_when_ci, plan.confidence, plan.interval, plan.sprt)


@contextlib.contextmanager
def _quiet(total: int, begun: int) -> Iterator[Callable[[int], None]]:
    """The sweep tells of whole simulations."""
    del total, begun
    yield lambda _: None


def _read(path: Path) -> dict[tuple[str, str], _Finished]:
    """What is finished; a last line that was cut off is played again."""
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(
            say("{path} cannot be read: {strerror}", path=path, strerror=error.strerror)
        ) from None
    whole = [line for line in lines if line.endswith(b"\n")]
    try:
        found = [_Finished.model_validate_json(line) for line in whole]
    except ValidationError:
        raise LocalError(
            say("{path} is damaged or of another version; --fresh begins anew", path=path)
        ) from None
    if len(whole) < len(lines):
        os.truncate(path, sum(map(len, whole)))
    return {(one.digest, one.rule): one for one in found}


def _append(path: Path, one: _Finished) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.write(one.model_dump_json() + "\n")
    except OSError as error:
        raise LocalError(
            say("{path} cannot be written: {strerror}", path=path, strerror=error.strerror)
        ) from None
