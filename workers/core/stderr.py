"""What a bot writes to its stderr: always taken in, so that it never waits for us, and kept at both ends."""

from __future__ import annotations

import os
import select
from typing import NamedTuple

from workers.core.escape import escape_text

KEPT = 32 * 1024
CHUNK = 64 * 1024


class Stderr(NamedTuple):
    """What a bot wrote to its stderr: its beginning, the end of what followed, and its size in bytes."""

    head: str
    tail: str
    size: int


class BothEnds:
    """The first and the last `KEPT` bytes of what is said."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._size = 0

    def add(self, chunk: bytes) -> None:
        """Take in what was said next."""
        self._size += len(chunk)
        room = KEPT - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[max(0, room) :]
        del self._tail[:-KEPT]

    def kept(self) -> Stderr:
        """What was kept, as text."""
        return Stderr(_text(self._head), _text(self._tail), self._size)


class StderrTap:
    """One process's stderr. It does not block, and wakes `poller` while it may say more."""

    def __init__(self, poller: select.poll) -> None:
        self.descriptor = -1
        self._open = False
        self._poller = poller
        self.clear()

    def open(self, descriptor: int) -> None:
        """Listen to a process that was started."""
        self.descriptor, self._open = descriptor, True
        self._poller.register(descriptor, select.POLLIN)

    def clear(self) -> None:
        """Forget what was kept: another match begins."""
        self._said = BothEnds()

    def drain(self) -> None:
        """Take in one chunk, keeping only the first and the last `KEPT` bytes."""
        if not self._open:
            return
        try:
            chunk = os.read(self.descriptor, CHUNK)
        except BlockingIOError:
            return
        if not chunk:
            self._open = False
            self._poller.unregister(self.descriptor)
        self._said.add(chunk)

    def kept(self) -> Stderr:
        """What was kept, with what has come since."""
        self.drain()
        return self._said.kept()


def _text(data: bytearray) -> str:
    return escape_text(data.decode("utf-8", "replace"))
