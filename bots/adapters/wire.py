"""The adapter's side of `arena/1`: the referee's messages, and what may be answered."""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` would cost every match some milliseconds
    from collections.abc import Iterator
    from typing import Any

MAX_DEBUG_BYTES = 4096


class Answer:
    """A move in the arena's notation, with a text for the match's record.

    Whatever is no move is sent on as it is, for the referee to judge.
    """

    def __init__(self, move: Any, debug: str = "") -> None:
        self.move = move
        self.debug = debug


class Resigned:
    """The bot gives the game up."""


class Garbage:
    """What cannot be understood, for the referee to see as it came."""

    def __init__(self, received: bytes) -> None:
        self.received = received


class Wire:
    """The referee's end of our standard streams, kept from everybody else in this process.

    From here on descriptor 0 is empty and 1 is stderr, for the bot's code as well.
    """

    def __init__(self) -> None:
        self._in, self._out = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    def messages(self) -> Iterator[dict[str, Any]]:
        """What the referee writes, until it writes no more."""
        rest = b""
        while chunk := os.read(self._in, 65536):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield json.loads(line)

    def ready(self, name: str) -> None:
        """Answer `hello`."""
        self._send({"type": "ready", "protocol": "arena/1", "name": name[:200]})

    def answer(self, request: dict[str, Any], choice: Answer | Resigned | Garbage) -> None:
        """Answer a question."""
        if isinstance(choice, Garbage):
            self.forward(choice.received)
        elif isinstance(choice, Resigned):
            self._send({"type": "resign", "id": request["id"]})
        else:
            message = {"type": "move", "id": request["id"], "move": choice.move}
            if choice.debug:
                clean = choice.debug.replace("\0", "").encode("utf-8", "replace")
                message["debug"] = clean[:MAX_DEBUG_BYTES].decode("utf-8", "ignore")
            self._send(message)

    def forward(self, received: bytes) -> None:
        """Let the referee see what the bot wrote instead of an answer."""
        self._write(received.rstrip(b"\n") + b"\n")

    def _send(self, message: dict[str, Any]) -> None:
        self._write(json.dumps(message).encode() + b"\n")

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._out, data) :]


def note(text: str) -> None:
    """Tell the bot's author something, on stderr."""
    sys.stderr.write(f"[adapter] {text}\n")
    sys.stderr.flush()
