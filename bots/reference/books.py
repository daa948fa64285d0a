"""Opening books for the reference bot `champion`, which its own search makes with its own weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bots.reference.estimates import find_estimator
from engines.game import Game
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.oracle import SolverError
from engines.solvers.reversi_book import Book, BookPlan, Position

Judge = Callable[[Position, int], float]
"""What a position is worth to its mover, in discs, by a search so many plies deep."""


def begin_book(game: Game[Any], plan: BookPlan) -> Book:
    """A book that is to grow.

    Raises:
        SolverError: there are no books of such a game, or what is compiled was not built.
    """
    find_estimator(game)
    if not isinstance(game, ReversedReversi):
        raise SolverError(f"there are no opening books of {game.name}")
    return Book(game, plan)


def find_judge(game: Game[Any]) -> Judge:
    """What judges positions for a book of `game`; it is for one thread.

    Raises:
        SolverError: nothing does.
    """
    estimator = find_estimator(game)
    return lambda position, depth: estimator.estimate(State(*position, 0), depth).value
