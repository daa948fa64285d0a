"""Running a simulation on this machine, with its journal and the file of its games."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from arena.cli.failures import CliError, UsageError
from arena.cli.output import note
from arena.cli.simulation_games import GameFile
from arena.cli.simulation_progress import showing
from arena.cli.simulation_report import Finished
from arena.cli.simulation_request import Request
from workers.simulation.contract import SimulationSpec, Tally
from workers.simulation.journal import BusyError, Journal
from workers.simulation.runner import BrokenOffError, simulate


def run(request: Request, *, jobs: int | None, folder: Path | None, fresh: bool) -> Finished:
    """Play what is asked for; where it was broken off before, go on from there.

    Raises:
        UsageError, GameError: what is asked for is impossible.
        CliError: another process is at the same simulation, or writes the same file.
    """
    spec = request.spec()
    with contextlib.ExitStack() as held:
        journal = held.enter_context(_journal(spec, request.rule(), folder))
        file = held.enter_context(GameFile(request.record)) if request.record else None
        begun = _begin(spec, journal, file, fresh=fresh)
        return _play(request, spec, journal=journal, file=file, jobs=jobs, begun=begun)


def _play(
    request: Request,
    spec: SimulationSpec,
    *,
    journal: Journal | None,
    file: GameFile | None,
    jobs: int | None,
    begun: int,
) -> Finished:
    started = time.monotonic()
    counted, done, stopped, trouble = Tally(), begun, False, ""
    with showing(spec.games, begun) as show:

        def watch(tally: Tally, played: int) -> None:
            nonlocal counted, done
            counted, done = tally, played
            if file:
                file.flush()
            show(played)

        try:
            counted, stopped = simulate(
                spec,
                jobs=jobs,
                chunk=request.chunk,
                stop=request.stop(spec),
                every=request.every,
                journal=journal,
                watch=watch,
                on_game=file.write if file else None,
            )
        except KeyboardInterrupt:
            trouble = "interrupted"
        except BrokenOffError as error:
            trouble = str(error)
    if file and not trouble:
        file.finish()
    seconds = time.monotonic() - started
    return Finished(
        spec=spec,
        tally=counted,
        confidence=request.confidence,
        interval=request.interval,
        seconds=seconds,
        played_now=max(0, done - begun),
        stopped=stopped,
        trouble=trouble,
        sprt=request.sprt,
    )


def _begin(spec: SimulationSpec, journal: Journal | None, file: GameFile | None, *, fresh: bool) -> int:
    """How many games were played before; the journal and the file are made to agree."""
    if journal is None or fresh:
        begun = 0
    else:
        prefix = journal.load()
        begun = prefix.games + sum(block.count for block in prefix.waiting.values())
    if journal and journal.trouble:
        note(f"{journal.trouble}; beginning anew")
    if file and not file.keep(begun):
        note(f"{file.part} does not hold the {begun} games played before; beginning anew")
        begun = 0
        file.keep(0)
    if journal and begun == 0:
        journal.forget()
    if begun:
        note(
            f"going on after {begun:,} of {spec.games:,} games that were played before (--fresh begins anew)"
        )
    return begun


@contextlib.contextmanager
def _journal(spec: SimulationSpec, rule: str, folder: Path | None) -> Iterator[Journal | None]:
    """The simulation's journal; none, with a note, where the usual folder cannot be written."""
    try:
        journal = Journal(folder or _usual_folder(), spec, rule)
    except BusyError as error:
        raise CliError(str(error)) from None
    except (OSError, RuntimeError) as error:
        if folder:
            raise UsageError(f"no journal can be kept in {folder}: {error}") from None
        note(f"no journal can be kept, so that a run that is broken off cannot go on: {error}")
        yield None
        return
    with journal:
        yield journal


def _usual_folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "bot-arena" / "simulations"
