"""Threads or processes that play, and how they are ended."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any, Final, NamedTuple

END_SECONDS: Final = 5.0
"""How long a process may take to end its bots before it is killed."""
DIED: Final = "a process of the pool has died"


def cpu_count() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def threads(members: int) -> Iterator[Executor]:
    """A pool of threads; at the end of the block what is being played is waited for, the rest given up."""
    executor = ThreadPoolExecutor(members)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


SIGNALS: Final = {signal.SIGINT, signal.SIGTERM}
MASKS: Final = hasattr(signal, "pthread_sigmask")
"""Whether signals can be held back, which Windows cannot."""


class _Job(NamedTuple):
    """What is to be called with what, and where its outcome is awaited."""

    call: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
    future: Future[Any]


class _Processes(Executor):
    """Processes of which any may be killed at any moment.

    Each has a connection of its own, whose other end nobody else holds, and a thread here that waits at it.
    So the death of one is seen at once, also while it hands over what it did. Those of the standard library
    hand it over by one pipe, in which the rest of half a message is waited for as long as any of them lives.
    """

    def __init__(self, members: int, begin: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
        self._most, self._begin, self._given = members, begin, given
        self._members: list[tuple[BaseProcess, threading.Thread]] = []
        self._changed = threading.Condition()
        self._waiting: deque[_Job] = deque()
        self._unfinished = 0
        self._closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have something done, in a new process if all are busy and there may be one more.

        Raises:
            BrokenProcessPool: a process has died.
            OSError: no process can be started.
        """
        job = _Job((fn, args, kwargs), Future())
        with self._changed:
            if self._closed:
                raise BrokenProcessPool(DIED)
            if len(self._members) < min(self._most, self._unfinished + 1):
                self._start()
            self._waiting.append(job)
            self._unfinished += 1
            self._changed.notify()
        return job.future

    def end(self) -> None:
        """End all processes, whatever they are at; what nobody has begun is cancelled."""
        for job in self._close():
            job.future.cancel()
        for process, _ in self._members:
            process.terminate()
        until = time.monotonic() + END_SECONDS
        for process, thread in self._members:
            process.join(max(0.0, until - time.monotonic()))
            process.kill()
            process.join()
            thread.join()

    def _start(self) -> None:
        """Start a process deaf to Ctrl-C and SIGTERM; it listens once it knows what to do about them."""
        spawning = multiprocessing.get_context("spawn")
        ours, theirs = spawning.Pipe()
        process = spawning.Process(target=_work, args=(theirs, self._begin, self._given))
        thread = threading.Thread(target=self._attend, args=(ours,))
        with theirs, _held_back():
            try:
                process.start()
                thread.start()
            except BaseException:
                ours.close()
                raise
            self._members.append((process, thread))

    def _attend(self, connection: Connection) -> None:
        """Hand jobs to one process and take in what comes of them, until there are none, or it dies."""
        with connection:
            while self._had_done(connection):
                pass

    def _had_done(self, connection: Connection) -> bool:
        """Have the next job done; whether there was one, and the process still lives."""
        job = self._next()
        if job is None:
            return False
        try:
            packed = ForkingPickler.dumps(job.call)
        except Exception as error:  # noqa: BLE001  (whatever cannot be pickled says)
            done, answer = False, error
        else:
            try:
                connection.send_bytes(packed)
                told = connection.recv_bytes()
            except (EOFError, OSError):
                _fail(job, *self._close())
                return False
            done, answer = _unpacked(told)
        with self._changed:
            self._unfinished -= 1
        (job.future.set_result if done else job.future.set_exception)(answer)
        return True

    def _next(self) -> _Job | None:
        """The job whose turn it is, once there is one; None where no more will be done."""
        with self._changed:
            while True:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return None
                job = self._waiting.popleft()
                if job.future.set_running_or_notify_cancel():
                    return job
                self._unfinished -= 1

    def _close(self) -> Sequence[_Job]:
        """Take no more jobs; returns those that nobody has begun."""
        with self._changed:
            left, self._closed = tuple(self._waiting), True
            self._waiting.clear()
            self._changed.notify_all()
        return left


def _fail(begun: _Job, *others: _Job) -> None:
    """Let it be known that a process has died, to whoever waits for what it was at, or for others."""
    begun.future.set_exception(BrokenProcessPool(DIED))
    for job in others:
        if job.future.set_running_or_notify_cancel():
            job.future.set_exception(BrokenProcessPool(DIED))


