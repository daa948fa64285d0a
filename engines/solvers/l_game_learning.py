"""A learner of the L-Game trained, and tried, on the game's graph: see `engines.strategies.learner`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.games.l_game import LGame
from engines.solvers.l_game_positions import graph_of, number_of
from engines.stream import Stream

if TYPE_CHECKING:
    import numpy as np

    from engines.kernels.learner import Graph, Policy

THREEFOLD = 3
"""A game is drawn when a position comes up so often, as a match is that says nothing else."""


def train(game: LGame, games: int, seed: int) -> memoryview:
    """For each position the fewest plies to a defeat after moving into it; 255 for never."""
    from engines.kernels import learner

    graph, first, policy, run = _setting(game, "train", seed)
    far = learner.train(graph, first, policy, run, games)
    return memoryview(far.data)


def results(game: LGame, far: memoryview, games: int, seed: int) -> tuple[int, int, int]:
    """How many games with a person one wins, draws and loses that knows `far` and learns no more."""
    import numpy as np

    from engines.kernels import learner

    known = np.frombuffer(far, np.uint8)
    graph, first, policy, run = _setting(game, "play", seed)
    won, drawn, lost = learner.results(graph, first, policy, run, (known, games))
    return int(won), int(drawn), int(lost)


def _setting(game: LGame, purpose: str, seed: int) -> tuple[Graph, int, Policy, np.uint64]:
    """The graph with its codes, the first position, a match's draws, and the key of the games."""
    import numpy as np

    from engines.solvers.retrograde import solve

    graph = graph_of()
    run = np.uint64(Stream("learner", purpose, seed).word())
    known = graph.starts, graph.successors, solve(graph)
    return known, number_of(game.initial()), (THREEFOLD, game.ply_limit), run
