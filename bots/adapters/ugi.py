"""UGI, the Universal Game Interface: `position startpos moves …`, `go …`, `bestmove …`.

In Reversi squares are those of the usual board, and a pass is `0000`, the null move of such
protocols.
"""

from __future__ import annotations

from bots.adapters.inner import Inner
from bots.adapters.notation import Notation
from bots.adapters.reversi import Mirror
from bots.adapters.wire import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MAX_SPARE_MS = 500
NULL = "0000"


class Ugi:
    """An engine of any game; it must know the arena's moves, or those of `moves` in `bot.toml`."""

    def __init__(self, options: dict[str, Any], command: Sequence[str]) -> None:
        self.name = "ugi engine"
        self._command = command
        self._notation = Notation(options.get("moves", "arena"))

    def begin(self, hello: dict[str, Any]) -> None:
        """Start it, and set those of its options that are called as the game's parameters are."""
        self._time = hello["time"]
        game = hello["game"]
        self._mirror = Mirror(game["params"]) if game["name"] == "reversed_reversi" else None
        self._inner = Inner(self._command, hello["limits"]["line_bytes"])
        self._inner.tell("ugi")
        options = {}
        while (line := self._inner.hear()).split() != ["ugiok"]:
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ").strip()
            if line.startswith("option name "):
                name = line.removeprefix("option name ").partition(" type ")[0].strip()
                options[name.lower()] = name
        for key, value in game["params"].items():
            if key in options:
                self._inner.tell(f"setoption name {options[key]} value {_text(value)}")
        self._inner.tell("isready")
        self._await_ready()
        self._inner.tell("uginewgame", "isready")
        self._await_ready()

    def choose(self, request: dict[str, Any]) -> Answer:
        """Tell it the moves so far, and have it search."""
        moves = " ".join(map(self._written, request["history"]))
        self._inner.tell(f"position startpos{' moves ' if moves else ''}{moves}", "isready")
        self._await_ready()
        self._inner.tell(f"go {self._limit(request['time'])}")
        info = ""
        while not (line := self._inner.hear()).startswith("bestmove"):
            info = line if line.startswith("info") else info
        move = line.removeprefix("bestmove").strip().partition(" ")[0]
        read = self._mirror(move) if self._mirror else self._notation.read(move, request["legal"])
        return Answer(read, info or line)

    def _written(self, move: str) -> str:
        if self._mirror is None:
            return self._notation.written(move).replace(" ", "")
        return NULL if move == "pass" else self._mirror(move)

    def _limit(self, time: dict[str, Any]) -> str:
        """How long it may search: with a bank by the time that it has in all, else for one move."""
        move_ms = max(1, time["move_ms"] - min(max(time["move_ms"] // 10, 10), MAX_SPARE_MS))
        if time["bank_ms"] is None:
            return f"movetime {move_ms}"
        left, more = move_ms + time["bank_ms"], self._time["increment_ms"]
        return f"p1time {left} p2time {left} p1inc {more} p2inc {more}"

    def _await_ready(self) -> None:
        while self._inner.hear().strip() != "readyok":
            pass

    def end(self) -> None:
        """End it."""
        self._inner.tell("quit")
        self._inner.end()


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
