"""Pools of processes, and how they end."""

from __future__ import annotations

import errno
import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from tests.waiting import eventually
from workers.play.pool import breakable, processes

COMPILED = """
import signal
from engines.games.reversed_reversi import ReversedReversi
from engines.strategies.reversi_training import Round, Training
from workers.play.pool import killable

signal.signal(signal.SIGTERM, lambda *_: print("handled", flush=True))
with killable():
    pass
signal.raise_signal(signal.SIGTERM)
with killable():
    print("playing", flush=True)
    by = Round(64, depth=12, solved=20, steps=1)
    Training(ReversedReversi(8)).play(None, seed=1, first=0, games=64, by=by)
"""
BYTES = 60_000_000
ENOUGH_SECONDS = 300.0


def much(count: int) -> bytes:
    """What takes a while to be handed over."""
    return bytes(count)


def play_on() -> None:
    """Play until it is broken off."""
    with breakable():
        time.sleep(3600)


def handing_over(pool: Executor) -> float:
    """The seconds that it takes to make much and hand it over."""
    pool.submit(much, 0).result(ENOUGH_SECONDS)  # now there is a process
    began = time.monotonic()
    assert len(pool.submit(much, BYTES).result(ENOUGH_SECONDS)) == BYTES
    return time.monotonic() - began


@pytest.fixture
def nobody_left() -> Iterator[None]:
    """After the test it has neither threads nor processes."""
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before
    assert multiprocessing.active_children() == []


@pytest.mark.usefixtures("nobody_left")
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_a_pool_ends_while_a_process_hands_over_what_it_did(share: float) -> None:
    """No half result is waited for, whenever it ends."""
    with processes(1) as pool:
        took = handing_over(pool)
        begun = pool.submit(much, BYTES)
        time.sleep(share * took)
    assert begun.cancelled() or isinstance(begun.exception(), BrokenProcessPool | None)


@pytest.mark.usefixtures("nobody_left")
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_a_process_that_is_killed_is_missed_at_once(share: float) -> None:
    """Also while it hands over what it did, and another one lives: what nobody has begun raises, too."""
    with processes(2) as pool:
        other = pool.submit(play_on)
        eventually(other.running)
        (at_other,) = multiprocessing.active_children()
        took = handing_over(pool)
        (victim,) = {*multiprocessing.active_children()} - {at_other}
        begun, waiting = pool.submit(much, BYTES), pool.submit(play_on)
        time.sleep(share * took)
        victim.kill()
        with pytest.raises(BrokenProcessPool):
            waiting.result(ENOUGH_SECONDS)
        assert isinstance(begun.exception(ENOUGH_SECONDS), BrokenProcessPool | None)
        assert other.running()
        with pytest.raises(BrokenProcessPool):
            pool.submit(much, 1)
    assert isinstance(other.exception(), BrokenProcessPool)


@pytest.mark.usefixtures("nobody_left")
def test_a_process_that_was_killed_while_idle_is_missed_by_the_next_job() -> None:
    """It raises, rather than being waited for."""
    with processes(1) as pool:
        pool.submit(much, 1).result(ENOUGH_SECONDS)
        (victim,) = multiprocessing.active_children()
        victim.kill()
        victim.join()
        with pytest.raises(BrokenProcessPool):
            pool.submit(much, 1).result(ENOUGH_SECONDS)


class OneWayError(Exception):
    """Can be pickled and not be made again."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(one + other)


class Unreadable(Exception):  # noqa: N818  (it is raised nowhere)
    """Is no process's death, whatever is raised when it is pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        raise FileNotFoundError


def fail(error: Exception) -> None:
    """Raise it."""
    raise error


def fail_oddly() -> None:
    """Raise what cannot be made again."""
    raise OneWayError(1, 2)


def lock() -> object:
    """What cannot be pickled."""
    return threading.Lock()


@pytest.mark.usefixtures("nobody_left")
def test_an_error_is_that_of_the_process_and_harms_no_other_job() -> None:
    """It says where it arose; what cannot be handed over, one way or the other, is an error of that job."""
    with processes(1) as pool:
        error = pool.submit(fail, ValueError("seven")).exception(ENOUGH_SECONDS)
        assert isinstance(error, ValueError)
        assert str(error) == "seven"
        assert "in fail\n" in error.__notes__[0]
        error = pool.submit(fail_oddly).exception(ENOUGH_SECONDS)
        assert isinstance(error, RuntimeError)
        assert "OneWayError: 3" in str(error)
        for oddly in (lock, threading.Lock().acquire):
            assert isinstance(pool.submit(oddly).exception(ENOUGH_SECONDS), TypeError)
        assert isinstance(pool.submit(fail, Unreadable()).exception(ENOUGH_SECONDS), FileNotFoundError)
        assert pool.submit(much, 3).result(ENOUGH_SECONDS) == bytes(3)


@pytest.mark.usefixtures("nobody_left")
def test_a_process_that_cannot_be_started_is_told_to_who_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of its job is left, and the next one is done once there can be a process."""

    def full(_: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "no more processes")

    with processes(1) as pool:
        with monkeypatch.context() as patch:
            patch.setattr(multiprocessing.get_context("spawn").Process, "start", full)
            with pytest.raises(BlockingIOError):
                pool.submit(much, 1)
        assert pool.submit(much, 3).result(ENOUGH_SECONDS) == bytes(3)


def interrupt() -> None:
    """What a signal raises that comes when a game has just ended, and its block with it."""
    raise KeyboardInterrupt


@pytest.mark.usefixtures("nobody_left")
def test_a_process_that_is_broken_off_ends_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    """Wherever the signal hits it: what it was at raises, and nothing is written."""
    with processes(1) as pool, pytest.raises(BrokenProcessPool):
        pool.submit(interrupt).result(ENOUGH_SECONDS)
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("nobody_left")
def test_a_pool_has_no_more_processes_than_there_is_work_for() -> None:
    """One that was idle takes the next job; a job that was cancelled in time is not done."""
    with processes(3) as pool:
        for _ in range(5):
            pool.submit(much, 1).result(ENOUGH_SECONDS)
        assert len(multiprocessing.active_children()) == 1
        jobs = [pool.submit(play_on) for _ in range(5)]
        assert len(multiprocessing.active_children()) == 3
        assert jobs[4].cancel()
    assert jobs[3].cancelled()


def test_compiled_code_is_killed_within_its_block_alone() -> None:
    """It ends by the signal itself, for which no handler could be called; after the block one is again."""
    with subprocess.Popen([sys.executable, "-c", COMPILED], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert [process.stdout.readline() for _ in range(2)] == ["handled\n", "playing\n"]
            process.terminate()
            assert process.wait(ENOUGH_SECONDS) == -signal.SIGTERM
        finally:
            process.kill()
