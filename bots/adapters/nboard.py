"""NBoard's protocol, version 2, as engines of Reversi speak it: the whole game in GGF, then `go`.

It tells the time in the game's head, which few engines read, and otherwise a depth: the engine's own, unless
`bot.toml` says `depth`.
"""

from __future__ import annotations

from bots.adapters.inner import Inner
from bots.adapters.reversi import EIGHT, Mirror
from bots.adapters.wire import Answer, note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

START = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"


class NBoard:
    """An engine of NBoard's."""

    def __init__(self, options: dict[str, Any], command: Sequence[str]) -> None:
        self.name = "nboard engine"
        self._command = command
        self._depth = options.get("depth")

    def begin(self, hello: dict[str, Any]) -> None:
        """Start it, and wait until it is there."""
        self._mirror = Mirror(hello["game"]["params"])
        if self._mirror.size != EIGHT:
            note("NBoard plays on 8 by 8 squares only")
            raise SystemExit(1)
        self._inner = Inner(self._command, hello["limits"]["line_bytes"])
        self._pings = 0
        self._inner.tell("nboard 2", *([f"set depth {self._depth}"] if self._depth else ()))
        self._synchronize()

    def choose(self, request: dict[str, Any]) -> Answer:
        """Tell it the game so far, and have it move."""
        moves = "".join(
            f"{'BW'[ply % 2]}[{'PA' if move == 'pass' else self._mirror(move).upper()}]"
            for ply, move in enumerate(request["history"])
        )
        minutes, seconds = divmod(max(1, request["time"]["move_ms"] // 1000), 60)
        head = f"GM[Othello]PC[arena]PB[black]PW[white]RE[?]TI[{minutes}:{seconds:02}]TY[8]BO[{START}]"
        self._inner.tell(f"set game (;{head}{moves};)")
        self._synchronize()
        self._inner.tell("go")
        while True:
            line = self._inner.hear()
            if line.startswith("==="):
                break
        move = line[3:].strip().partition("/")[0].partition(" ")[0].lower()
        return Answer("pass" if move.startswith("pa") else self._mirror(move), line)

    def _synchronize(self) -> None:
        self._pings += 1
        self._inner.tell(f"ping {self._pings}")
        while True:
            words = self._inner.hear().split()
            if words == ["pong", str(self._pings)]:
                return
            if words[:2] == ["set", "myname"]:
                self.name = " ".join(words[2:])

    def end(self) -> None:
        """End it."""
        self._inner.tell("quit")
        self._inner.end()
