"""Whether a reference bot can play a game, and what it needs on disk for it, seen to before it is started."""

from __future__ import annotations

from typing import Any

from bots.reference import UnknownBotError, find_reference
from bots.reference.compiling import compile_bot
from engines.game import Game
from engines.games import find_game, find_row
from engines.solvers import find_oracle
from engines.solvers.best_response import find_response
from engines.solvers.oracle import Progress, no_progress
from engines.strategies import find_strategy

PERFECT = "perfect"
BEST_RESPONSE = "best_response"
FROM_TABLES = frozenset({PERFECT, BEST_RESPONSE, "person", "learner"})
"""Strategies that play from tables, which can take long to be made at first."""


def soon_ready(game: Game[Any]) -> list[str]:
    """The strategies that play `game` from tables which are made within seconds."""
    solver = find_row(game.name).solver
    if solver is None:
        return []
    packed = [params for params in solver.packed if find_game(game.name, params).params == game.params]
    solved = FROM_TABLES if packed or solver.quick else frozenset[str]()
    if all(params in solver.without_response for params in packed):
        solved -= {BEST_RESPONSE}
    return sorted(name for name in solved if find_reference(name).plays(game.name))


def make_ready(text: str, game: Game[Any], progress: Progress = no_progress) -> None:
    """Make the tables that the bot needs for `game`, or its program, where they are not on disk yet.

    Raises:
        UnknownBotError: there is no such bot, or it does not play this game, or not with these parameters; or
            it is a program in C that cannot be compiled here.
        StrategyError: its parameters are wrong.
        SolverError: it plays solved games only, and this one cannot be solved.
    """
    bot = find_reference(text)
    if bot.games is not None and not bot.plays(game.name):
        raise UnknownBotError(f"the reference bot {bot.name} plays {', '.join(bot.games)}, not {game.name}")
    bot.require(game)
    if bot.levels:
        compile_bot(bot)
    if text == PERFECT:
        find_oracle(game, progress)
    if text == BEST_RESPONSE:
        find_response(game, progress)
    if bot.is_strategy:
        keep = getattr(find_strategy(text, game), "keep", None)
        if keep is not None:
            keep()
