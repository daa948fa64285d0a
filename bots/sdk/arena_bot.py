"""Everything a Python bot needs to play in the arena. Copy this one file next to your bot.

A whole bot:

    from arena_bot import run

    class MyBot:
        name = "first-mover"
        version = "1"

        def choose(self, request):
            return request.legal[0]

    run(MyBot())

`choose` gets a `Request` and returns one of

    "d3"                    a move, one of request.legal
    ("d3", "because ...")   a move and a debug text (at most 4 KiB), kept in the match's record
    RESIGN                  to give the game up

What a bot may also have, all of it optional:

    name, version           texts shown with its results
    reusable = True         the process takes the next match too, instead of being started again
    start(hello)            a match begins: load tables here, this time is not thinking time
    end(message)            it is over: message["result"] is "win", "draw" or "loss"

Print as much as you like: whatever goes to stdout is sent to stderr, where you can read it after the match,
and `input()` finds nothing. An exception in your code ends the process with its traceback on stderr, and
loses the match. Nothing is started behind your back: no threads, no signals.
"""

from __future__ import annotations

import json
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` would cost every bot some milliseconds at its start
    from collections.abc import Iterator
    from random import Random
    from typing import Any

PROTOCOL = "arena/1"
RESIGN = object()
MAX_DEBUG_BYTES = 4096


class Match:
    """What stays the same in one match: the game, your seat, your seed, the time control."""

    def __init__(self, hello: dict[str, Any]) -> None:
        self.hello = hello
        self.game: str = hello["game"]["name"]
        self.params: dict[str, Any] = hello["game"]["params"]
        self.version: int = hello["game"]["version"]
        self.seat: int = hello["seat"]
        self.seed: int = hello["seed"]
        self._rng: Random | None = None

    @property
    def rng(self) -> Random:
        """A random source made from the match's seed, so that your games can be repeated."""
        if self._rng is None:
            from random import Random  # noqa: PLC0415  (only bots that roll dice pay for it)

            self._rng = Random(self.seed)  # noqa: S311  (games, not secrets)
        return self._rng


class Time:
    """The clock's state, in milliseconds.

    An answer is due within `move_ms`; `bank_ms` (None: there is none) is drawn on after that, then one of
    `extensions_left` is spent and the answer is due within `extension_ms` in all. Each answer adds
    `increment_ms` to the bank. Your last answer took `last_ms`.
    """

    def __init__(self, control: dict[str, Any], ledger: dict[str, Any]) -> None:
        self.move_ms: int = ledger["move_ms"]
        self.extensions_left: int = ledger["extensions_left"]
        self.extension_ms: int = control["extension_ms"]
        self.bank_ms: int | None = ledger["bank_ms"]
        self.increment_ms: int = control["increment_ms"]
        self.last_ms: int = ledger["last_ms"]


class Request:
    """One question: what do you play here?

    `state` is the position as the game's page describes it, `legal` the moves to choose from, `history` all
    moves so far, `ply` their number. `game`, `params`, `version`, `seat`, `seed` and `rng` are the match's.
    """

    def __init__(self, message: dict[str, Any], match: Match) -> None:
        self.received = time.monotonic()
        self.match = match
        self.id: int = message["id"]
        self.ply: int = message["ply"]
        self.state: dict[str, Any] = message["state"]
        self.legal: list[str] = message["legal"]
        self.history: list[str] = message["history"]
        self.time = Time(match.hello["time"], message["time"])
        self.game, self.params, self.version = match.game, match.params, match.version
        self.seat, self.seed = match.seat, match.seed

    @property
    def rng(self) -> Random:
        """The match's random source (see `Match.rng`)."""
        return self.match.rng

    def seconds_left(self) -> float:
        """Seconds until `move_ms` is over; less than 0 once the bank or an extension is being used."""
        return self.received + self.time.move_ms / 1000 - time.monotonic()


def run(bot: Any) -> None:
    """Play matches with `bot` until the referee has no more. Call this last in your file."""
    wire_in, wire_out = _take_the_wire()
    try:
        _converse(bot, wire_in, wire_out)
    finally:
        os.close(wire_out)
        sys.stdout.flush()


def _converse(bot: Any, wire_in: int, wire_out: int) -> None:
    match = None
    for line in _lines(wire_in):
        message = json.loads(line)
        kind = message.get("type")
        if kind == "hello":
            match = Match(message)
            _send(wire_out, _greet(bot, message))
        elif kind == "move" and match is not None:
            request = Request(message, match)
            _send(wire_out, _answer(request.id, bot.choose(request)))
        elif kind == "end":
            if hasattr(bot, "end"):
                bot.end(message)
            if not getattr(bot, "reusable", False):
                return


def _greet(bot: Any, hello: dict[str, Any]) -> dict[str, Any]:
    if PROTOCOL not in hello["protocols"]:
        sys.exit(f"this bot speaks {PROTOCOL}; the referee offers only {hello['protocols']}")
    if hasattr(bot, "start"):
        bot.start(hello)
    return {
        "type": "ready",
        "protocol": PROTOCOL,
        "name": getattr(bot, "name", type(bot).__name__),
        "version": str(getattr(bot, "version", "")),
        "reusable": bool(getattr(bot, "reusable", False)),
    }


def _answer(request_id: int, choice: Any) -> dict[str, Any]:
    if choice is RESIGN:
        return {"type": "resign", "id": request_id}
    move, debug = choice if isinstance(choice, tuple) else (choice, None)
    if not isinstance(move, str):
        raise TypeError(f"choose() must return a move such as 'd3', (move, text) or RESIGN, not {choice!r}")
    answer = {"type": "move", "id": request_id, "move": move}
    if debug:
        clean = str(debug).replace("\0", "").encode("utf-8", "replace")
        answer["debug"] = clean[:MAX_DEBUG_BYTES].decode("utf-8", "ignore")
    return answer


def _take_the_wire() -> tuple[int, int]:
    """Keep stdin and stdout for the protocol alone, under numbers that nobody else knows.

    From here on file descriptor 0 is empty and 1 is stderr, for child processes and C code too.
    """
    wire_in, wire_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a real stream in a process
    return wire_in, wire_out


def _lines(descriptor: int) -> Iterator[bytes]:
    rest = b""
    while chunk := os.read(descriptor, 65536):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines


def _send(descriptor: int, message: dict[str, Any]) -> None:
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]
