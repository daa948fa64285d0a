"""Every registered game with the parameter sets that the laws are tried on, and random cases for them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engines.conformance import Case
from engines.game import Game
from engines.games import find_game

PARAMETERS: dict[str, list[dict[str, Any]]] = {
    "reversed_reversi": [
        *({"size": size, "reversed": flag} for size in (4, 6, 8, 10) for flag in (True, False)),
        {"size": 6, "rows": 4},
        {"size": 5, "rows": 6, "reversed": False},
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


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)
CASES = st.builds(
    Case,
    seed=st.integers(min_value=0, max_value=2**32),
    plies=st.integers(min_value=0, max_value=130),
    text=st.text(max_size=8),
    value=JSON_VALUES,
    numbers=st.lists(st.integers(-(2**70), 2**70), max_size=5).map(tuple),
)
