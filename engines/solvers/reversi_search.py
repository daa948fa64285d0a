"""Reversi searched to its end in machine code, by either rule, on boards of 2 to 8 rows and columns.

The search is principal variation search with a table of what is known of whole positions, so that none can be
taken for another; `engines/reversi_descent.h` has it, decision 88 says why. A value is the mover's discs less
the other side's when the game is over, negated where fewer discs win, so that more is always better for the
mover; squares that stay empty count for nobody. The same questions in the same order search the same
positions on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

from engines.game import Move
from engines.solvers.oracle import SolverError

Stop = bytearray | memoryview
"""A writable byte, which another thread, or process, makes other than 0 to halt a search."""


class Found(NamedTuple):
    """What is proven of a position's value: it lies from `low` to `high`, both included.

    `move` reaches `low` at least where that is more than the loss of the whole board; else it is any legal
    one: the square, ``rows * columns`` for a pass, or None where the game is over. `nodes` are all positions
    searched. The search was halted before its end where it is not `done`.
    """

    low: int
    high: int
    move: Move | None
    nodes: int
    done: bool


class Search:
    """Solves positions of one board and rule, and keeps what it found out of one for the next.

    Several are independent of each other. One is not for two threads at once.
    """

    def __init__(self, rows: int, columns: int, *, reversed: bool, memory: int) -> None:  # noqa: A002
        """Take the greatest power of two of at most `memory` bytes for its table, and nothing more later.

        Raises:
            SolverError: what is compiled was not built.
            ValueError: there is no such board, or `memory` has no room for a position.
            MemoryError: there is not so much.
        """
        try:
            from engines import _search
        except ImportError:
            raise SolverError(
                "the search for Reversi is not compiled here; install a C compiler, and then the arena anew"
            ) from None
        self._search = _search.Search(rows, columns, reversed, memory)

    @property
    def memory(self) -> int:
        """The bytes of the table."""
        return self._search.memory

    def solve(
        self,
        own: int,
        opp: int,
        alpha: int,
        beta: int,
        *,
        most: int | None = None,
        stop: Stop | None = None,
    ) -> Found:
        """Search the position until its value is known, or known to be at most `alpha` or at least `beta`.

        `own` are the mover's discs, `opp` the other side's; bit ``columns * row + column`` is a square. The
        search is halted after `most` positions, or some few more, and soon after `stop` was set. Other
        threads run meanwhile.

        Raises:
            ValueError: discs outside the board or two on a square, `alpha` that is not below `beta`, or a
                `stop` without a byte.
            RuntimeError: it is at work in another thread.
        """
        return Found(*self._search.solve(own, opp, alpha, beta, most, stop))
