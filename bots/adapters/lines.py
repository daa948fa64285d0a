"""Line protocols as on CodinGame, each after a template that the bot brings along.

A template is a list of lines with fields in braces. A line that is nothing but a field with a list becomes a
line for each of its items; in other lines a list is joined by spaces.
"""

from __future__ import annotations

import re
import sys

from bots.adapters.inner import Inner
from bots.adapters.notation import Notation
from bots.adapters.wire import Answer, Garbage, note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

FIELD = re.compile(r"\{(\w+(?:\.\w+)*)\}")


class Lines:
    """A bot that reads lines of numbers and words."""

    def __init__(self, options: dict[str, Any], command: Sequence[str]) -> None:
        self.name = "lines bot"
        self._command = command
        self._template = options["lines"]
        self._moves = options.get("moves", "arena")
        answer = map(re.escape, self._template["answer"].split("{move}", 1))
        move = r"(?P<move>\S+ +\S+)" if self._moves in {"xy", "yx"} else r"(?P<move>\S+)"
        self._answer = re.compile(move.join(answer) + r"(?P<more>\s.*)?")

    def begin(self, hello: dict[str, Any]) -> None:
        """Start it; the lines of its beginning it gets with those of its first turn."""
        self._hello = hello
        self._inner = Inner(self._command, hello["limits"]["line_bytes"])
        self._due = list(self._template["start"])

    def choose(self, request: dict[str, Any]) -> Answer | Garbage:
        """Tell it the turn, and read a line."""
        if unasked := self._inner.unasked():
            note("the bot wrote more than one line for one answer")
            return Garbage(unasked)
        board = request["state"].get("board", [])
        notation = Notation(self._moves, len(board[0]) if board else 0)
        fields = self._fields(request, notation)
        self._inner.tell(*_filled([*self._due, *self._template["turn"]], fields))
        self._due = []
        line = self._inner.hear()
        said = self._answer.fullmatch(line.strip())
        if not said:
            return Garbage(line.encode())
        return Answer(notation.read(said["move"], request["legal"]), (said["more"] or "").strip())

    def _fields(self, request: dict[str, Any], notation: Notation) -> dict[str, Any]:
        legal, history, seat = request["legal"], request["history"], self._hello["seat"]
        written = [notation.written(move, legal) for move in legal]
        last = notation.written(history[-1]) if history else self._template["none"]
        return {
            "seat": seat,
            "opponent": 1 - seat,
            "ply": request["ply"],
            "turn": request["ply"] // 2 + 1,
            "game": self._hello["game"]["name"],
            "params": self._hello["game"]["params"],
            "state": request["state"],
            "board": self._cells(request["state"].get("board", [])),
            "legal": written,
            "history": [notation.written(move) for move in history],
            "last": last if last != "pass" else self._template["none"],
            **{key: request["time"][key] or 0 for key in ("move_ms", "bank_ms", "extensions_left")},
        }

    def _cells(self, board: Sequence[str]) -> list[str]:
        table = self._template["cells"]
        return [self._template["between"].join(table.get(cell, cell) for cell in row) for row in board]

    def end(self) -> None:
        """End it."""
        self._inner.end()


def _filled(template: Sequence[str], fields: dict[str, Any]) -> Iterator[str]:
    for line in template:
        whole = FIELD.fullmatch(line)
        value = _value(whole[1], fields) if whole else None
        if isinstance(value, list):
            yield from map(_text, value)
        else:
            yield FIELD.sub(lambda field: _text(_value(field[1], fields)), line)


def _value(name: str, fields: dict[str, Any]) -> Any:
    value: Any = fields
    for part in name.split("."):
        if part == "count" and isinstance(value, list):
            value = len(value)
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            sys.exit(f"the template names {{{name}}}, and there is none here")
    return value


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return " ".join(map(_text, value)) if isinstance(value, list) else str(value)
