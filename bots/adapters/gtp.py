"""GTP, the Go Text Protocol, version 2, as engines of Go, Reversi and other games speak it."""

from __future__ import annotations

from bots.adapters.inner import Inner, UnreadableError
from bots.adapters.notation import Notation, is_square
from bots.adapters.reversi import EIGHT, Mirror
from bots.adapters.wire import Answer, Resigned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

COLORS = ("black", "white")
LEFT_OUT = "i"
"""GTP's columns have no letter I, since it looks like J."""


class Gtp:
    """An engine to which each move is told once; it remembers the game.

    In Reversi squares are GTP's, on the usual board; in other games its vertices are the arena's moves, or
    those of `moves` in `bot.toml`.
    """

    def __init__(self, options: dict[str, Any], command: Sequence[str]) -> None:
        self.name = "gtp engine"
        self._command = command
        self._moves = Notation(options.get("moves", "arena"))

    def begin(self, hello: dict[str, Any]) -> None:
        """Start it, and have it set up the game."""
        game = hello["game"]
        self._color = COLORS[hello["seat"]]
        self._mirror = Mirror(game["params"]) if game["name"] == "reversed_reversi" else None
        self._told = 0
        self._inner = Inner(self._command, hello["limits"]["line_bytes"])
        self.name = self._ask("name")
        self._knows = set(self._ask("list_commands").split())
        if self._mirror is not None:
            if "set_game" in self._knows:
                self._ask("set_game Othello")
            self._ask(f"boardsize {self._mirror.size}")
        self._ask("clear_board")

    def choose(self, request: dict[str, Any]) -> Answer | Resigned:
        """Tell it what was played since, and have it move."""
        history = request["history"]
        for ply in range(self._told, len(history)):
            self._play(COLORS[ply % 2], history[ply])
        self._tell_time(request["time"])
        vertex = self._ask(f"genmove {self._color}")
        if vertex.lower() == "resign":
            return Resigned()
        move = self._move(vertex, request["legal"])
        self._told = len(history) + 1
        return Answer(move, f"genmove: {vertex}")

    def _play(self, color: str, move: str) -> None:
        """Tell it a move. A pass it may refuse: some know by themselves when there is nothing else."""
        try:
            self._ask(f"play {color} {self._vertex(move)}")
        except UnreadableError as error:
            if move != "pass" or not error.received.startswith(b"?"):
                raise
            self._inner.hear()

    def _tell_time(self, time: dict[str, Any]) -> None:
        seconds = max(1, time["move_ms"] // 1000)
        bank = (time["bank_ms"] or 0) // 1000
        if "time_settings" in self._knows and not self._told:
            self._ask(f"time_settings {bank} {seconds} 1")
        if "time_left" in self._knows:
            self._ask(f"time_left {self._color} {bank or seconds} {0 if bank else 1}")

    def _vertex(self, move: str) -> str:
        if self._mirror is None:
            return self._moves.written(move).replace(" ", "")
        mirrored = self._mirror(move)
        if self._mirror.size > EIGHT and is_square(mirrored) and mirrored[0] >= LEFT_OUT:
            return chr(ord(mirrored[0]) + 1) + mirrored[1:]
        return mirrored

    def _move(self, vertex: str, legal: Sequence[str]) -> str:
        if self._mirror is None:
            return self._moves.read(vertex, legal)
        square = vertex.lower()
        if self._mirror.size > EIGHT and is_square(square) and square[0] > LEFT_OUT:
            square = chr(ord(square[0]) - 1) + square[1:]
        return self._mirror(square)

    def _ask(self, command: str) -> str:
        """Its answer to a command: all lines up to an empty one.

        Raises:
            UnreadableError: it refuses, or writes what is no answer.
        """
        self._inner.tell(command)
        while not (line := self._inner.hear()).strip():
            pass
        if not line.startswith("="):
            raise UnreadableError(line.encode())
        lines = [line[1:].strip()]
        while (line := self._inner.hear()).strip():
            lines.append(line.strip())
        return "\n".join(lines).strip()

    def end(self) -> None:
        """End it."""
        self._inner.tell("quit")
        self._inner.end()
