"""The program behind the adapter: started, written to, read from, and ended with it."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time

from bots.adapters.wire import note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

CHUNK = 65536
SHOWN_CHARS, SHOWN_LINES = 300, 20
"""How much of a line, and how many lines of one side at a time, are written to stderr."""
END_SECONDS = 0.5


class UnreadableError(Exception):
    """The program wrote what cannot be understood; `received` is that, as it came."""

    def __init__(self, received: bytes) -> None:
        super().__init__("the bot wrote what cannot be understood")
        self.received = received


class Inner:
    """A bot of another protocol, as a process. Its stderr is ours.

    What goes to and fro is written to stderr too: `>` what it is told, `<` what it says.
    """

    def __init__(self, command: Sequence[str], line_bytes: int) -> None:
        self._line_bytes = line_bytes
        self._rest = b""
        self._side, self._shown = "", 0
        try:
            self._process = subprocess.Popen(
                command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            note(f"the bot cannot be started: {error}")
            sys.exit(127)
        assert self._process.stdin is not None  # noqa: S101  (both are pipes)
        assert self._process.stdout is not None  # noqa: S101
        self._stdin, self._stdout = self._process.stdin, self._process.stdout

    def tell(self, *lines: str) -> None:
        """Write lines to it; whether it reads them is seen when it is to answer."""
        for line in lines:
            self._show(">", line)
        data = "".join(f"{line}\n" for line in lines).encode()
        with contextlib.suppress(BrokenPipeError):
            while data:
                data = data[self._stdin.write(data) or 0 :]

    def hear(self) -> str:
        """Its next line, without the end. Does not return if there is none: then we end as it did.

        Raises:
            UnreadableError: the line is too long, or no text.
        """
        while b"\n" not in self._rest:
            if len(self._rest) > self._line_bytes:
                raise UnreadableError(self._rest)
            chunk = os.read(self._stdout.fileno(), CHUNK)
            if not chunk:
                self._end_as_it_did()
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return self._text(line)

    def hear_all(self, until: str) -> str:
        """All that it writes until it ends, or writes a line that is `until`.

        Raises:
            UnreadableError: it is too long, or no text.
        """
        mark = f"\n{until}".encode()
        while chunk := os.read(self._stdout.fileno(), CHUNK):
            self._rest += chunk
            if mark in b"\n" + self._rest:
                break
            if len(self._rest) > self._line_bytes:
                raise UnreadableError(self._rest)
        said, self._rest = (b"\n" + self._rest).partition(mark)[0].strip(), b""
        if not said:
            self._end_as_it_did()
        return self._text(said)

    def unasked(self) -> bytes | None:
        """What it has written without being asked: whole lines or parts of them; None if it has not."""
        while select.select([self._stdout], [], [], 0)[0] and len(self._rest) <= self._line_bytes:
            chunk = os.read(self._stdout.fileno(), CHUNK)
            if not chunk:
                break
            self._rest += chunk
        return self._rest if self._rest.strip() else None

    def close_stdin(self) -> None:
        """Tell it that nothing more will come."""
        self._stdin.close()

    def end(self) -> None:
        """End it, in its own way if it is quick."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._stdout.close()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()

    def _text(self, line: bytes) -> str:
        try:
            text = line.decode().rstrip("\r")
        except UnicodeDecodeError:
            note("the bot wrote what is no UTF-8")
            raise UnreadableError(line) from None
        self._show("<", text)
        return text

    def _show(self, side: str, text: str) -> None:
        if not text:
            return
        if side != self._side:
            self._side, self._shown = side, 0
        self._shown += 1
        if self._shown == SHOWN_LINES + 1:
            note(f"{side} … and more lines")
        if self._shown <= SHOWN_LINES:
            more = "…" if len(text) > SHOWN_CHARS else ""
            note(f"{side} {text[:SHOWN_CHARS]}{more}")

    def _end_as_it_did(self) -> NoReturn:
        """It closed its output: end with its status, or by the signal that ended it."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        try:
            status = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            note("the bot closed its output instead of answering")
            sys.exit(1)
        if self._rest:
            note(f"its last words: {self._rest[:SHOWN_CHARS].decode(errors='replace')}")
        if status >= 0:
            note(f"the bot ended by itself with exit status {status} instead of answering")
            sys.exit(status)
        note(f"the bot was ended by signal {-status} instead of answering")
        with contextlib.suppress(OSError, ValueError):  # some signals cannot be handled
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
        time.sleep(END_SECONDS)  # where the signal does not end us
        sys.exit(128 - status)
