"""A player learned from self-play by processes on this machine, which can be stopped and gone on with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.core.words import say
from arena.local.errors import InputError, LocalError
from arena.local.training_file import TrainingFile, training_file
from arena.local.training_trial import (
    TRIAL_SECONDS,
    Forecast,
    Trial,
    Tried,
    forecast,
    kinds_left,
    play_trial,
    some_weights,
)
from engines.strategies.reversi_training import StageFit
from workers.play.pool import breakable, killable, processes
from workers.training.plan import (
    Chunk,
    Learned,
    Plan,
    Progress,
    first_game,
    first_opening,
    games_of,
    openings_after,
)

POLL_SECONDS: Final = 0.2
"""How soon it is noticed that somebody wants it to stop."""
AHEAD: Final = 2
"""Jobs given to the pool for each of its members, so that none waits for work."""
MAX_BREAKS: Final = 3
"""So many times in a row the processes may die before any of them has answered."""

Showing = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
"""Shows a piece of work: given its name, a block of what is called with (done, total)."""


class Watch(NamedTuple):
    """Who is told how far it is.

    `showing` shows each piece of work; `begun` is called with what is known and how long the games which are
    left will take; `learned` with a round that is whole, its number, and how many there
    are.
    """

    showing: Showing
    begun: Callable[[Progress, Forecast], None]
    learned: Callable[[Learned, int, int], None]


class _Work(NamedTuple):
    """Jobs that can be done at once, `total` in all, of which `missing` tells those that are left.

    What has no name is not shown. `how` does one in a process of the pool, which got `given` at its
    beginning; `add` takes its answer in.
    """

    name: str
    total: int
    missing: Callable[[], Sequence[Chunk]]
    how: Callable[[Plan, Any, Chunk], Any]
    given: Any
    add: Callable[[Chunk, Any], None]


class Trainer:
    """One run of a plan by `jobs` processes."""

    def __init__(self, plan: Plan, *, jobs: int, watch: Watch) -> None:
        self._plan, self._jobs, self._watch = plan, jobs, watch
        self._breaks = 0

    def run(self, path: Path, stopped: threading.Event) -> Progress:
        """Learn until all is done, or `stopped` is set.

        What the file at `path` has is not done again, and what is done is added to it.

        Raises:
            InputError: the file cannot be gone on from.
            LocalError: another process is at it, those that learn die again and again, or memory or
                room on the disk is short.
        """
        with training_file(path, self._plan) as file:
            if not file.progress.done and (cost := self._cost(file.progress, stopped)):
                self._watch.begun(file.progress, cost)
            for number in range(len(self._plan.rounds)):
                for work in (self._plays, self._fits, self._matches):
                    self._do(work(file, number), stopped)
                    if stopped.is_set():
                        return file.progress
                self._watch.learned(file.progress.learned()[number], number + 1, len(self._plan.rounds))
            return file.progress

    def _cost(self, progress: Progress, stopped: threading.Event) -> Forecast | None:
        """How long the games that are left will take; None where it is stopped before that is known.

        Raises:
            InputError: such games cannot be played.
        """
        left, tried = kinds_left(progress), dict[Chunk, Tried]()
        given = Trial(some_weights(self._plan), TRIAL_SECONDS / len(left))
        try:
            for job in left:  # each in a process of its own, with which a game that is not over ends
                work = _Work("", 1, partial(_untried, job, tried), play_trial, given, tried.__setitem__)
                self._do(work, stopped)
        except ValueError as error:
            raise InputError(str(error)) from None
        return None if stopped.is_set() else forecast(left, tried)

    def _plays(self, file: TrainingFile, number: int) -> _Work:
        """The games of a round."""
        name = say("round {round} of {rounds}, games", **self._which(number))
        total = sum(1 for _ in games_of(self._plan, number))
        weights = file.progress.weights(number)
        return _Work(name, total, lambda: file.progress.games_left(number), _play, weights, file.add_games)

    def _fits(self, file: TrainingFile, number: int) -> _Work:
        """The fit to them, stage by stage of the game."""
        progress = file.progress
        name = say("round {round} of {rounds}, fit", **self._which(number))
        total = self._plan.training.stages
        games = progress.to_fit(number)
        return _Work(name, total, lambda: progress.stages_left(number), _fit, games, file.add_stage)

    def _matches(self, file: TrainingFile, number: int) -> _Work:
        """The comparison with the player of the round before."""
        name = say("round {round} of {rounds}, match", **self._which(number))
        both = file.progress.fits[number].weights, file.progress.weights(number)
        total = sum(1 for _ in openings_after(number))
        return _Work(name, total, lambda: file.progress.openings_left(number), _match, both, file.add_points)

    def _which(self, number: int) -> dict[str, int]:
        return {"round": number + 1, "rounds": len(self._plan.rounds)}

    def _do(self, work: _Work, stopped: threading.Event) -> None:
        """Have jobs done until none is missing, also where processes die."""
        while (missing := work.missing()) and not stopped.is_set():
            try:
                with self._watch.showing(work.name) if work.name else nullcontext(_unseen) as show:
                    self._pool(work, missing, stopped, show)
            except BrokenProcessPool:
                self._breaks += 1
                if self._breaks >= MAX_BREAKS:
                    raise LocalError(
                        say("the processes that learn die again and again; give them fewer --jobs")
                    ) from None
            except MemoryError:
                raise LocalError(
                    say("there is not so much memory; give it fewer --jobs, or fewer games by --rounds")
                ) from None

    def _pool(
        self,
        work: _Work,
        missing: Sequence[Chunk],
        stopped: threading.Event,
        show: Callable[[int, int], None],
    ) -> None:
        """Have these jobs done, until all are, or a process dies; in the end nobody is at one."""
        waiting, done = iter(missing), work.total - len(missing)
        running: dict[Future[Any], Chunk] = {}
        members = min(self._jobs, len(missing))
        with processes(members, _share, self._plan, work.how, work.given) as pool:
            while not stopped.is_set():
                for job in islice(waiting, AHEAD * members - len(running)):
                    running[pool.submit(_answer, job)] = job
                if not running:
                    break
                for future in wait(running, POLL_SECONDS, FIRST_COMPLETED).done:
                    work.add(running.pop(future), future.result())
                    self._breaks = 0
                    done += 1
                    show(done, work.total)


def _untried(job: Chunk, tried: Container[Chunk]) -> list[Chunk]:
    return [] if job in tried else [job]


def _unseen(_done: int, _total: int) -> None:
    """Show nothing."""


_shared: list[Any] = []


def _share(*given: Any) -> None:
    """Begin a process of the pool: with the plan, what it does, and what that takes."""
    _shared[:] = given


def _answer(job: Chunk) -> Any:
    """In a process of the pool: what a job comes to."""
    plan, how, given = _shared
    with breakable(), killable():
        return how(plan, given, job)


def _play(plan: Plan, weights: bytes | None, job: Chunk) -> bytes:
    first, by = first_game(plan, job), plan.rounds[job.round]
    return plan.training.play(weights, seed=plan.seed, first=first, games=job.size, by=by)


def _fit(plan: Plan, games: bytes, job: Chunk) -> StageFit:
    return plan.training.fit(games, job.first, plan.rounds[job.round])


def _match(plan: Plan, both: tuple[bytes, bytes | None], job: Chunk) -> int:
    first, by = first_opening(plan, job), plan.rounds[job.round]
    return plan.training.match(*both, seed=plan.seed, first=first, openings=job.size, by=by)
