"""Threads or processes that play, and how they are ended."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final

END_SECONDS: Final = 5.0
"""How long a process may take to end its bots before it is killed."""


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


class _Processes(ProcessPoolExecutor):
    """Starts its processes deaf to Ctrl-C and SIGTERM; each listens once it knows what to do about them."""

    def submit(self, *arguments: Any, **options: Any) -> Future[Any]:
        """Have something done, in a new process if all are busy."""
        if not MASKS:
            return super().submit(*arguments, **options)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            return super().submit(*arguments, **options)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def processes(members: int, begin: Callable[..., None] | None = None, *given: Any) -> Iterator[Executor]:
    """A pool of processes; at the end of the block they are ended, whatever they play is broken off.

    Each begins with `begin`, called with what is `given`, which may be shared memory.

    Those that play nothing end by themselves. To end one while it hands over what it played would leave half
    a result, for the rest of which the pool waits for ever.
    """
    others = set(multiprocessing.active_children())
    executor = _Processes(
        members,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin_in_pool,
        initargs=(begin, *given),
    )
    try:
        yield executor
    finally:
        members_left = set(multiprocessing.active_children()) - others
        executor.shutdown(wait=False, cancel_futures=True)
        for process in members_left:
            process.terminate()
        until = time.monotonic() + END_SECONDS
        for process in members_left:
            process.join(max(0.0, until - time.monotonic()))
            process.kill()
            process.join()


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
