"""Pools of processes, and how they end."""

from __future__ import annotations

import threading
import time

import pytest

from workers.play.pool import processes

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
