"""Players that know the rules: from a state to a move, chance drawn from the game's stream.

They play in-process in simulations, and the reference bots of the same names speak for them as processes.
A player is written as its name and, after colons, its parameters: `random`, `perfect`, `algo3:10000:7`.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from engines.game import Game, GameError, Move
from engines.stream import Stream


class StrategyError(GameError):
    """No such player of this game, or its parameters are out of range; the message says what there is."""


class Strategy(Protocol):
    """A player of one game. It keeps nothing between its choices.

    `name` is how it is written with every parameter filled in: equal names play equally.
    """

    name: str

    def choose(self, state: Any, history: Sequence[Move], stream: Stream) -> Move:
        """A legal move in `state`, which the moves of `history` led to from the initial state."""


class Known(NamedTuple):
    """A player that can be named: how it is written, what it does, its module and the class in it.

    The class is called with the game and the parameters' texts; it raises `StrategyError` for wrong ones.
    `games` are those that it plays, None if any.
    """

    form: str
    description: str
    module: str
    maker: str
    games: tuple[str, ...] | None = None


STRATEGIES: dict[str, Known] = {
    "random": Known("random", "any legal move, each equally likely", "engines.strategies.random", "find"),
    "perfect": Known(
        "perfect",
        "wins as fast as it can, else draws, else loses as late as it can",
        "engines.strategies.perfect",
        "find",
    ),
    "algo1": Known(
        "algo1[:RECORDS[:SEED]]",
        "the document's first algorithm: winning records",
        "engines.strategies.algorithms",
        "find_first",
        ("circle_nim",),
    ),
    "algo2": Known(
        "algo2[:RECORDS[:SEED]]",
        "the document's second algorithm: winning and losing records",
        "engines.strategies.algorithms",
        "find_second",
        ("circle_nim",),
    ),
    "algo3": Known(
        "algo3[:RECORDS[:SEED]]",
        "the document's third algorithm: winning and losing records, then the odd rule",
        "engines.strategies.algorithms",
        "find_third",
        ("circle_nim",),
    ),
    "xor": Known(
        "xor",
        "the document's rule: leave heaps whose exclusive or is 0",
        "engines.strategies.heap_nim",
        "find",
        ("heap_nim",),
    ),
}
"""Every player by name."""


def find_strategy(text: str, game: Game[Any]) -> Strategy:
    """The player of `game` that `text` names.

    Raises:
        StrategyError: there is none of that name for this game, or its parameters are wrong.
    """
    name, *parameters = text.split(":")
    known = STRATEGIES.get(name)
    if known is None or (known.games is not None and game.name not in known.games):
        forms = [each.form for each in STRATEGIES.values() if each.games is None or game.name in each.games]
        raise StrategyError(f"{game.name} has no player {text[:40]!r}; there are {', '.join(sorted(forms))}")
    maker = getattr(importlib.import_module(known.module), known.maker)
    strategy: Strategy = maker(game, *parameters)
    return strategy
