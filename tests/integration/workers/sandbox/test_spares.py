"""Sandboxes that wait for their bots."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.waiting import Clock, eventually
from workers.core.contract import Limits
from workers.core.errors import LaunchError
from workers.sandbox.bubblewrap import Bubblewrap
from workers.sandbox.cgroups import NO_CGROUPS, Host, find_host
from workers.sandbox.confinement import Command, Confined, Program, Startable, Waiting
from workers.sandbox.levels import ByTrust, trouble_with
from workers.sandbox.slots import can_change_user
from workers.sandbox.spares import Spares

SECONDS = 300.0
HELLO: Command = ("/bin/sh", "-c", "echo hello")
MOST, IDLE_SECONDS = 3, 60.0


class Counting(Bubblewrap):
    """Counts the sandboxes that are built for a bot that begins at once, and those that wait."""

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.at_once, self.prepared = 0, list[Waiting]()

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Build one for a bot that begins."""
        self.at_once += 1
        return super().launch(program, limits, writable=writable)

    def prepare(self, program: Startable, limits: Limits) -> Waiting | None:
        """Build one that waits."""
        waiting = super().prepare(program, limits)
        assert waiting is not None
        self.prepared.append(waiting)
        return waiting


@pytest.fixture
def clock() -> Clock:
    """What tells how long a sandbox has waited."""
    return Clock()


@pytest.fixture(params=[pytest.param(True, id="cgroups"), pytest.param(False, id="without-cgroups")])
def counting(request: pytest.FixtureRequest) -> Counting:
    """Bubblewrap, with the host's control groups and without."""
    if (trouble := trouble_with("bubblewrap")) is not None:
        pytest.skip(trouble)
    return Counting(find_host() if request.param else NO_CGROUPS)


@pytest.fixture
def spares(counting: Counting, clock: Clock) -> Iterator[Spares]:
    """Room for three; afterwards nothing of them is left."""
    before = children()
    spares = Spares(counting, MOST, IDLE_SECONDS, clock)
    yield spares
    spares.close()
    assert children() == before


def children() -> set[psutil.Process]:
    """All processes below this one."""
    return set(psutil.Process().children(recursive=True))


def said(bot: Confined) -> str:
    """What a bot says until its end, which then is removed."""
    try:
        assert bot.wait(SECONDS) == 0
        return os.read(bot.stdout, 1000).decode()
    finally:
        bot.destroy()


def test_a_bot_that_comes_again_finds_its_sandbox(spares: Spares, counting: Counting) -> None:
    """The first start builds one, and one more is built for the next; what it runs is the same."""
    assert said(spares.launch(HELLO, Limits())) == "hello\n"
    spares.replenish()
    assert (counting.at_once, len(counting.prepared)) == (1, 1)
    assert said(spares.launch(HELLO, Limits())) == "hello\n"
    assert counting.at_once == 1


@pytest.mark.usefixtures("spares")
def test_nothing_of_the_bot_runs_while_its_sandbox_waits(counting: Counting) -> None:
    """Only bubblewrap, its first process and the shell are there, until the bot is let go."""
    before = children()
    waiting = counting.prepare(HELLO, Limits())
    assert waiting is not None

    def names() -> list[str]:
        return sorted(process.name() for process in children() - before)

    eventually(lambda: "sh" in names())  # it is bubblewrap until then
    assert names() == ["bwrap", "bwrap", "sh"]
    assert said(waiting.start()) == "hello\n"


def test_a_sandbox_is_for_its_program_and_limits_alone(spares: Spares, counting: Counting) -> None:
    """Another program, other limits, or a folder to write in, get a sandbox of their own."""
    said(spares.launch(HELLO, Limits()))
    spares.replenish()
    assert said(spares.launch(("/bin/sh", "-c", "echo other"), Limits())) == "other\n"
    said(spares.launch(HELLO, Limits(memory_mb=100)))
    assert counting.at_once == 3


def test_there_is_only_so_much_room(spares: Spares, counting: Counting, clock: Clock) -> None:
    """As many wait as may, and nobody for longer than is said."""
    before = children()
    for number in range(MOST + 1):
        said(spares.launch((*HELLO[:2], f"echo {number}"), Limits()))
    spares.replenish()
    assert len(counting.prepared) == MOST
    there = children()
    clock.now = IDLE_SECONDS
    spares.tidy()
    assert children() == there
    clock.now += 1
    spares.tidy()
    assert children() == before


