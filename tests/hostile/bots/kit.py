"""What hostile bots are made of: their list, a way to talk, and a way to say what they were refused.

A bot is a function with the one end that is allowed to its match. `attack` is for those that do their deed
when they are first asked and play on honestly; `talk` for those that lead the whole conversation themselves.
Whatever should have been refused and was not is said on stderr after the word BREACH. Only the standard
library is needed, so that a copy of this folder is an upload.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

BREACH = "BREACH"
REFUSED = "refused"
DONE = "attack over"
PLAYS = "plays"
"""The end of a bot that was refused everything: it plays its match to the last move."""

REFUSALS = (OSError, ValueError, MemoryError, AttributeError, ImportError, RuntimeError)

Deed = Callable[[], None]


class Case(NamedTuple):
    """A hostile bot. `ends` are the codes that its forfeit may have, or `PLAYS`; `limits` are its own."""

    name: str
    deed: Deed
    ends: tuple[str, ...]
    talks: bool
    move_ms: int
    pause_ms: int
    limits: dict[str, int]

    @property
    def hurried_start(self) -> bool:
        """Whether its fault is to take too long until it is ready."""
        return self.talks and self.ends == ("startup",) and self.move_ms < SLOW_MS

    @property
    def about(self) -> str:
        """What the bot does, in the words of its docstring."""
        return (self.deed.__doc__ or "").strip()


CASES: dict[str, Case] = {}
SLOW_MS = 200_000
"""For bots that are not after the clock: never the reason why a match ends, however busy the host is."""


def attack(
    *ends: str, move_ms: int = SLOW_MS, pause_ms: int = 0, talks: bool = False, **limits: int
) -> Callable[[Deed], Deed]:
    """Register a bot that plays honestly but for one deed; its opponent thinks for `pause_ms` a move."""

    def register(deed: Deed) -> Deed:
        group = deed.__module__.rpartition(".")[2]
        name = f"{group}.{deed.__name__}"
        CASES[name] = Case(name, deed, ends or (PLAYS,), talks, move_ms, pause_ms, limits)
        return deed

    return register


def talk(*ends: str, move_ms: int = SLOW_MS, pause_ms: int = 0, **limits: int) -> Callable[[Deed], Deed]:
    """Register a bot that does all of its talking itself."""
    return attack(*ends, move_ms=move_ms, pause_ms=pause_ms, talks=True, **limits)


def given(key: str) -> Any:
    """What the bot was told of its surroundings, such as the number of the worker's process."""
    return json.loads(sys.argv[2])[key]


# --- saying what happened ------------------------------------------------------------------------------


def note(words: str) -> None:
    """Put a line on stderr."""
    os.write(2, f"{words}\n".encode("utf-8", "backslashreplace"))


def breach(what: str, value: object = "") -> None:
    """Say that something was possible that must not be."""
    note(f"{BREACH} {what}: {value!r:.200}")


def refused(what: str, call: Callable[..., object], *arguments: Any) -> None:
    """Do what must be refused, and say whether it was."""
    try:
        value = call(*arguments)
    except REFUSALS as error:
        note(f"{REFUSED} {what}: {error!r:.200}")
    else:
        breach(what, value)


def bounded(what: str, count: int, most: int) -> None:
    """Say whether no more than `most` could be had of something."""
    if count > most:
        breach(f"{what}: {count} instead of at most {most}")
    else:
        note(f"{REFUSED} more than {count} {what}")


# --- talking -------------------------------------------------------------------------------------------


def hear() -> dict[str, Any]:
    """The next message; the end of the input ends the bot."""
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    message: dict[str, Any] = json.loads(line)
    return message


def say(**message: Any) -> None:
    """Send one message."""
    raw(json.dumps(message).encode() + b"\n")


def raw(data: bytes) -> None:
    """Send bytes as they are."""
    while data:
        data = data[os.write(1, data) :]


def get_ready() -> None:
    """Answer `hello` as an honest bot does."""
    hear()
    say(type="ready", protocol="arena/1", name="hostile", version="1")


def answer(question: dict[str, Any]) -> None:
    """Give the first legal move."""
    say(type="move", id=question["id"], move=question["legal"][0])


def first_question() -> dict[str, Any]:
    """Get ready like an honest bot, and wait for the first question."""
    get_ready()
    return hear()


def play_on(question: dict[str, Any]) -> None:
    """Answer this question and all that follow."""
    while question["type"] == "move":
        answer(question)
        question = hear()


def main() -> NoReturn:
    """Be the bot that the first argument names."""
    name = sys.argv[1]
    importlib.import_module(f"{__package__}.{name.partition('.')[0]}")
    case = CASES[name]
    if case.talks:
        case.deed()
    else:
        question = first_question()
        case.deed()
        note(DONE)
        play_on(question)
    sys.exit(0)
