"""Botzone's JSON: all requests and responses of the game in one line, and one line back.

Botzone starts a bot for each answer; one that is kept running gets everything with its first line and one
request with each later one, and says `MARK` after each answer. In Reversi a request and a response are
`{"x": …, "y": …}`, column and row from 0 and -1 for none, as on Botzone; in other games `{"move": …}` in the
arena's notation.
"""

from __future__ import annotations

import json

from bots.adapters.inner import Inner, UnreadableError
from bots.adapters.notation import is_square, place_of, square
from bots.adapters.reversi import Mirror
from bots.adapters.wire import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

MARK = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
NOWHERE = {"x": -1, "y": -1}


class _Words:
    """Moves as requests and responses of one game, seen by one seat."""

    def __init__(self, hello: dict[str, Any]) -> None:
        self._seat = hello["seat"]
        game = hello["game"]
        self._mirror = Mirror(game["params"]) if game["name"] == "reversed_reversi" else None
        self._first = {"game": game["name"], "params": game["params"], "seat": self._seat}

    def requests(self, request: dict[str, Any]) -> list[Any]:
        """One for each time that it was this seat's turn, the last one for what is asked now."""
        before = [None, *request["history"]][self._seat :: 2]
        told = [self._of(move) for move in before]
        if self._mirror is None:
            told[0] = {**told[0], **self._first}
            told[-1] = {**told[-1], "state": request["state"], "legal": request["legal"]}
        return told

    def responses(self, request: dict[str, Any]) -> list[Any]:
        """What this seat has played."""
        return [self._of(move) for move in request["history"][self._seat :: 2]]

    def _of(self, move: str | None) -> dict[str, Any]:
        if self._mirror is None:
            return {"move": move}
        if move is None or not is_square(move):
            return NOWHERE
        x, y = place_of(self._mirror(move))
        return {"x": x, "y": y}

    def read(self, response: Any) -> Any:
        """A response as a move of the arena's; what is none, as it is."""
        if self._mirror is None:
            return response.get("move") if isinstance(response, dict) else response
        if not isinstance(response, dict) or not all(type(response.get(key)) is int for key in "xy"):
            return json.dumps(response)
        if response == NOWHERE:
            return "pass"
        if not all(0 <= response[key] < self._mirror.size for key in "xy"):
            return json.dumps(response)
        return self._mirror(square(response["x"], response["y"]))


class Botzone:
    """A bot that is started for each answer."""

    def __init__(self, options: dict[str, Any], command: Sequence[str]) -> None:
        del options
        self.name = "botzone bot"
        self._command = command
        self._data: Any = ""
        self._globaldata: Any = ""

    def begin(self, hello: dict[str, Any]) -> None:
        """Learn what is played."""
        self._words = _Words(hello)
        self._limits = hello["limits"]

    def choose(self, request: dict[str, Any]) -> Answer:
        """Start it, tell it all, and take its answer."""
        inner = Inner(self._command, self._limits["line_bytes"])
        inner.tell(self._input(request))
        inner.close_stdin()
        try:
            return self._answer(inner.hear_all(MARK))
        finally:
            inner.kill()

    def _input(self, request: dict[str, Any]) -> str:
        told = {
            "requests": self._words.requests(request),
            "responses": self._words.responses(request),
            "data": self._data,
            "globaldata": self._globaldata,
            "time_limit": request["time"]["move_ms"] / 1000,
            "memory_limit": self._limits["memory_mb"],
        }
        return json.dumps(told)

    def _answer(self, said: str) -> Answer:
        try:
            output = json.loads(said)
            response = output["response"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise UnreadableError(said.encode()) from None
        self._data = output.get("data", "")
        self._globaldata = output.get("globaldata", self._globaldata)
        debug = output.get("debug")
        text = debug if isinstance(debug, str) else json.dumps(debug) if debug else said
        return Answer(self._words.read(response), text)

    def end(self) -> None:
        """It has ended with its last answer."""


class KeptRunning(Botzone):
    """A bot that goes on after its first answer.

    It is asked for passes too, as Botzone does: the arena asks nobody for one, so they are made up for
    before its next turn.
    """

    def begin(self, hello: dict[str, Any]) -> None:
        """Start it."""
        super().begin(hello)
        self._inner = Inner(self._command, self._limits["line_bytes"])
        self._told = 0

    def choose(self, request: dict[str, Any]) -> Answer:
        """Tell it what it has not been told yet; its last answer counts."""
        requests = self._words.requests(request)
        if not self._told:
            self._inner.tell(self._input(request))
            said = self._inner.hear_all(MARK)
        for each in requests[self._told :] if self._told else ():
            self._inner.tell(json.dumps(each))
            said = self._inner.hear_all(MARK)
        self._told = len(requests)
        return self._answer(said)

    def end(self) -> None:
        """End it."""
        self._inner.end()
