"""Small programs run at each level of confinement that this host gives, with and without control groups."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from workers.core.contract import Limits
from workers.core.settings import get_settings
from workers.sandbox.cgroups import NO_CGROUPS, find_host
from workers.sandbox.confinement import Command, Confined, Confinement, Program
from workers.sandbox.levels import LEVELS, trouble_with

SECONDS = 300.0
"""Far more than anything takes that is waited for."""


class Ran(NamedTuple):
    """What a program said, and how it ended."""

    status: int | None
    out: str
    err: str


class Runner:
    """Runs programs in one confinement."""

    def __init__(self, confinement: Confinement, *, counted: bool) -> None:
        self.confinement = confinement
        self.counted = counted

    def launch(self, code: str, limits: Limits | None = None) -> Confined:
        """Start a Python program."""
        return self.confinement.launch((*python(), "-c", code), limits or Limits())

    def run(self, code: str, limits: Limits | None = None, writable: Path | None = None) -> Ran:
        """Run a Python program to its end."""
        return self.command((*python(), "-c", code), limits, writable=writable)

    def command(
        self, program: Command | Program, limits: Limits | None = None, writable: Path | None = None
    ) -> Ran:
        """Run any program to its end."""
        process = self.confinement.launch(program, limits or Limits(), writable=writable)
        try:
            status = process.wait(SECONDS)
            said = [said_on(descriptor) for descriptor in (process.stdout, process.stderr)]
            return Ran(status, *said)
        finally:
            process.destroy()


def python() -> Command:
    """What starts a Python bot."""
    return tuple(shlex.split(get_settings().bot_python))


def said_on(descriptor: int) -> str:
    """What waits in a pipe."""
    os.set_blocking(descriptor, False)
    try:
        return os.read(descriptor, 65536).decode()
    except BlockingIOError:
        return ""


RUNNERS = [(level, counted) for level in LEVELS for counted in (True, False)]


@pytest.fixture(params=RUNNERS, ids=str)
def runner(request: pytest.FixtureRequest) -> Runner:
    """Each level, with control groups and without."""
    level, counted = request.param
    if trouble := trouble_with(level):
        pytest.skip(f"{level} does not work here: {trouble}")
    host = find_host() if counted else NO_CGROUPS
    if counted and not host.has("memory"):
        pytest.skip("this user has no control groups for memory")
    return Runner(LEVELS[level](host), counted=counted)


@pytest.fixture
def own_slots(environment: Callable[..., None], worker_id: str) -> int:
    """Slots that no other test uses at the same time; the number of the first one's user."""
    first = 67_000 + 300 * int(worker_id.removeprefix("gw") if worker_id != "master" else 99)
    environment(slot_uid=str(first))
    return first
