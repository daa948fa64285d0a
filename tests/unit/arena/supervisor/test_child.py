"""A single supervised process: how its end is described and how long the next start waits."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arena.supervisor.child import BACKOFF_SECONDS, Child, ChildPlan, describe_exit


def test_early_ends_in_a_row_wait_longer_up_to_a_bound(tmp_path: Path) -> None:
    """The pause before the next start grows with every early end, and stays at its longest."""
    child = Child(ChildPlan("brief", (sys.executable, "-c", ""), 0, dict(os.environ)), tmp_path / "brief.log")
    delays = []
    for _ in range(len(BACKOFF_SECONDS) + 1):
        delays.append(child.delay)
        child.failed_to_start("no")
    child.close()
    assert tuple(delays) == (*BACKOFF_SECONDS, BACKOFF_SECONDS[-1])


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
    assert child.state().state == "waiting"
    assert child.state().last_exit == "could not be started: No such file or directory"
