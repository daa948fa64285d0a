"""Every position of a solved game with its value and its best moves, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from engines.game import Game
from engines.solvers import find_oracle, find_solver
from engines.solvers.oracle import Progress, SolverError, no_progress

MAX_LISTED = 5_000_000
"""Positions of one table: more make a file of gigabytes."""

EVERY = 1000
"""Progress is told after so many positions."""

RESULTS = {1: "won", 0: "drawn", -1: "lost"}


class Entry(NamedTuple):
    """A position as `Game.state_to_json` writes it, and what it is worth to the side to move.

    `distance` is the plies to the end with perfect play, None for a draw or where it is not known; `best` are
    the moves that the player `perfect` chooses from, none where the game is over.
    """

    position: dict[str, Any]
    value: str
    distance: int | None
    best: list[str]


def entries(game: Game[Any], progress: Progress = no_progress) -> Iterator[Entry]:
    """Every position of `game`, in the order of its solver's numbers.

    Where the seats make no difference to what is worth what, the first seat is to move.

    Raises:
        SolverError: the game cannot be solved, or has too many positions.
    """
    from engines.strategies.perfect import best_moves

    oracle = find_oracle(game)
    count, states = find_solver(game.name).all_positions(game)
    if count > MAX_LISTED:
        raise SolverError(
            "%(game)s has %(count)s positions with these parameters; a table holds at most %(most)s",
            game=game.name,
            count=f"{count:,}",
            most=f"{MAX_LISTED:,}",
        )
    for done, state in enumerate(states, start=1):
        best = best_moves(game, oracle, state) if game.legal_moves(state) else []
        result, distance = oracle.value(state)
        yield Entry(
            game.state_to_json(state), RESULTS[result], distance, [game.move_to_text(move) for move in best]
        )
        if done % EVERY == 0 or done == count:
            progress(done, count)
