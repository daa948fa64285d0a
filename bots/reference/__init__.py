"""The reference bots: every player of `engines.strategies` under its name, and some that only are bots.

Each is a bot process and can also be used in-process. One that plays with parameters is written with them,
such as `algo3:10000:7`; without them it has its usual ones.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from engines.strategies import STRATEGIES

if TYPE_CHECKING:  # it would cost every bot some milliseconds at its start
    from pathlib import Path

STRATEGY = "bots.reference.strategy"
"""The module that speaks for any strategy."""


class ReferenceBot(NamedTuple):
    """One reference bot. `games` are the names of those it plays, None if it plays any.

    `module` holds its class `Bot`, and is what `python -m` runs. That of the strategies serves all of them,
    and is told which one.
    """

    name: str
    description: str
    games: tuple[str, ...] | None
    module: str

    @property
    def is_strategy(self) -> bool:
        """Whether it speaks for a player of `engines.strategies`, and may have parameters."""
        return self.module == STRATEGY

    def plays(self, game: str) -> bool:
        """Whether it knows the game of that name."""
        return self.games is None or game in self.games


class UnknownBotError(Exception):
    """No reference bot has that name, or it takes no parameters; the message lists those that there are."""


_BOTS = (
    *(ReferenceBot(name, known.description, known.games, STRATEGY) for name, known in STRATEGIES.items()),
    ReferenceBot(
        "greedy",
        "the best score right after its own move, looking no further",
        None,
        "bots.reference.greedy",
    ),
    ReferenceBot(
        "group8",
        "a class's depth-5 alpha-beta with its weights, quirks kept",
        ("reversed_reversi",),
        "bots.reference.group8",
    ),
    ReferenceBot(
        "strong",
        "searches as deep as its time allows, plays endings perfectly",
        ("reversed_reversi",),
        "bots.reference.strong",
    ),
)

REFERENCE: dict[str, ReferenceBot] = {bot.name: bot for bot in _BOTS}


def find_reference(text: str) -> ReferenceBot:
    """The reference bot that `text` names, with or without parameters; whether these are right a game tells.

    Raises:
        UnknownBotError: there is none.
    """
    name, *parameters = text.split(":")
    if name not in REFERENCE:
        names = ", ".join(sorted(REFERENCE))
        raise UnknownBotError(f"there is no reference bot {name[:40]!r}; there are {names}")
    if parameters and not REFERENCE[name].is_strategy:
        raise UnknownBotError(f"the reference bot {name} takes no parameters, not {text[:40]!r}")
    return REFERENCE[name]


def command(text: str, tables: Path | None = None) -> tuple[str, ...]:
    """The command that starts the bot as a process of this installation.

    `tables` is the folder of tables that it may use; see `bots.reference.ready`.

    Raises:
        UnknownBotError: there is no such bot.
    """
    bot = find_reference(text)
    if not bot.is_strategy:
        return (sys.executable, "-m", bot.module)
    return (sys.executable, "-m", bot.module, text, *([] if tables is None else [str(tables)]))


def make(text: str) -> Any:
    """The bot as an object of this process, with `start(hello)` and `choose(request)`.

    Raises:
        UnknownBotError: there is no such bot.
    """
    bot = find_reference(text)
    maker = importlib.import_module(bot.module).Bot
    return maker(text) if bot.is_strategy else maker()
