"""What the settings do not have kept for ever goes once a day, by a process that nothing here waits for.

It is the program of `arena admin prune`, and can be killed at any moment: what is left goes the next time.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Sequence

import structlog

from arena.core.processes import MODULE, dying_with_parent
from arena.core.settings import Settings

PROGRAM: Sequence[str] = (*MODULE, "arena.administration.pruning")
FIRST_SECONDS = 600.0
"""So long after a coordinator came to lead it has this done for the first time."""
DAY_SECONDS = 86_400.0

log = structlog.get_logger()


class Retention:
    """The process that removes what is old, and when it is due again."""

    def __init__(self, settings: Settings, monotonic: Callable[[], float]) -> None:
        self._wanted = bool(settings.kept_days)
        self._monotonic = monotonic
        self._due: float | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def keep(self) -> None:
        """Begin where it is due, and see how it ended."""
        if self._process is not None and (status := self._process.poll()) is not None:
            self._process = None
            if status:
                log.warning("not all that is old was removed", status=status)
        now = self._monotonic()
        if self._due is None:
            self._due = now + FIRST_SECONDS
        if self._wanted and self._process is None and now >= self._due:
            self._due = now + DAY_SECONDS
            try:
                self._process = subprocess.Popen(
                    PROGRAM,
                    preexec_fn=dying_with_parent(signal.SIGKILL),  # noqa: PLW1509 - system calls only
                )
            except OSError as error:
                log.warning("what is old cannot be removed", error=str(error))

    def rest(self) -> None:
        """Another one leads, or the clock was set: it is as if this one had begun to lead anew."""
        self._due = None

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
