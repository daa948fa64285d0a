"""Every registered game with the parameter sets that the laws are tried on, and random positions of them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engines.game import Game
from engines.games import find_game
from engines.stream import Stream

PARAMETERS: dict[str, list[dict[str, Any]]] = {
    "reversed_reversi": [
        {"size": size, "reversed": flag} for size in (4, 6, 8, 10) for flag in (True, False)
    ],
    "heap_nim": [
        {},
        {"misere": True},
        {"heaps": [1, 1, 1]},
        {"heaps": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "misere": True},
        {"heaps": [500, 1, 7]},
    ],
    "circle_nim": [{"rows": rows} for rows in range(2, 8)],
    "l_game": [{}],
    "rhombic_chess": [{}],
}

GAMES: list[Game[Any]] = [find_game(name, params) for name, sets in PARAMETERS.items() for params in sets]


def label(game: Game[Any]) -> str:
    """A name for pytest's listing."""
    return f"{game.name}-{'-'.join(f'{key}={value}' for key, value in game.params.items())}"


def walk(game: Game[Any], seed: int, plies: int) -> list[tuple[Any, int]]:
    """At most `plies` random (state, move) pairs from the start, then (last state, -1)."""
    stream, state = Stream(seed), game.initial()
    passed: list[tuple[Any, int]] = []
    while len(passed) < plies and (legal := game.legal_moves(state)):
        move = stream.choice(legal)
        passed.append((state, move))
        state = game.play(state, move)
    return [*passed, (state, -1)]


SEEDS = st.integers(min_value=0, max_value=2**32)
PLIES = st.integers(min_value=0, max_value=130)


def position(game: Game[Any], seed: int, plies: int) -> Any:
    """The state that a random walk ends in."""
    return walk(game, seed, plies)[-1][0]
