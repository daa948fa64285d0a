"""Threads or processes that play, and how they are ended."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
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


class _Processes(ProcessPoolExecutor):
    """Starts its processes deaf to Ctrl-C and SIGTERM; each listens once it knows what to do about them."""

    def submit(self, *arguments: Any, **options: Any) -> Future[Any]:
        """Have something done, in a new process if all are busy."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            return super().submit(*arguments, **options)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def processes(members: int) -> Iterator[Executor]:
    """A pool of processes; at the end of the block they are ended, whatever they play is broken off."""
    others = set(multiprocessing.active_children())
    executor = _Processes(
        members, mp_context=multiprocessing.get_context("spawn"), initializer=_begin_in_pool
    )
    try:
        yield executor
    finally:
        members_left = set(multiprocessing.active_children()) - others
        executor.shutdown(wait=False, cancel_futures=True)
        for process in members_left:
            process.terminate()
        for process in members_left:
            process.join(END_SECONDS)
            process.kill()


class _Ending:
    """SIGTERM in a process of a pool: at once, or first what it plays is broken off and its bots killed."""

    playing = False
    came = False

    @classmethod
    def arrived(cls, *_: object) -> None:
        if not cls.playing:
            os._exit(1)
        if not cls.came:
            cls.came = True
            raise KeyboardInterrupt


@contextmanager
def breakable() -> Iterator[None]:
    """In a process of a pool, games are played within such a block, and only there are they broken off."""
    _Ending.playing = True
    try:
        yield
    finally:
        _Ending.playing = False
        if _Ending.came:
            os._exit(1)


def _begin_in_pool() -> None:
    """Leave Ctrl-C to the parent, take over SIGTERM, and end when the parent has ended."""
    signal.signal(signal.SIGINT, lambda *_: None)  # not SIG_IGN, which bots would inherit
    signal.signal(signal.SIGTERM, _Ending.arrived)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
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
