"""Reversi solved: every position on 4 by 4 squares, and endings on boards of up to 8 by 8.

The table has the mover's discs and the other side's of each position that play can reach, as one number of 32
bits each in ascending order, and then their codes, a byte each.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from engines.game import Seat
from engines.games.reversed_reversi import SYMBOLS, ReversedReversi, State
from engines.solvers.endgame_limits import LONGEST_SIDE, MAX_CUT_EMPTY
from engines.solvers.oracle import Oracle, Progress, Solution, SolverError, Value, decoded, no_progress
from engines.solvers.reversi_cut import is_cut_up
from engines.solvers.tables import open_table

if TYPE_CHECKING:
    from engines.solvers.forward import Graph

CONTENT = "positions-1"
SOLVED_SIZE = 4
BOARD_BITS = SOLVED_SIZE**2
LOW_BITS = (1 << BOARD_BITS) - 1
ENTRY_BYTES = 5


class SmallBoardOracle(Oracle[State]):
    """Values on the smallest board, from the table: the same for either seat to move."""

    def __init__(self, table: memoryview) -> None:
        count = len(table) // ENTRY_BYTES
        self._keys = table[: 4 * count].cast("I")
        self.codes = table[4 * count :]

    def number(self, state: State) -> int:
        """The number of a position that play can reach: its place in ascending order of the keys.

        Raises:
            SolverError: play cannot reach it.
        """
        wanted = key(state)
        at = bisect_left(self._keys, wanted)
        if at == len(self._keys) or self._keys[at] != wanted:
            raise SolverError("play on 4 by 4 squares cannot reach this position")
        return at

    def states(self) -> Iterator[State]:
        """The positions in ascending order of their keys; seat 0 is to move."""
        return (State(key >> BOARD_BITS, key & LOW_BITS, 0) for key in self._keys)

    def value(self, state: State) -> Value:
        """The value of any position that play can reach.

        Raises:
            SolverError: play cannot reach it.
        """
        return decoded(self.codes[self.number(state)])


def key(state: State) -> int:
    """The number of a position in the table."""
    return state.own << BOARD_BITS | state.opp


def is_solved(game: ReversedReversi) -> bool:
    """Whether it is on the smallest board."""
    return game.sides == (SOLVED_SIZE, SOLVED_SIZE)


def find_oracle(game: ReversedReversi, progress: Progress = no_progress) -> SmallBoardOracle:
    """The exact values of the game on 4 by 4 squares.

    Raises:
        SolverError: the board is larger.
    """
    if not is_solved(game):
        raise _too_large(game)

    def build(progress: Progress) -> memoryview:
        import numpy as np

        from engines.solvers.forward import solve

        progress(0, 2)
        graph = graph_of(game)
        progress(1, 2)
        numbers = np.array([key(state) for state in graph.states], np.uint32)
        keys, places = np.unique(numbers, return_index=True)
        codes = solve(game, graph)[places].astype(np.uint8)
        progress(2, 2)
        return memoryview(keys.tobytes() + codes.tobytes())

    return SmallBoardOracle(open_table(game, CONTENT, build, progress))


def numbering(game: ReversedReversi) -> Callable[[State], int]:
    """How a best response numbers the positions of `game`: their places in the table.

    Raises:
        SolverError: the board is larger than 4 by 4 squares.
    """
    return find_oracle(game).number


def graph_of(game: ReversedReversi) -> Graph[State]:
    """Every position that play can reach.

    A move leaves one empty square less, and a pass a side that can place a disc.
    """
    from engines.solvers.forward import explore

    squares = game.geometry.squares

    def index(state: State) -> int:
        empty = squares - (state.own | state.opp).bit_count()
        return 2 * empty + (game.forced_pass(state) is not None)

    return explore(game, index)


def all_positions(game: ReversedReversi) -> tuple[int, Iterator[State]]:
    """How many positions play can reach up to the seats, and each of them, by its number; seat 0 is to move.

    Raises:
        SolverError: the board is larger than the smallest.
    """
    oracle = find_oracle(game)
    return len(oracle.codes), oracle.states()


def analyse(
    game: ReversedReversi, *, position: State | None = None, progress: Progress = no_progress
) -> Solution:
    """Who wins and with which score: from `position` if there is one, else from the smallest board's start.

    Raises:
        SolverError: the board is too large, or too many squares are empty.
    """
    if position is not None:
        return _ending(game, position, progress)
    if not is_solved(game):
        raise _too_large(game)
    from engines.solvers.reversed_reversi_counts import counts

    value = find_oracle(game, progress).value(game.initial())
    return {
        "game": game.name,
        "params": game.params,
        "winner": _winner(value.result, 0),
        "distance": value.distance,
        **counts(game, graph_of(game)),
    }


def _ending(game: ReversedReversi, position: State, progress: Progress) -> Solution:
    from engines.solvers.endgame import empty_squares, solve_endgame

    ending = solve_endgame(game, position, progress)
    result = -ending.margin if game.reversed else ending.margin
    return {
        "game": game.name,
        "params": game.params,
        "position": game.state_to_json(position),
        "empty": empty_squares(game, position),
        "winner": _winner(result, position.seat),
        "score": list(ending.score),
        "line": [game.move_to_text(move) for move in ending.line],
        "nodes": ending.nodes,
    }


def _winner(result: int, seat: Seat) -> str | None:
    """X or O, or None for a draw, when the result is that of the side in `seat`."""
    return None if result == 0 else SYMBOLS[seat if result > 0 else 1 - seat]


def _too_large(game: ReversedReversi) -> SolverError:
    """What can be solved instead, so far as anything of such a board can."""
    asked = str(game.size) if game.rows is None else f"{game.size}x{game.rows}"
    if is_cut_up(game, game.initial()):
        return SolverError(
            "%(game)s is solved from its start with size %(solved)s, not with %(asked)s, but by work that is"
            " cut up, as `arena solve` does; `arena solve` solves positions with at most %(most)s empty"
            " squares",
            game=game.name,
            solved=SOLVED_SIZE,
            asked=asked,
            most=MAX_CUT_EMPTY,
        )
    if max(game.sides) <= LONGEST_SIDE:
        return SolverError(
            "%(game)s is solved from its start with size %(solved)s, not with %(asked)s; `arena solve` solves"
            " positions with at most %(most)s empty squares",
            game=game.name,
            solved=SOLVED_SIZE,
            asked=asked,
            most=MAX_CUT_EMPTY,
        )
    return SolverError(
        "%(game)s is solved from its start with size %(solved)s, not with %(asked)s",
        game=game.name,
        solved=SOLVED_SIZE,
        asked=asked,
    )
