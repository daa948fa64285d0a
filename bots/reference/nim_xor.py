"""A bot that plays heap Nim perfectly, by the exclusive or of the heaps.

Whoever faces heaps whose exclusive or is 0 loses. In the misère game this holds as long as some heap has
two or more; with only single ones left, whoever faces an odd number of them loses. The bot plays the first
legal move that leaves the other side such a position. Where there is none it is lost against perfect play,
and takes one from the (first) largest heap: the game lasts, and the other side has to find an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Any

from bots.reference.rules import position, require_game
from bots.sdk.arena_bot import Request, run


class Bot:
    """Plays Nim."""

    name = "nim_xor"
    version = "1"
    reusable = True

    def start(self, hello: dict[str, Any]) -> None:
        """Refuse every game but heap Nim."""
        self._game = require_game(self.name, hello, "heap_nim")

    def choose(self, request: Request) -> str:
        """A winning move, or one from the largest heap."""
        game = self._game
        state = position(game, request)
        misere = game.params["misere"]
        for text in request.legal:
            if is_lost(game.play(state, game.move_from_text(text)).heaps, misere=misere):
                return text
        return f"{state.heaps.index(max(state.heaps)) + 1}:1"


def is_lost(heaps: Sequence[int], *, misere: bool) -> bool:
    """Whether the side to move loses against perfect play."""
    if misere and max(heaps) <= 1:
        return sum(heaps) % 2 == 1
    return reduce(xor, heaps) == 0


if __name__ == "__main__":
    run(Bot())
