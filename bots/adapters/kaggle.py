"""Kaggle's agents: the last function of a Python file, called with an observation and a configuration.

It runs in this very process, and gets what Kaggle's own board games give (`board` as one list of 0, 1 and 2,
`mark`, `step`, `remainingOverageTime`) besides all that the arena tells. It answers with a number, or with a
move in the arena's notation.
"""

from __future__ import annotations

import operator
import sys
from pathlib import Path

from bots.adapters.notation import Notation, usual
from bots.adapters.wire import Answer, note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

CELLS = {".": 0, "X": 1, "O": 2}
OTHER_CELL = 3


class Struct(dict):  # type: ignore[type-arg]  # as Kaggle's own: of any keys and values
    """A dictionary whose keys are attributes too, as Kaggle's observations are."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class Kaggle:
    """A bot that is a function."""

    def __init__(self, options: dict[str, Any], command: Sequence[str]) -> None:
        self.name = "kaggle agent"
        self._path = Path(command[-1])
        self._options = options

    def begin(self, hello: dict[str, Any]) -> None:
        """Read the file, and find its agent."""
        self._hello = hello
        self._agent = _agent_in(self._path)
        self.name = getattr(self._agent, "__name__", self.name)
        self._takes = _arguments(self._agent)

    def choose(self, request: dict[str, Any]) -> Answer:
        """Call the agent."""
        board = request["state"].get("board", [])
        seen = _observation(request, self._hello["seat"])
        told = _configuration(self._hello, board, request)
        action = self._agent(*(seen, told)[: self._takes])
        sys.stdout.flush()
        if not isinstance(action, str):
            try:
                action = str(operator.index(action))
            except TypeError:
                note(f"the agent returned {action!r:.200}, which is neither a number nor a text")
                return Answer(None)
        name = self._options.get("moves") or usual(self._hello["game"]["name"])
        columns = len(board[0]) if board else 0
        return Answer(Notation(name, columns).read(action, request["legal"]), f"action: {action}")

    def end(self) -> None:
        """There is nothing to end."""


def _agent_in(path: Path) -> Callable[..., Any]:
    """The last callable that the file defines at its top, as Kaggle takes it.

    Our own modules are forgotten first, so that the bot's own may have their names.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "bots"]:
        del sys.modules[name]
    sys.path.insert(0, str(path.parent))
    names: dict[str, Any] = {"__name__": "agent", "__file__": str(path)}
    exec(compile(path.read_bytes(), str(path), "exec"), names)  # noqa: S102  (that is what Kaggle does)
    found = [value for value in names.values() if callable(value)]
    if not found:
        sys.exit(f"{path.name} defines no function: Kaggle's agent is the last one of the file")
    return found[-1]  # type: ignore[no-any-return]  # it is callable


def _arguments(agent: Callable[..., Any]) -> int:
    """How many arguments it takes, at most two."""
    code = getattr(agent, "__code__", None)
    if code is None:  # an object, or a function of C
        return 2
    return 2 if code.co_flags & 0x04 else min(2, code.co_argcount)


def _observation(request: dict[str, Any], seat: int) -> Struct:
    state, time = request["state"], request["time"]
    rows = state.get("board", [])
    flat = [CELLS.get(cell, OTHER_CELL) for row in rows for cell in row]
    return Struct(
        {
            **state,
            "board": flat,
            "rows": rows,
            "mark": seat + 1,
            "player": seat,
            "step": request["ply"],
            "remainingOverageTime": (time["bank_ms"] or 0) / 1000,
            "legal": request["legal"],
            "history": request["history"],
        }
    )


def _configuration(hello: dict[str, Any], board: Sequence[str], request: dict[str, Any]) -> Struct:
    seconds = request["time"]["move_ms"] / 1000
    game = hello["game"]
    told = {
        **game["params"],
        "game": game["name"],
        "seed": hello["seed"],
        "actTimeout": seconds,
        "timeout": seconds,
        "agentTimeout": hello["time"]["startup_ms"] / 1000,
        "episodeSteps": hello["policy"]["max_plies"] or 1000,
        "rows": len(board),
        "columns": len(board[0]) if board else 0,
    }
    if game["name"] == "connect_four":
        told["inarow"] = 4
    return Struct(told)
