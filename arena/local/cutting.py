"""A position solved by processes on this machine, which can be stopped and gone on with."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from arena.core.words import say
from arena.local.bounds_file import BoundsFile, bounds_file
from arena.local.errors import LocalError
from engines.solvers.reversi_work import Answer, Cut, Job, Work
from workers.play.pool import breakable, processes

POLL_SECONDS: Final = 0.2
"""How soon it is noticed that somebody wants it to stop."""
MAX_BREAKS: Final = 3
"""So many times in a row the processes may die before any of them has answered."""


class Cutting:
    """One run by `jobs` processes, each with a table of `memory` bytes.

    Without a `frontier` it is the checkpoint's, or the usual one.
    `leaves` and `nodes` are the frontier positions that they have solved, and the positions searched for it.
    """

    def __init__(self, work: Work, *, jobs: int, memory: int, frontier: int | None = None) -> None:
        self.leaves = self.nodes = 0
        self._work, self._jobs, self._memory, self._frontier = work, jobs, memory, frontier
        self._breaks = 0

    def run(self, checkpoint: Path | None, stopped: threading.Event, tell: Callable[[Cut, int], None]) -> Cut:
        """Solve until all is known, or `stopped` is set.

        `tell` is called with it and the leaves solved, the first time before any is.
        What the file `checkpoint` knows is not solved again, and each answer is added to it.

        Raises:
            InputError: the checkpoint cannot be gone on from.
            LocalError: another process is at it, those that solve die again and again, or memory or
                room on the disk is short.
        """
        work = self._work
        with ExitStack() as held:
            file = held.enter_context(bounds_file(checkpoint, work)) if checkpoint else None
            frontier, known = (file.kept.frontier, file.kept.known) if file else (work.frontier, {})
            cut = work.begin(self._frontier or frontier, known)
            tell(cut, self.leaves)
            while not cut.done and not stopped.is_set():
                try:
                    self._solve(cut, file, stopped, tell)
                except BrokenProcessPool:
                    self._broken(cut)
                except MemoryError:
                    raise LocalError(say("there is not so much memory; name less by --memory")) from None
            return cut

    def _solve(
        self,
        cut: Cut,
        file: BoundsFile | None,
        stopped: threading.Event,
        tell: Callable[[Cut, int], None],
    ) -> None:
        """Have jobs done until all is known, or a process dies; in the end nobody is at one."""
        stops = multiprocessing.get_context("spawn").RawArray("B", self._jobs)
        idle = list(range(self._jobs))
        running: dict[Future[Answer], tuple[Job, int]] = {}
        with processes(self._jobs, _share, self._work, stops) as pool:
            while not stopped.is_set():
                for job in cut.jobs(len(idle)):
                    place = idle.pop()
                    stops[place] = 0
                    running[pool.submit(_answer, self._memory, job, place)] = job, place
                if cut.done:
                    break
                for future in wait(running, POLL_SECONDS, FIRST_COMPLETED).done:
                    job, place = running.pop(future)
                    idle.append(place)
                    self._learn(cut, job, future.result(), file)
                useless = set(cut.useless())
                for job, place in running.values():
                    stops[place] = job in useless
                tell(cut, self.leaves)
            stops[:] = [1] * self._jobs

    def _learn(self, cut: Cut, job: Job, answer: Answer, file: BoundsFile | None) -> None:
        """Take in what a process has found, which may be little if it was told to stop."""
        if file:
            file.add(job, answer.bounds)
        cut.answer(job, answer.bounds)
        self.leaves += answer.done
        self.nodes += answer.nodes
        self._breaks = 0

    def _broken(self, cut: Cut) -> None:
        """Some process has died, and what all of them were at is lost."""
        self._breaks += 1
        if self._breaks >= MAX_BREAKS:
            raise LocalError(
                say("the processes that solve die again and again; give them less --memory, or fewer --jobs")
            )
        for job in tuple(cut.running):
            cut.lost(job)


_shared: list[tuple[Work, memoryview]] = []


def _share(work: Work, stops: Any) -> None:
    """Begin a process of the pool: with `stops`, a byte for each piece of work, by which it is stopped."""
    _shared[:] = [(work, memoryview(stops).cast("B"))]


def _answer(memory: int, job: Job, place: int) -> Answer:
    """In a process of the pool: what a job asks for."""
    ((work, stops),) = _shared
    with breakable():
        return work.answer(memory, job, stops[place : place + 1])
