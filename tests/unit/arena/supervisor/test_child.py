"""A single supervised process: how its end is described and how long the next start waits."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from arena.core.running import STABLE_SECONDS, ArenaPhase, ArenaState, ChildPhase, ChildState
from arena.supervisor.child import BACKOFF_SECONDS, Child, ChildPlan, describe_exit
from arena.supervisor.launch import SETTLED_SECONDS, is_settled


def test_early_ends_in_a_row_wait_longer_up_to_a_bound(tmp_path: Path) -> None:
    """The pause before the next start grows with every early end, and stays at its longest."""
    child = Child(ChildPlan("brief", (sys.executable, "-c", ""), 0, dict(os.environ)), tmp_path / "brief.log")
    delays = []
    for _ in range(len(BACKOFF_SECONDS) + 1):
        delays.append(child.delay)
        child.failed_to_start("no")
    child.close()
    assert tuple(delays) == (*BACKOFF_SECONDS, BACKOFF_SECONDS[-1])


def test_a_child_that_ended_is_in_trouble_until_it_has_run_for_a_while() -> None:
    """One that was never started again is not; one that is down is, however long."""
    never = ChildState("worker-1", ChildPhase.RUNNING, since=100.0)
    assert never.trouble(now=100.0) is None
    again = replace(never, restarts=1, last_exit="exit code 1")
    assert "worker-1 ended (exit code 1) and was started again" in str(again.trouble(now=101.0))
    assert again.trouble(now=100.0 + STABLE_SECONDS) is None
    assert again.trouble(now=99.0) is None, "the clock was set back"
    assert "see `arena logs worker-1`" in str(replace(again, state=ChildPhase.WAITING).trouble(now=1000.0))


def test_an_arena_is_up_when_every_child_has_run_for_a_while() -> None:
    """`arena up` waits for one that has just been started, or is down; one that keeps ending it refuses."""
    there = ArenaState(ArenaPhase.RUNNING, 1, 0.0, "", "", "", 0.0)
    api, worker = (
        ChildState("api", ChildPhase.RUNNING, since=100.0),
        ChildState("worker-1", ChildPhase.RUNNING, since=102.0),
    )
    later = 102.0 + 2 * SETTLED_SECONDS
    assert not is_settled(replace(there, children=(api, worker)), now=102.1)
    assert is_settled(replace(there, children=(api, worker)), now=later)
    assert is_settled(replace(there, children=(api, worker)), now=0.0), "the clock was set back"
    assert not is_settled(
        replace(there, children=(api, replace(worker, state=ChildPhase.WAITING))), now=later
    )


def test_ends_are_described_in_words() -> None:
    """Exit codes and signals are told apart and named."""
    assert describe_exit(3) == "exit code 3"
    assert describe_exit(-9) == "signal SIGKILL"
    assert describe_exit(-120) == "signal 120"


def test_a_program_that_does_not_exist_leaves_the_child_waiting(tmp_path: Path) -> None:
    """A failed start is noted with its reason and will be tried again."""
    child = Child(ChildPlan("none", ("/nowhere",), 0), tmp_path / "none.log")
    child.failed_to_start("could not be started: No such file or directory")
    child.close()
    assert child.state().state == ChildPhase.WAITING
    assert child.state().last_exit == "could not be started: No such file or directory"
