"""Edax's console, and engines of Reversi that are used like it: `setboard`, `go`, and `Edax plays D3`."""

from __future__ import annotations

import re

from bots.adapters.inner import Inner
from bots.adapters.reversi import EIGHT, Mirror
from bots.adapters.wire import Answer, note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

PLAYS = re.compile(r"(?i)\bplays:?\s+([a-h][1-8]|ps|pa|pass)\b")


class Edax:
    """An engine at whose console we sit."""

    def __init__(self, options: dict[str, Any], command: Sequence[str]) -> None:
        del options
        self.name = "edax engine"
        self._command = command

    def begin(self, hello: dict[str, Any]) -> None:
        """Start it; both sides are moved by hand."""
        self._mirror = Mirror(hello["game"]["params"])
        if self._mirror.size != EIGHT:
            note("Edax plays on 8 by 8 squares only")
            raise SystemExit(1)
        self._inner = Inner(self._command, hello["limits"]["line_bytes"])
        self._inner.tell("mode 3")

    def choose(self, request: dict[str, Any]) -> Answer:
        """Set up the board and the time, and have it move."""
        state = request["state"]
        board = "".join(self._mirror.rows(state["board"])).replace(".", "-")
        seconds = max(1, request["time"]["move_ms"] * 9 // 10_000)
        self._inner.tell(f"move-time {seconds}", f"setboard {board} {state['to_move']}", "go")
        while True:
            line = self._inner.hear()
            if said := PLAYS.search(line):
                break
        move = said[1].lower()
        return Answer("pass" if move.startswith("p") else self._mirror(move), line)

    def end(self) -> None:
        """End it."""
        self._inner.tell("quit")
        self._inner.end()
