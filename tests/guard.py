"""What a unit test may not do, and how that is seen: start a process, serve, open a database, or wait."""

from __future__ import annotations

import multiprocessing.process
import socket
import sys
import time
from typing import Any

import pytest

MOMENT_SECONDS = 0.1
"""Nobody sleeps longer; tests move clocks instead."""
EVENTS = {
    "os.fork": "starts a process",
    "os.forkpty": "starts a process",
    "os.posix_spawn": "starts a process",
    "os.system": "starts a process",
    "subprocess.Popen": "starts a process",
    "sqlite3.connect": "opens a database",
}
"""Those of Python's audit events that tell of it."""


class Guard:
    """Notes, from `begin` to `end`, what this process does of that; in between it is as if it were not."""

    def __init__(self) -> None:
        self._deeds: list[str] | None = None
        self._patch = pytest.MonkeyPatch()
        sys.addaudithook(self._heard)

    def begin(self) -> None:
        """Look, until the end."""
        self._deeds = []
        self._tell(multiprocessing.process.BaseProcess, "start", "starts a process")
        self._tell(socket.socket, "listen", "serves")
        real = time.sleep

        def sleep(seconds: float) -> None:
            if seconds > MOMENT_SECONDS:
                self._note(f"sleeps {seconds} s")
            real(seconds)

        self._patch.setattr(time, "sleep", sleep)

    def end(self) -> list[str]:
        """What was done since the beginning, each once."""
        self._patch.undo()
        deeds, self._deeds = self._deeds, None
        return sorted(set(deeds or []))

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._deeds is not None and event in EVENTS:
            self._note(f"{EVENTS[event]}: {event} {arguments[:2]}")

    def _tell(self, kind: type, method: str, deed: str) -> None:
        real = getattr(kind, method)

        def told(*arguments: Any, **named: Any) -> Any:
            self._note(f"{deed}: {kind.__name__}.{method}")
            return real(*arguments, **named)

        self._patch.setattr(kind, method, told)

    def _note(self, deed: str) -> None:
        if self._deeds is not None:
            self._deeds.append(deed)
