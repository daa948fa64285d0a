"""The reference bots: every strategy under its name, and some that only are bots.

Each is a bot process, and but for programs in C can also be used in-process. One that plays with parameters
is written with them, such as `algo3:10000:7`; without them it has its usual ones.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from engines.games import GAMES, all_games
from engines.plugin import BOTS, PLAYERS, GamePlugin

if TYPE_CHECKING:  # it would cost every bot some milliseconds at its start
    from pathlib import Path

    from engines.game import Game

STRATEGY = "bots.reference.strategy"
"""The module that speaks for any strategy."""
COMPILED, COMPILING = "bots.reference.compiled", "bots.reference.compiling"
"""The module that becomes any program in C, and the one that makes these. They are named, not imported, as no
bot that is packed has need of them."""


class ReferenceBot(NamedTuple):
    """One reference bot. `games` are the names of those it plays, None if it plays any.

    `module` holds its class `Bot`, and is what `python -m` runs. That of the strategies serves all of them,
    and is told which one. `only` and `levels` are those of `engines.plugin.Player`: with levels it is a
    program in C, and `module` the package with its sources.
    """

    name: str
    description: str
    games: tuple[str, ...] | None
    module: str
    only: Mapping[str, tuple[Any, ...]] | None = None
    levels: int = 0

    @property
    def is_strategy(self) -> bool:
        """Whether it speaks for a player of `engines.strategies`, and may have parameters."""
        return self.module == STRATEGY

    @property
    def form(self) -> str:
        """How it is written, its parameters in brackets."""
        return f"{self.name}[:LEVEL]" if self.levels else self.name

    def level(self, text: str) -> int:
        """The level of a program in C that `text` names, the strongest where it names none.

        Raises:
            UnknownBotError: there is no such level.
        """
        _, colon, level = text.partition(":")
        if not colon:
            return self.levels
        if level not in map(str, range(1, self.levels + 1)):
            raise UnknownBotError(
                f"the reference bot {self.name} has the levels {self.name}:1 to {self.name}:{self.levels},"
                f" not {text[:40]!r}"
            )
        return int(level)

    def plays(self, game: str) -> bool:
        """Whether it knows the game of that name."""
        return self.games is None or game in self.games

    def why_not(self, game: Game[Any]) -> str | None:
        """Why it cannot play a game of its own with these parameters; None if it can."""
        only = self.only or {}
        if all(game.params.get(name) in values for name, values in only.items()):
            return None
        wanted = (
            f"without {name}" if values == (None,) else f"with {name}={' or '.join(map(json.dumps, values))}"
            for name, values in only.items()
        )
        return f"the reference bot {self.name} plays {game.name} only {' and '.join(wanted)}"

    def require(self, game: Game[Any]) -> None:
        """Refuse a game of its own that it cannot play with these parameters.

        Raises:
            UnknownBotError: it cannot.
        """
        why = self.why_not(game)
        if why is not None:
            raise UnknownBotError(why)


class UnknownBotError(Exception):
    """No reference bot has that name, or plays so; the message says which there are, or how it plays."""


def reference_bots(games: Mapping[str, GamePlugin]) -> dict[str, ReferenceBot]:
    """The bots of every game, and those of these `games` alone, by name."""
    own = [(row, name, player) for row in games.values() for name, player in row.players.items()]
    only = [(row, name, player) for row in games.values() for name, player in row.bots.items()]
    bots = (
        *(ReferenceBot(name, player.description, None, STRATEGY) for name, player in PLAYERS.items()),
        *(
            ReferenceBot(name, player.description, (row.name,), STRATEGY)
            for row, name, player in own
            if name not in PLAYERS
        ),
        *(ReferenceBot(name, player.description, None, player.module) for name, player in BOTS.items()),
        *(
            ReferenceBot(name, bot.description, (row.name,), bot.module, bot.only, bot.levels)
            for row, name, bot in only
        ),
    )
    return {bot.name: bot for bot in bots}


REFERENCE: dict[str, ReferenceBot] = reference_bots(GAMES)
"""The bots for the games that are here."""


def known_bots(text: str) -> dict[str, ReferenceBot]:
    """The bots among which `text` is looked for: what is installed besides only counts where it is needed."""
    return REFERENCE if text.partition(":")[0] in REFERENCE else reference_bots(all_games())


def find_reference(text: str) -> ReferenceBot:
    """The reference bot that `text` names, with or without parameters; a strategy's are judged by a game.

    Raises:
        UnknownBotError: there is none.
    """
    name, *parameters = text.split(":")
    bots = known_bots(text)
    if name not in bots:
        names = ", ".join(sorted(bots))
        raise UnknownBotError(f"there is no reference bot {name[:40]!r}; there are {names}")
    if bots[name].levels:
        bots[name].level(text)
    elif parameters and not bots[name].is_strategy:
        raise UnknownBotError(f"the reference bot {name} takes no parameters, not {text[:40]!r}")
    return bots[name]


def command(text: str, tables: Path | None = None) -> tuple[str, ...]:
    """The command that starts the bot as a process of this installation.

    `tables` is the folder of tables that it may use; see `bots.reference.ready`.

    Raises:
        UnknownBotError: there is no such bot, or no compiler for it here.
    """
    bot = find_reference(text)
    if bot.levels:
        program = importlib.import_module(COMPILING).program_of(bot, tables)
        return (sys.executable, "-m", COMPILED, str(program), str(bot.level(text)))
    if not bot.is_strategy:
        return (sys.executable, "-m", bot.module)
    return (sys.executable, "-m", bot.module, text, *([] if tables is None else [str(tables)]))


def make(text: str) -> Any:
    """The bot as an object of this process, with `start(hello)` and `choose(request)`.

    Raises:
        UnknownBotError: there is no such bot, or it only is a process.
    """
    bot = find_reference(text)
    if bot.levels:
        raise UnknownBotError(f"the reference bot {bot.name} is a program in C, and plays as a process only")
    maker = importlib.import_module(bot.module).Bot
    return maker(text) if bot.is_strategy else maker()
