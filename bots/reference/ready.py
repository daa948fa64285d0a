"""Whether a reference bot can play a game, and what it needs on disk for it, seen to before it is started."""

from __future__ import annotations

from typing import Any

from bots.reference import UnknownBotError, find_reference
from engines.game import Game
from engines.solvers import find_oracle
from engines.solvers.oracle import Progress, no_progress
from engines.strategies import find_strategy
from engines.strategies.algorithms import Algorithm

PERFECT = "perfect"


def make_ready(text: str, game: Game[Any], progress: Progress = no_progress) -> None:
    """Make the tables that the bot needs for `game`, where they are not on disk yet.

    Raises:
        UnknownBotError: there is no such bot, or it does not play this game.
        StrategyError: its parameters are wrong.
        SolverError: it plays perfectly, and the game cannot be solved.
    """
    bot = find_reference(text)
    if bot.games is not None and not bot.plays(game.name):
        raise UnknownBotError(f"the reference bot {bot.name} plays {', '.join(bot.games)}, not {game.name}")
    if text == PERFECT:
        find_oracle(game, progress)
    if bot.is_strategy:
        player = find_strategy(text, game)
        if isinstance(player, Algorithm):
            player.keep()
