"""Which process is which."""

from __future__ import annotations

import os
import sys

import psutil
import pytest

from arena.coordinator.leadership import is_gone, this_process
from arena.core.processes import same_process, start_time


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is kept when a process started")
@pytest.mark.parametrize("step", [-3600.0, 3600.0], ids=["back", "forward"])
def test_a_process_stays_the_same_as_the_clock_is_set(monkeypatch: pytest.MonkeyPatch, step: float) -> None:
    """Linux tells by the clock as it is set now when the machine was started, and so each process."""
    holder, started, boot = this_process(), start_time(os.getpid()), psutil.boot_time()
    monkeypatch.setattr("psutil._pslinux.boot_time", lambda: boot + step)
    found = same_process(os.getpid(), started)
    assert found is not None
    assert found.pid == os.getpid()
    assert not is_gone(holder)


def test_another_process_of_the_same_number_is_another() -> None:
    """It started at another moment, or after another start of the machine."""
    started = start_time(os.getpid())
    assert started is not None
    assert same_process(os.getpid(), started - 3) is None
    assert same_process(os.getpid(), None) is None


def test_what_an_earlier_release_wrote_down_is_known() -> None:
    """It wrote the seconds of the epoch."""
    assert same_process(os.getpid(), psutil.Process().create_time()) is not None
