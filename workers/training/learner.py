"""Playing games, fitting a stage, or comparing players of a training, in a process that can be killed."""

from __future__ import annotations

import os
import signal
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import connection as connections
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from pydantic import ValidationError

from engines import USUAL_GAME
from engines.games import find_game, find_row
from engines.plugin import load
from engines.strategies import StrategyError
from engines.strategies.reversi_training import Round, Training
from workers.core.contract import GameSpec
from workers.core.errors import ArchiveMissingError, SpecError
from workers.core.halt import Halt
from workers.programs.archive_cache import Archives
from workers.sandbox.kernel import die_with
from workers.training.contract import TrainingAnswer, TrainingSpec
from workers.training.plan import Part, Plan, differing

IDLE_SECONDS = 60.0
"""So long a process waits for more of the same training; it holds all games of a round perhaps."""
KEPT = 2
"""So much of what was given is kept: the weights of both players, or the games of a round."""


class _Work(NamedTuple):
    """What a process is to do, with what of it is new there, on these processors."""

    spec: TrainingSpec
    new: dict[str, bytes]
    cores: frozenset[int]


class Learner:
    """Does the work in a process of its own, begun when there is some, that keeps what it was given."""

    def __init__(
        self, archives: Callable[[], Archives], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._archives, self._monotonic = archives, monotonic
        self._process: _Process | None = None
        self._used_at = 0.0

    def learn(self, spec: TrainingSpec, halt: Halt) -> TrainingAnswer:
        """Do what is asked.

        Raises:
            HaltError: it was broken off.
            ArchiveMissingError: what it takes is not there.
            SpecError: nothing is learned about the game, or not so, or the process has died.
        """
        require_engine(spec)
        if self._process is None:
            self._process = _Process()
        try:
            answer = self._process.do(spec, self._archives(), halt)
        except BaseException:
            self.close()  # whatever it is at
            raise
        self._used_at = self._monotonic()
        return answer

    def tidy(self) -> None:
        """End a process that has had nothing to do for long."""
        if self._monotonic() - self._used_at > IDLE_SECONDS:
            self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
            self._process = None


class _Process:
    """A process that works for this one, and is killed in the midst of it where that is wanted."""

    def __init__(self) -> None:
        spawning = get_context("spawn")
        self._connection, theirs = spawning.Pipe()
        self._process = spawning.Process(target=_work, args=(theirs, os.getpid()), daemon=True)
        self._process.start()
        theirs.close()
        self._has: list[str] = []

    def do(self, spec: TrainingSpec, archives: Archives, halt: Halt) -> TrainingAnswer:
        """Have it done."""
        try:
            new = {sha: archives.get(sha) for sha in spec.given if sha not in self._has}
        except ArchiveMissingError as error:
            why = str(error).partition("; put it back")[0]
            raise ArchiveMissingError(f"what it takes cannot be had ({why}); it is put there anew") from error
        self._has = _newest([*self._has, *new], spec)
        try:
            self._connection.send(_Work(spec, new, frozenset(os.sched_getaffinity(0))))
            connections.wait([self._connection, halt.fileno()])
            halt.check()
            answer: TrainingAnswer | str = self._connection.recv()
        except (EOFError, OSError):
            raise SpecError("the process that learns has died, for want of memory perhaps") from None
        if isinstance(answer, str):
            raise SpecError(answer)
        return answer

    def close(self) -> None:
        """Kill it."""
        self._connection.close()
        self._process.kill()
        self._process.join()


def _newest(held: list[str], spec: TrainingSpec) -> list[str]:
    """What is kept of what a process holds: all that the present work takes, and the newest besides."""
    others = [sha for sha in held if sha not in spec.given]
    room = KEPT - len(spec.given)
    return [*(others[-room:] if room > 0 else []), *spec.given]


def _work(theirs: Connection, parent: int) -> None:
    """In the process: do what comes, until nothing more can come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(parent)
    held = dict[str, bytes]()
    with suppress(EOFError, BrokenPipeError):
        while True:
            work: _Work = theirs.recv()
            os.sched_setaffinity(0, work.cores)
            held |= work.new
            held = {sha: held[sha] for sha in _newest([*held], work.spec)}
            try:
                theirs.send(answer_to(work.spec, [held[sha] for sha in work.spec.given]))
            except MemoryError:
                theirs.send("there is not so much memory on this host")
            except ValueError as error:
                theirs.send(str(error))


def answer_to(spec: TrainingSpec, given: list[bytes]) -> TrainingAnswer:
    """What is asked, with what it takes.

    Raises:
        ValueError: what is given is not of this game.
        MemoryError: there is too little for a fit.
    """
    training, by = training_of(spec.game), Round(**spec.by.model_dump())
    began = time.thread_time_ns()
    if spec.part is Part.GAMES:
        weights = given[0] if given else None
        games = training.play(weights, seed=spec.seed, first=spec.first, games=spec.size, by=by)
        return TrainingAnswer(payload=_text(games), elapsed_ns=time.thread_time_ns() - began)
    if spec.part is Part.STAGE:
        kept, *errors = training.fit(given[0], spec.first, by)
        elapsed = time.thread_time_ns() - began
        return TrainingAnswer(payload=_text(kept), errors=tuple(errors), elapsed_ns=elapsed)
    one, other = given[0], given[1] if len(given) > 1 else None
    points = training.match(one, other, seed=spec.seed, first=spec.first, openings=spec.size, by=by)
    return TrainingAnswer(points=points, elapsed_ns=time.thread_time_ns() - began)


def _text(payload: bytes) -> str:
    return b64encode(payload).decode()


def training_of(spec: GameSpec) -> Training:
    """How one learns to play a game.

    Raises:
        SpecError: nothing is learned about it, or not here.
        GameError: there is none with such parameters.
    """
    trainer = find_row(spec.name).trainer
    if trainer is None:
        raise SpecError(f"nothing is learned about {spec.name}")
    try:
        training: Training = load(trainer)(find_game(spec.name, spec.params))
    except StrategyError as error:
        raise SpecError(str(error)) from None
    return training


def plan_told(told: Mapping[str, Any]) -> Plan:
    """The plan that was told by `Plan.told`.

    Raises:
        SpecError: it is none that can be carried out here.
        GameError: there is no game with such parameters.
    """
    try:
        learns = training_of(GameSpec(name=told["game"], params=told["params"], version=told["rules"]))
        plan = Plan(learns, told["seed"], tuple(Round(**each) for each in told["rounds"]))
    except (KeyError, TypeError, ValidationError) as error:
        raise SpecError(f"this is no plan of a training: {error}") from None
    if differs := differing(plan.told(), told):
        raise SpecError(f"another version of the arena learns otherwise ({', '.join(differs)})")
    return plan


def require_engine(spec: TrainingSpec) -> None:
    """Go on only where the same is learned as elsewhere.

    Raises:
        SpecError: what plays and fits here is of another version.
    """
    here = training_of(spec.game).version
    if here != spec.engine:
        raise SpecError(f"version {spec.engine} of what learns is asked for; this host has {here}")


def can_learn() -> bool:
    """Whether what learns is compiled in this installation."""
    try:
        training_of(GameSpec(name=USUAL_GAME))
    except SpecError:
        return False
    return True
