"""What a program finds that was started, whichever way it was."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.integration.workers.sandbox.conftest import SECONDS, python
from workers.core.errors import LaunchError
from workers.sandbox.spawn import Child, Pipe, read_all, spawn, start

Start = Callable[[Sequence[str], Sequence[int]], Child]

LOOK = """
import json, os
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
with os.scandir("/proc/self/fd") as entries:
    found = [(int(entry.name), os.readlink(entry.path)) for entry in entries]
print(json.dumps({
    "descriptors": [number for number, target in found if not target.endswith("/fd")],
    "leads": os.getsid(0) == os.getpid(),
    "variables": [name for name in os.environ if name != "LC_CTYPE"],
    "blocked": int(status["SigBlk"], 16),
}))
"""


def spawned(command: Sequence[str], descriptors: Sequence[int]) -> Child:
    """Start a program by `spawn`, with nothing to prepare."""
    return spawn(command, {}, descriptors, lambda: None)


@pytest.fixture(params=[start, spawned], ids=["start", "spawn"])
def begin(request: pytest.FixtureRequest) -> Start:
    """A way of starting a program."""
    return request.param  # type: ignore[no-any-return]


def said(begin: Start, command: Sequence[str]) -> str:
    """What a program writes, whose descriptors 0 and 2 are the same end of a pipe as 1."""
    pipe = Pipe()
    child = begin(command, [pipe.write] * 3)
    pipe.close(pipe.write)
    words = read_all(pipe.read)
    pipe.close()
    child.wait(SECONDS)
    child.kill()
    return words


def test_a_program_finds_its_own_and_nothing_of_ours(begin: Start) -> None:
    """Its descriptors are those that were named, it leads a session, without our variables or masks."""
    ours = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(ours, True)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    try:
        found = json.loads(said(begin, [*python(), "-c", LOOK]))
    finally:
        os.close(ours)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert found["descriptors"] == [0, 1, 2]
    assert found["leads"]
    assert found["variables"] == []
    assert found["blocked"] == 0


def test_a_program_ends_by_the_signals_that_python_ignores(begin: Start) -> None:
    """A program whose output nobody reads any more is ended by the kernel, as it would be in a shell."""
    ignored = int(said(begin, ["/bin/grep", "SigIgn", "/proc/self/status"]).split()[1], 16)
    assert not any(ignored >> (number - 1) & 1 for number in (signal.SIGPIPE, signal.SIGXFSZ))


def test_descriptors_arrive_in_their_order(begin: Start) -> None:
    """Descriptors may be named in any order and under numbers that others are to get."""
    first, second = Pipe(), Pipe()
    void = os.open(os.devnull, os.O_RDWR)
    try:
        child = begin(
            ["/bin/sh", "-c", "echo one >&1; echo two >&4; echo three >&3"],
            [void, second.write, void, first.write, second.write],
        )
        for pipe in (first, second):
            pipe.close(pipe.write)
        assert read_all(second.read).split() == ["one", "two"]
        assert read_all(first.read) == "three"
        assert child.wait(SECONDS) == 0
    finally:
        for pipe in (first, second):
            pipe.close()
        os.close(void)


def test_what_cannot_be_started_is_named(begin: Start) -> None:
    """A program that is not there is told at once, and no descriptor is left open."""
    before = sorted(Path("/proc/self/fd").iterdir())
    with pytest.raises(LaunchError, match=r"cannot start /no/such/program: .*No such file"):
        begin(["/no/such/program"], [0, 1, 2])
    assert sorted(Path("/proc/self/fd").iterdir()) == before
