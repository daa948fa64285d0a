"""A game's exact solution: what each position is worth with perfect play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arena.local.columns import Table
from arena.local.listing import as_table
from engines.game import Game, play_all
from engines.games import find_game
from engines.solvers import find_oracle, find_solver
from engines.solvers.listing import RESULTS, entries
from engines.solvers.oracle import Oracle, Value, before, no_progress
from engines.strategies.perfect import best_moves


@dataclass(frozen=True)
class Worth:
    """What a position, or a move in it, is worth: ``won``, ``lost`` or ``drawn`` for who is, or was, to move.

    `plies` are those to the end with perfect play; None for a draw, or where it is not known.
    """

    value: str
    plies: int | None


@dataclass(frozen=True)
class Solved:
    """The solution of one game; positions are named by the moves that lead to them, in its notation."""

    game: Game[Any]
    oracle: Oracle[Any]

    def worth(self, moves: Iterable[str] = ()) -> Worth:
        """What the position after `moves` is worth to who is to move.

        Raises:
            GameError: the moves cannot be played, or the position is beyond what is solved.
        """
        return _worth(self.oracle.value(play_all(self.game, moves)))

    def best(self, moves: Iterable[str] = ()) -> list[str]:
        """The moves that the player `perfect` chooses from; none where the game is over."""
        state = play_all(self.game, moves)
        if not self.game.legal_moves(state):
            return []
        return [self.game.move_to_text(move) for move in best_moves(self.game, self.oracle, state)]

    def each_move(self, moves: Iterable[str] = ()) -> dict[str, Worth]:
        """What each legal move is worth to who makes it, `plies` counting the move itself."""
        game, state = self.game, play_all(self.game, moves)
        return {
            game.move_to_text(move): _worth(before(self.oracle.value(game.play(state, move))))
            for move in game.legal_moves(state)
        }

    def positions(self) -> Table:
        """Every position with ``position`` (a state as JSON), ``value``, ``distance`` in plies and ``best``.

        Positions that differ only in the seats stand there once: see docs/solving.md.

        Raises:
            SolverError: on reading its rows, there are too many positions.
        """
        return as_table(lambda: entries(self.game))

    @cached_property
    def analysis(self) -> dict[str, Any]:
        """What `arena solve --json` prints: the counts of the game's document, and more."""
        told: dict[str, Any] = find_solver(self.game.name).analyse(self.game, progress=no_progress)
        return told


def solve(game: str, params: Mapping[str, Any] | None = None) -> Solved:
    """The game's solution, read from its table on this machine or worked out now.

    Raises:
        GameError: there is no such game, or it cannot be solved with these parameters.
    """
    rules = find_game(game, params)
    return Solved(rules, find_oracle(rules))


def _worth(value: Value) -> Worth:
    return Worth(RESULTS[value.result], value.distance)
