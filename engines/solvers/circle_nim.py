"""Circle Nim solved: one byte for each set of circles that can be left, by its bit mask."""

from __future__ import annotations

from collections.abc import Iterator

from engines.games.circle_nim import CircleNim, State, lines
from engines.solvers.oracle import Oracle, Progress, Solution, Value, decoded, no_progress
from engines.solvers.tables import open_table

CONTENT = "sets-1"

CHANCES_ROWS = 6
"""With more rows the chances take minutes, and are computed only when they are asked for."""


class CircleNimOracle(Oracle[State]):
    """Values from the table; for the side to move it makes no difference which seat that is."""

    def __init__(self, table: memoryview) -> None:
        self.table = table

    def value(self, state: State) -> Value:
        """The value of any position."""
        return decoded(self.table[state.left])


def find_oracle(game: CircleNim, progress: Progress = no_progress) -> CircleNimOracle:
    """The exact values of circle Nim with any number of rows; the table of seven takes 256 MB."""

    def build(progress: Progress) -> memoryview:
        from engines.solvers.forward import solve_sets

        return solve_sets(game.circles, lines(game.rows).masks, progress).data

    return CircleNimOracle(open_table(game, CONTENT, build, progress))


def all_positions(game: CircleNim) -> tuple[int, Iterator[State]]:
    """How many sets of circles can be left, and each of them, by its bit mask; seat 0 is to move."""
    count = 1 << game.circles
    return count, (State(left, 0) for left in range(count))


def analyse(game: CircleNim, *, probabilities: bool = False, progress: Progress = no_progress) -> Solution:
    """Who wins, how the first player may begin, how many positions are won, and what chance makes of it all.

    With seven rows the chances are None unless `probabilities` asks for them: they take minutes and 1 GB.
    """
    from engines.solvers.circle_nim_chances import chances
    from engines.solvers.circle_nim_counts import counts, first_moves

    oracle = find_oracle(game, progress)
    value = oracle.value(game.initial())
    with_chances = probabilities or game.rows <= CHANCES_ROWS
    return {
        "game": game.name,
        "params": game.params,
        "circles": game.circles,
        "winner": "first" if value.result > 0 else "second",
        "distance": value.distance,
        "first_moves": first_moves(game, oracle),
        **counts(game, oracle.table),
        "chances": chances(game, oracle.table, progress) if with_chances else None,
    }