def _work(connection: Connection, begin: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    """In a process of a pool: do what comes, until nothing more can come, or it is broken off."""
    _begin_in_pool(begin, *given)
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            packed = connection.recv_bytes()
            connection.send_bytes(_packed(*_outcome(packed)))


def _outcome(packed: bytes) -> tuple[bool, Any]:
    """Whether a call was done, and its answer, or the error, which says where it arose."""
    try:
        do, args, kwargs = ForkingPickler.loads(packed)
        return True, do(*args, **kwargs)
    except Exception as error:  # noqa: BLE001  (whatever it is, it is told to who wants it done)
        error.add_note(traceback.format_exc())
        return False, error


def _packed(done: bool, answer: Any) -> bytes:
    """An outcome for another process; an error that cannot be made again there is told by its text."""
    try:
        packed = ForkingPickler.dumps((done, answer))
        if not done:
            ForkingPickler.loads(packed)
    except Exception as error:  # noqa: BLE001  (whatever cannot be pickled says)
        told = error if done else RuntimeError("".join(traceback.format_exception(answer)))
        return bytes(ForkingPickler.dumps((False, told)))
    return bytes(packed)


def _unpacked(told: bytes) -> tuple[bool, Any]:
    """The outcome that another process has told of."""
    try:
        done, answer = ForkingPickler.loads(told)
    except Exception as error:  # noqa: BLE001  (whatever cannot be made again says)
        return False, error
    return done, answer


@contextmanager
def _held_back() -> Iterator[None]:
    """Within the block no Ctrl-C and no SIGTERM arrives in this thread, nor in processes that it starts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS) if MASKS else set()
    try:
        yield
    finally:
        if MASKS:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def processes(members: int, begin: Callable[..., None] | None = None, *given: Any) -> Iterator[Executor]:
    """A pool of processes; at the end of the block they are ended, whatever they play is broken off.

    Each begins with `begin`, called with what is `given`, which may be shared memory. Once one has died, what
    it was at and what nobody has begun raises `BrokenProcessPool`, and nothing more is taken.
    """
    pool = _Processes(members, begin, given)
    try:
        yield pool
    finally:
        pool.end()


class _Breaking:
    """A signal that breaks off the game in play, its bots killed, and every game that would follow.

    The same one may come twice, from the terminal and from a parent: what follows within `ONCE_SECONDS` is
    not raised, for it would hit the killing of the bots. A process of a pool then ends, as soon as it plays.
    """

    ONCE_SECONDS = 0.5
    in_pool = False
    playing = False
    came = False
    _last = 0.0

    @classmethod
    def arrived(cls, *_: object) -> None:
        now = time.monotonic()
        repeated, cls._last, cls.came = now - cls._last < cls.ONCE_SECONDS, now, True
        if cls.playing and not repeated:
            raise KeyboardInterrupt

    @staticmethod
    def not_raised(lost: Any) -> None:
        """One that hit a place where nothing can be raised counts all the same, for the next game."""
        if lost.exc_type is not KeyboardInterrupt:
            sys.__unraisablehook__(lost)


@contextmanager
def breakable() -> Iterator[None]:
    """Games are played within such a block, and only there are they broken off, by KeyboardInterrupt."""
    _Breaking.playing = True
    try:
        if _Breaking.came:
            raise KeyboardInterrupt
        yield
    finally:
        _Breaking.playing = False
        if _Breaking.in_pool and _Breaking.came:
            os._exit(1)


@contextmanager
def killable() -> Iterator[None]:
    """Within the block SIGTERM ends this process at once, for compiled code lets no handler be called.

    What is done there needs no cleaning up, and is handed over afterwards.
    """
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def breaking_here() -> Iterator[None]:
    """Within the block Ctrl-C and SIGTERM break off the games that this process itself plays, no more."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    hook, sys.unraisablehook, _Breaking.came = sys.unraisablehook, _Breaking.not_raised, False
    for number in before:
        signal.signal(number, _Breaking.arrived)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook, _Breaking.came = hook, False


def _begin_in_pool(begin: Callable[..., None] | None, *given: Any) -> None:
    """Leave Ctrl-C to the parent, take over SIGTERM, and end when the parent has ended."""
    _Breaking.in_pool = True
    sys.unraisablehook = _Breaking.not_raised
    signal.signal(signal.SIGINT, lambda *_: None)  # not SIG_IGN, which bots would inherit
    signal.signal(signal.SIGTERM, _Breaking.arrived)
    if MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin(*given)


def _end_with_parent() -> None:
    """Once the parent has ended, break off what is being played, and end."""
    parent, player = multiprocessing.parent_process(), threading.main_thread().ident
    if parent is not None and player is not None:
        parent.join()
        _Breaking.came = True
        if _Breaking.playing and MASKS:
            signal.pthread_kill(player, signal.SIGTERM)
            time.sleep(END_SECONDS)
        os._exit(1)


@contextmanager
def interrupts() -> Iterator[threading.Event]:
    """Within the block Ctrl-C and SIGTERM only set the event, for whoever looks when it suits.

    In a thread that is not the main one no signal arrives, and nothing changes.
    """
    came = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in before:
        signal.signal(number, lambda *_: came.set())
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
