"""The program of 1985 that learned the L-Game from its lost games, as its document describes it.

Tsai and Lin report that three pupils wrote a program which keeps the positions of its games in a database,
does not repeat those that lost, and of the moves that it has takes the one that in its experience was
farthest from defeat. So this player plays `games` games, from `seed` on, and notes after each that it lost
how many plies before the end each position was that it had moved into, the least number that ever came up. A
position after which it never lost is farther than all others; of several as far each is equally likely.

The pupils' program played people. Here it trains with `person`, who sees one move ahead, and moves first in
every second game; games are drawn as matches are, by threefold repetition and the ply limit. Nothing is said
of symmetries: here a position is one, its reflections are others. When it has trained it does not learn any
more: equal names play equally.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.game import Game, Move
from engines.games.l_game import LGame, State
from engines.solvers.l_game_learning import results, train
from engines.solvers.l_game_positions import number_of
from engines.solvers.oracle import Progress
from engines.solvers.tables import open_table
from engines.strategies import LARGEST_SEED, StrategyError, whole_number
from engines.stream import Stream

DEFAULT_GAMES = 10_000
MAX_GAMES = 100_000


class Learner:
    """Goes where, in the games that it has played, defeat was farthest."""

    def __init__(self, game: LGame, games: int, seed: int) -> None:
        self.name = f"learner:{games}:{seed}"
        self._game, self._games, self._seed = game, games, seed
        self.content = f"learner-2-{games}-{seed}"
        self.far = open_table(game, self.content, self._train)

    def choose(self, state: State, history: Sequence[Move], stream: Stream) -> Move:
        """A move into a position of the farthest kind; a draw is made only where there are several."""
        del history
        moves = self._game.legal_moves(state)
        far = [self.far[number_of(self._game.play(state, move))] for move in moves]
        most = max(far)
        best = [move for move, each in zip(moves, far, strict=True) if each == most]
        return best[0] if len(best) == 1 else stream.choice(best)

    def results(self, games: int) -> tuple[int, int, int]:
        """How many of so many games with `person` it wins, draws and loses, learning nothing more."""
        return results(self._game, self.far, games, self._seed)

    def _train(self, progress: Progress) -> memoryview:
        progress(0, 1)
        far = train(self._game, self._games, self._seed)
        progress(1, 1)
        return far


def find(game: Game[Any], *parameters: str) -> Learner:
    """The player by its parameters' texts.

    Raises:
        StrategyError: as `read`, or it is another game.
    """
    if not isinstance(game, LGame):
        raise StrategyError("learner plays l_game only, not %(game)s", game=game.name)
    return Learner(game, *read(*parameters))


def read(*parameters: str) -> tuple[int, int]:
    """How many games of training, and their seed; both may be left out.

    Raises:
        StrategyError: a parameter is none, or out of range, or there are more.
    """
    if len(parameters) > 2:
        raise StrategyError(
            "learner takes a number of games and a seed, as in learner:10000:7, not %(text)r",
            text=":".join(parameters)[:40],
        )
    games, seed = (*parameters, *(str(DEFAULT_GAMES), "0")[len(parameters) :])
    return (
        whole_number(games, 0, MAX_GAMES, what="the number of games", player="learner"),
        whole_number(seed, 0, LARGEST_SEED, what="the seed", player="learner"),
    )
