"""The best response to the random player, exact to rounding: expectation over all that chance can do.

`perfect` is the best player against perfect ones; against `random` one that counts on mistakes wins more.
Against a player whose moves are drawn a game is a Markov decision process: the responder chooses, and chance
moves. Its best response

1. makes its expected score the greatest, a win being 1, a loss 0, a draw and play that never ends a half;
2. of such moves takes those after which play is over soonest on average, which in games that can go in
   circles is what keeps it from putting off a certain win for ever;
3. of several such moves draws one, each equally likely.

Scores, and then plies, are found by sweeps over all positions until none changes any more. Where play only
goes forward that is backward induction. Where it can go in circles it is value iteration, from one half on:
after n sweeps a number is at least what n plies can bring, and in a finite process these converge to the
optimum of the total reward (Puterman, *Markov Decision Processes*, 1994, chapter 7). With the moves of
greatest score alone, the fewest plies are a stochastic shortest path, for which the sweeps converge from 0
(Bertsekas and Tsitsiklis, *An analysis of stochastic shortest path problems*, Mathematics of Operations
Research 1991). The response is to the rules of the game: a match's draws by repetition and its ply limit are
not reckoned with.

Scores within `NEAR_SCORE` and plies within `NEAR_PLIES` count as equal. The table has, all little-endian, the
score expected of who moves first and of who moves second (float64), the number of positions (uint64), how
many moves each has (uint16), and the moves (uint16), ascending.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from engines.game import Game, Move
from engines.games import find_row
from engines.plugin import load
from engines.solvers.oracle import Progress, SolverError, no_progress
from engines.solvers.tables import open_table

if TYPE_CHECKING:
    from engines.kernels.jit import Int32s, Int64s

CONTENT = "best-response-1"
HEAD = struct.Struct("<ddQ")
COUNT_BYTES = 2

NEAR_SCORE = 1e-9
NEAR_PLIES = 1e-6
STILL_SCORE = 1e-15
STILL_PLIES = 1e-11
MAX_SWEEPS = 100_000

Scores = tuple[float, float]


class ResponseTable(NamedTuple):
    """The best moves of every position of one game; `scores` are expected as first and as second player.

    Those of position ``p`` are `moves` from ``starts[p]`` to ``starts[p + 1]``.
    """

    scores: Scores
    number: Callable[[Any], int]
    starts: array[int]
    moves: memoryview

    def best(self, state: Any) -> list[Move]:
        """The best moves in `state`, ascending."""
        position = self.number(state)
        return self.moves[self.starts[position] : self.starts[position + 1]].tolist()

    def arrays(self) -> tuple[Int64s, Int32s]:
        """Where each position's moves begin, and the moves."""
        import numpy as np

        return np.asarray(self.starts).astype(np.int64), np.asarray(self.moves).astype(np.int32)


_OPEN: dict[Game[Any], ResponseTable] = {}


def find_response(game: Game[Any], progress: Progress = no_progress) -> ResponseTable:
    """The best response in `game`; a table that is not on disk yet is built first. One a game is kept.

    Raises:
        SolverError: there is none for these parameters.
    """
    if game not in _OPEN:
        _OPEN[game] = _opened(game, progress)
    return _OPEN[game]


def _opened(game: Game[Any], progress: Progress) -> ResponseTable:
    number = numbering(game)
    table = open_table(game, CONTENT, lambda progress: _build(game, progress), progress)
    first, second, positions = HEAD.unpack(table[: HEAD.size])
    end = HEAD.size + COUNT_BYTES * positions
    starts = array("I", accumulate(table[HEAD.size : end].cast("H"), initial=0))
    return ResponseTable((first, second), number, starts, table[end:].cast("H"))


def numbering(game: Game[Any]) -> Callable[[Any], int]:
    """How the positions of `game` are numbered.

    Raises:
        SolverError: there is no best response for these parameters.
    """
    solver = find_row(game.name).solver
    if solver is None or solver.number is None:
        raise SolverError("there is no best response for %(game)s", game=game.name)
    number: Callable[[Any], int] = load(solver.number)(game)
    return number


def _build(game: Game[Any], progress: Progress) -> memoryview:
    import numpy as np

    solver = find_row(game.name).solver
    if solver and solver.response:
        scores, starts, moves = load(solver.response)(game)
    else:
        scores, starts, moves = _solve_graph(game, progress)
    head = HEAD.pack(*scores, len(starts) - 1)
    return memoryview(head + np.diff(starts).astype(np.uint16).tobytes() + moves.astype(np.uint16).tobytes())


def _solve_graph(game: Game[Any], progress: Progress) -> tuple[Scores, Int64s, Int32s]:
    from engines.kernels import response as kernel
    from engines.solvers.play_graph import find_play_graph

    progress(0, 3)
    graph = find_play_graph(game)
    if graph is None:  # its parameters are refused before, with a better word
        raise SolverError("%(game)s is too large for a best response", game=game.name)
    progress(1, 3)
    scores = ((graph.ends + 1) / 2, (1 - graph.ends) / 2)
    open_ = graph.starts[1:] > graph.starts[:-1]
    for each in scores:
        each[open_] = 0.5
    moves = graph.starts, graph.successors
    _until_still(lambda: kernel.sweep_scores(*moves, *scores), STILL_SCORE)
    progress(2, 3)
    plies = (0.0 * scores[0], 0.0 * scores[1])
    _until_still(lambda: kernel.sweep_plies(*moves, scores, NEAR_SCORE, plies), STILL_PLIES)
    starts, places = kernel.best_places(*moves, scores, plies, (NEAR_SCORE, NEAR_PLIES))
    progress(3, 3)
    return (float(scores[0][graph.first]), float(scores[1][graph.first])), starts, graph.moves[places]


def _until_still(sweep: Callable[[], float], still: float) -> None:
    """Sweep until nothing changes by more than `still`.

    Raises:
        SolverError: that never comes about: a best response would not end the game.
    """
    for _ in range(MAX_SWEEPS):
        if sweep() <= still:
            return
    raise SolverError("no best response was found in %(sweeps)s sweeps", sweeps=f"{MAX_SWEEPS:,}")
