"""One supervised process: how it is started, how long to wait before starting it again."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.core.processes import dying_with_parent, start_time
from arena.core.running import STABLE_SECONDS, ChildPhase, ChildState
from arena.supervisor.logs import BoundedLog

BACKOFF_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


@dataclass(frozen=True)
class ChildPlan:
    """A process to keep running. Lower stages start first and stop last.

    SIGTERM asks it to stop, for which it may take so many seconds longer than others.
    """

    name: str
    command: tuple[str, ...]
    stage: int
    environment: Mapping[str, str] = field(default_factory=dict)
    patience_seconds: float = 0.0


class Child:
    """A plan and the process that fulfils it at the moment."""

    def __init__(self, plan: ChildPlan, log_path: Path) -> None:
        self.plan = plan
        self.log = BoundedLog(log_path)
        self.process: subprocess.Popen[bytes] | None = None
        self.restart_at: float | None = None
        self._created: float | None = None
        self._since = time.time()
        self._started_at = 0.0
        self._failures = 0
        self._restarts = -1
        self._last_exit: str | None = None

    def start(self) -> None:
        """Start the process, its output in a pipe that the supervisor reads.

        Raises:
            OSError: the program cannot be started.
        """
        self.restart_at = None
        self.process = subprocess.Popen(
            self.plan.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(self.plan.environment),
            start_new_session=True,
            preexec_fn=dying_with_parent(signal.SIGTERM),  # noqa: PLW1509  (the supervisor has one thread)
        )
        os.set_blocking(self.output, False)
        self._created = start_time(self.process.pid)
        self._since, self._started_at = time.time(), time.monotonic()
        self._restarts += 1

    @property
    def output(self) -> int:
        """The descriptor of the process's output."""
        if self.process is None or self.process.stdout is None:
            raise ValueError(f"{self.plan.name} has no process")
        return self.process.stdout.fileno()

    def pump(self) -> bool:
        """Move what the process wrote into its log; False once there will be no more."""
        try:
            data = os.read(self.output, 65536)
        except BlockingIOError:
            return True
        if data:
            self.log.write(data)
        return bool(data)

    def ended(self, *, again: bool) -> str:
        """Take note of the process's end and, if it is to run `again`, of when. Returns how it ended."""
        if self.process is None or self.process.stdout is None or self.process.returncode is None:
            raise ValueError(f"{self.plan.name} has not ended")
        self._last_exit = describe_exit(self.process.returncode)
        self.process.stdout.close()
        self.process, self._created, self._since = None, None, time.time()
        if again:
            self._failures = 0 if time.monotonic() - self._started_at > STABLE_SECONDS else self._failures
            self.restart_at = time.monotonic() + self.delay
            self._failures += 1
        return self._last_exit

    def failed_to_start(self, trouble: str) -> None:
        """Take note that there is no process, and try again later."""
        self._last_exit, self._since = trouble, time.time()
        self.restart_at = time.monotonic() + self.delay
        self._failures += 1

    def close(self) -> None:
        """Close the log."""
        self.log.close()

    @property
    def delay(self) -> float:
        """Seconds from an end to the next start: longer with every early end in a row."""
        return BACKOFF_SECONDS[min(self._failures, len(BACKOFF_SECONDS) - 1)]

    def state(self) -> ChildState:
        """How it stands now."""
        down = ChildPhase.STOPPED if self.restart_at is None else ChildPhase.WAITING
        return ChildState(
            name=self.plan.name,
            state=ChildPhase.RUNNING if self.process else down,
            since=self._since,
            pid=self.process.pid if self.process else None,
            created=self._created,
            restarts=max(self._restarts, 0),
            last_exit=self._last_exit,
        )


def describe_exit(code: int) -> str:
    """A return code in words."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
