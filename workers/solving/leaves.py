"""Searching one position of a game that is being solved, until somebody has it broken off."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engines.games import find_game, find_row
from engines.plugin import load
from engines.solvers.oracle import SolverError
from engines.solvers.reversi_board import Board
from engines.solvers.reversi_search import Search
from engines.solvers.reversi_work import Work
from workers.core.contract import MEGABYTE, GameSpec
from workers.core.errors import SpecError
from workers.core.halt import Halt, stopping
from workers.solving.contract import LeafAnswer, LeafSpec, position_of

IDLE_SECONDS = 60.0
"""So long a table waits for another position of its solve; it may be most of the process's memory."""
MIN_BYTES = 1 << 16


class _CachedSearch(NamedTuple):
    """A table that knows positions of one solve."""

    solve: int
    game: GameSpec
    memory_mb: int
    search: Search
    used_at: float


class Leaves:
    """Searches positions, and keeps the table of the last one for others of the same solve."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._kept: _CachedSearch | None = None

    def search(self, spec: LeafSpec, solve: int, halt: Halt) -> LeafAnswer:
        """Find out what is asked.

        Raises:
            HaltError: it was broken off.
            SpecError: the game is none that is solved so.
            SolverError: this host has no kernel for it.
        """
        own, opp = position_of(spec.position)
        began = time.thread_time_ns()
        with stopping(halt) as stop:
            found = self._search(spec, solve).solve(own, opp, spec.at_least - 1, spec.at_least, stop=stop)
        if not found.done:
            halt.check()
            raise SpecError("the search ended before it had found out anything")
        elapsed = time.thread_time_ns() - began
        return LeafAnswer(
            low=found.low, high=found.high, move=found.move, nodes=found.nodes, elapsed_ns=elapsed
        )

    def tidy(self) -> None:
        """Give up a table that has not been used for long."""
        if self._kept is not None and self._monotonic() - self._kept.used_at > IDLE_SECONDS:
            self._kept = None

    def _search(self, spec: LeafSpec, solve: int) -> Search:
        about = solve, spec.game, spec.memory_mb
        search = self._kept.search if self._kept is not None and self._kept[:3] == about else None
        if search is None:
            self._kept = None  # before there is another
            board = board_of(spec.game)
            memory = spec.memory_mb * MEGABYTE
            search = Search(board.rows, board.columns, reversed=board.reversed, memory=memory)
        self._kept = _CachedSearch(*about, search, self._monotonic())
        return search


def work_of(spec: GameSpec, position: Mapping[str, Any] | None = None) -> Work:
    """A position of a game, None for its start, as work that is cut up.

    Raises:
        SpecError: the game is not solved so.
        GameError: there is none with such parameters, no such position, or not of this size.
    """
    cut, game = _cut_of(spec.name), find_game(spec.name, spec.params)
    work: Work = load(cut)(game, None if position is None else game.state_from_json(position))
    return work


def board_of(spec: GameSpec) -> Board:
    """The board of a game that is solved so.

    Raises:
        SpecError: it is not solved so, or its board is too large.
        GameError: there is none with such parameters.
    """
    _cut_of(spec.name)
    game: Any = find_game(spec.name, spec.params)
    try:
        return Board.of(game)
    except ValueError as error:
        raise SpecError(str(error)) from None


def _cut_of(name: str) -> str:
    """Where the class is that cuts up a game of that name."""
    solver = find_row(name).solver
    if solver is None or solver.cut is None:
        raise SpecError(f"{name} is not solved by positions that are given out")
    return solver.cut


def can_search() -> bool:
    """Whether this installation has the compiled kernel."""
    try:
        Search(4, 4, reversed=False, memory=MIN_BYTES)
    except SolverError:
        return False
    return True
