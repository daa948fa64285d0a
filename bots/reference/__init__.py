"""The reference bots, in one explicit table. Each is a bot process and can also be used in-process."""

from __future__ import annotations

import importlib
import sys
from typing import Any, NamedTuple


class ReferenceBot(NamedTuple):
    """One reference bot. `games` are the names of those it plays, None if it plays any."""

    name: str
    description: str
    games: tuple[str, ...] | None

    @property
    def module(self) -> str:
        """The module that holds its class `Bot` and that `python -m` runs."""
        return f"bots.reference.{self.name}"

    def plays(self, game: str) -> bool:
        """Whether it knows the game of that name."""
        return self.games is None or game in self.games


class UnknownBotError(Exception):
    """No reference bot has that name; the message lists those that there are."""


_BOTS = (
    ReferenceBot("random", "any legal move, each equally likely", None),
    ReferenceBot("greedy", "the best score right after its own move, looking no further", None),
    ReferenceBot(
        "group8", "a class's depth-5 alpha-beta with its weights, quirks kept", ("reversed_reversi",)
    ),
    ReferenceBot(
        "strong", "searches as deep as its time allows, plays endings perfectly", ("reversed_reversi",)
    ),
    ReferenceBot("nim_xor", "perfect heap Nim", ("heap_nim",)),
)

REFERENCE: dict[str, ReferenceBot] = {bot.name: bot for bot in _BOTS}


def find_reference(name: str) -> ReferenceBot:
    """The reference bot of that name.

    Raises:
        UnknownBotError: there is none.
    """
    if name not in REFERENCE:
        raise UnknownBotError(f"there is no reference bot {name!r}; there are {', '.join(sorted(REFERENCE))}")
    return REFERENCE[name]


def command(name: str) -> tuple[str, ...]:
    """The command that starts the bot as a process of this installation.

    Raises:
        UnknownBotError: there is no such bot.
    """
    return (sys.executable, "-m", find_reference(name).module)


def make(name: str) -> Any:
    """The bot as an object of this process, with `start(hello)` and `choose(request)`.

    Raises:
        UnknownBotError: there is no such bot.
    """
    return importlib.import_module(find_reference(name).module).Bot()
