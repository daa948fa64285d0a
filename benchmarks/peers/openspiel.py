"""OpenSpiel's random games: through its Python interface, and all in its own C++."""

from __future__ import annotations

import random
import time
from typing import Any

from benchmarks.peers import MissingPeerError, Player, Totals


def _load(name: str) -> tuple[Any, Any]:
    try:
        import pyspiel  # noqa: PLC0415 - a peer may be missing
    except ImportError as missing:
        raise MissingPeerError("OpenSpiel: not installed; uv sync --group bench") from missing
    return pyspiel, pyspiel.load_game(name)


def in_python(name: str) -> Player:
    """Its game of that `name`, with a call for the legal moves and one for the move chosen.

    Raises:
        MissingPeerError: it is not installed.
    """
    _, game = _load(name)

    def play(games: int, _match: int) -> Totals:
        started = time.process_time()
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()))
        return Totals(games, time.process_time() - started)

    return Player("OpenSpiel, Python", play)


def in_cpp(name: str) -> Player:
    """The same in C++ alone: a tree search that does nothing but evaluate the start by random games.

    Raises:
        MissingPeerError: it is not installed.
    """
    spiel, game = _load(name)

    def play(games: int, match: int) -> Totals:
        evaluator = spiel.RandomRolloutEvaluator(games, match)
        search = spiel.MCTSBot(game, evaluator, 2.0, 1, 10, False, match, False)
        state = game.new_initial_state()
        started = time.process_time()
        search.step(state)
        return Totals(games, time.process_time() - started)

    return Player("OpenSpiel, C++", play)
