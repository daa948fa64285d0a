"""Pools of processes, and how they end."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pytest

from workers.play.pool import processes

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


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_a_pool_ends_while_a_process_hands_over_what_it_did(share: float) -> None:
    """No half result is waited for, whenever it ends: no thread is left that the program would wait for."""
    before = set(threading.enumerate())
    with processes(1) as pool:
        assert len(pool.submit(much, BYTES).result()) == BYTES  # now there is a process
        began = time.monotonic()
        assert len(pool.submit(much, BYTES).result()) == BYTES
        took = time.monotonic() - began
        pool.submit(much, BYTES)
        time.sleep(share * took)
    until = time.monotonic() + ENOUGH_SECONDS
    while set(threading.enumerate()) - before:
        assert time.monotonic() < until, set(threading.enumerate()) - before
        time.sleep(0.01)


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