def test_a_bot_is_on_the_core_of_whoever_starts_it(spares: Spares, counting: Counting) -> None:
    """A bot runs on its starter's core although its sandbox was built on another."""
    before, others = os.sched_getaffinity(0), children()
    command = ("/bin/sh", "-c", "read line")

    def inside() -> list[psutil.Process]:
        return [process for process in children() - others if process.name() != "bwrap"]

    first = spares.launch(command, Limits())
    first.destroy()
    spares.replenish()
    core = max(before)
    try:
        os.sched_setaffinity(0, {core})
        bot = spares.launch(command, Limits())
    finally:
        os.sched_setaffinity(0, before)
    try:
        eventually(lambda: len(inside()) == 1)  # until then the shell is still what bubblewrap has forked
        assert inside()[0].cpu_affinity() == [core]
        assert counting.at_once == 1
    finally:
        bot.destroy()


def test_a_sandbox_that_has_ended_is_no_fault_of_its_bot(spares: Spares, counting: Counting) -> None:
    """Another one is built, and nothing is left of it."""
    others = children()
    said(spares.launch(HELLO, Limits()))
    spares.replenish()
    for process in set(psutil.Process().children()) - others:
        process.kill()
        until = time.monotonic() + SECONDS
        while process.status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < until
            time.sleep(0.01)
    assert said(spares.launch(HELLO, Limits())) == "hello\n"
    assert counting.at_once == 2


def test_what_cannot_be_built_is_left_to_whoever_needs_it(
    spares: Spares, counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host without room does without sandboxes that wait, and says nothing to the match that is over."""

    def fail(*_: object) -> None:
        raise LaunchError("no room")

    said(spares.launch(HELLO, Limits()))
    monkeypatch.setattr(counting, "prepare", fail)
    spares.replenish()
    monkeypatch.undo()
    said(spares.launch(HELLO, Limits()))
    assert (counting.at_once, counting.prepared) == (2, [])


def test_no_sandbox_is_built_for_our_own_bots() -> None:
    """A trusted program starts no sandbox and leaves no spare one behind."""
    before = children()
    spares = Spares(ByTrust(), MOST, IDLE_SECONDS)
    bot = spares.launch(Program(HELLO, trusted=True), Limits())
    bot.destroy()
    spares.replenish()
    assert children() == before
    spares.close()


def test_who_is_to_play_has_the_room_of_what_waits(
    spares: Spares, counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no sandbox can be built any more, those that wait for others are removed first."""
    before, build = children(), counting.launch

    def full(program: Startable, limits: Limits) -> Confined:
        if children() - before:
            raise LaunchError("all slots are in use")
        return build(program, limits)

    said(spares.launch(HELLO, Limits()))
    spares.replenish()
    monkeypatch.setattr(counting, "launch", full)
    assert said(spares.launch(("/bin/sh", "-c", "echo other"), Limits())) == "other\n"


WITHOUT_THE_RIGHT = """
import os
from workers.core.contract import Limits
from workers.sandbox.levels import ByTrust, level_in_use
from workers.sandbox.slots import can_move_bots
from workers.sandbox.slots import can_change_user
from workers.sandbox.spares import Spares

spares = Spares(ByTrust(), 2, 60)
for _ in range(2):
    bot = spares.launch(("/bin/true",), Limits())
    assert bot.wait(300) == 0
    bot.destroy()
    spares.replenish()
print(level_in_use(), can_move_bots(), len(spares._spares))
"""


def test_root_that_may_not_move_bots_has_the_same_sandbox_and_none_that_waits() -> None:
    """As in a container without CAP_SYS_NICE: a bot starts where its match is, so nothing need be moved."""
    if not can_change_user() or (trouble_with("bubblewrap") is not None) or not shutil.which("setpriv"):
        pytest.skip("needs root, whose bots have users of their own, and bubblewrap")
    command = ["setpriv", "--bounding-set=-sys_nice", sys.executable, "-c", WITHOUT_THE_RIGHT]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=SECONDS)
    assert ran.stdout.split() == ["bubblewrap", "False", "0"]
