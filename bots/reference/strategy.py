"""Any player of `engines.strategies` as a bot: ``python -m bots.reference.strategy algo3:10000:7 [TABLES]``.

Its chance is drawn from the seed of the match. TABLES is the folder with the exact solutions and the large
sets of records, for those that need them; a bot's process knows no other folder of this machine.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from bots.reference import find_reference
from bots.reference.rules import position, require_game
from bots.sdk.arena_bot import Request, run
from engines.game import GameError
from engines.strategies import find_strategy
from engines.stream import Stream


class Bot:
    """Speaks for the player that is written as `text`; from its first match on it calls itself by its name.

    `tables` is the folder with its tables, where it is not to look for one itself.
    """

    version = "1"
    reusable = True

    def __init__(self, text: str, tables: str | None = None) -> None:
        self.name = self._text = text
        if tables is not None:
            os.environ["ARENA_TABLES_DIR"] = tables

    def start(self, hello: dict[str, Any]) -> None:
        """Find the player of this game, and whatever it looks its moves up in."""
        self._game = require_game(self._text, hello, *(find_reference(self._text).games or ()))
        try:
            self._player = find_strategy(self._text, self._game)
        except GameError as error:
            sys.exit(f"{self._text} cannot play this: {error}")
        except ImportError as error:
            sys.exit(f"{self._text} has no table of this game here, and cannot make one: {error}")
        prepare = getattr(self._player, "prepare", None)
        if prepare is not None:
            prepare(hello["seat"])
        self.name = self._player.name
        self._stream = Stream("bot", hello["seed"])

    def choose(self, request: Request) -> str:
        """The player's move."""
        game = self._game
        history = [game.move_from_text(text) for text in request.history]
        return game.move_to_text(self._player.choose(position(game, request), history, self._stream))


if __name__ == "__main__":
    run(Bot(*sys.argv[1:]))
