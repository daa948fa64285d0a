"""Reversi as something about which is learned from self-play: see `engines.plugin.GamePlugin`.

Everything here depends on its arguments alone: a game on the weights it is played with, its seed and its
number, not on how games are cut up or who plays them. What is compiled, `engines/_training.c`, does the work;
other threads run meanwhile.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engines.games.reversed_reversi import ReversedReversi
from engines.strategies import StrategyError

SIZES = (4, 6, 8)
"""The square boards for which weights are learned."""
LEAST_GAMES = 16
"""The games of a round at least: every so many-th is held out, so that one is."""
MOST_GAMES, MOST_DEPTH, MOST_SOLVED, MOST_PASSES = 10**7, 20, 24, 1000


class Round(NamedTuple):
    """Games of self-play by the weights of the round before, and a fit to these games.

    Players search `depth` plies, and solve a position with at most `solved` empty squares; the fit goes
    through the games `passes` times.
    """

    games: int
    depth: int
    solved: int
    passes: int


class Fitted(NamedTuple):
    """Weights as a file has them, and their mean squared errors, in squared discs.

    `taught` is the error on the games that the weights were fitted to, `held_out` that on every 16th game,
    which they were not fitted to.
    """

    weights: bytes
    taught: float
    held_out: float


USUAL = {
    4: ((1, 2, 4, 20), (3, 2, 4, 20)),
    6: ((1, 2, 8, 20), (2, 2, 8, 20), (5, 2, 8, 20)),
    8: ((1, 2, 10, 20), (2, 2, 10, 20), (4, 2, 10, 20), (9, 4, 10, 20)),
}
"""By size, for each round its games in proportion to those of the others, and what `Round` has besides."""


class Training:
    """Learning for one board and rule.

    Raises:
        StrategyError: there are no weights for such a board, or what is compiled was not built.
    """

    version = 1
    """Of what is played and fitted: another one makes other bytes of the same plan."""

    def __init__(self, game: ReversedReversi) -> None:
        if game.rows is not None or game.size not in SIZES:
            sizes = ", ".join(map(str, SIZES))
            raise StrategyError(f"{game.name} is learned on square boards of the sizes {sizes}")
        try:
            from engines import _training  # noqa: PLC0415 - it may not be there
        except ImportError:
            message = "learning is not compiled here; install a C compiler, and then the arena anew"
            raise StrategyError(message) from None
        self.game = game
        self.record = _training.RECORD
        self._training = _training
        self._board = game.size, game.reversed

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process loads what is compiled by itself."""
        return Training, (self.game,)

    def usual(self, games: int) -> tuple[Round, ...]:
        """The rounds of a plan of so many games in all, unless somebody says otherwise."""
        shape = USUAL[self.game.size]
        shares = sum(each[0] for each in shape)
        early = [Round(games * share // shares, *others) for share, *others in shape[:-1]]
        return *early, Round(games - sum(each.games for each in early), *shape[-1][1:])

    def play(self, weights: bytes | None, *, seed: int, first: int, games: int, by: Round) -> bytes:
        """Games `first` to ``first + games - 1``, `record` bytes each; without weights by mobility alone.

        Raises:
            ValueError: the weights are none of this board and rule.
        """
        return self._training.play(*self._board, weights, seed, first, games, by.depth, by.solved)

    def fit(self, games: bytes, by: Round) -> Fitted:
        """The weights that these games teach.

        Raises:
            ValueError: they are none of this board and rule.
        """
        return Fitted(*self._training.fit(*self._board, games, by.passes))

    def match(
        self, one: bytes | None, other: bytes | None, *, seed: int, first: int, openings: int, by: Round
    ) -> int:
        """Twice the points of the `one` against the `other`, each opening played from both seats.

        Raises:
            ValueError: weights are none of this board and rule.
        """
        return self._training.match(*self._board, one, other, seed, first, openings, by.depth, by.solved)
