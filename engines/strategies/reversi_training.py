"""Reversi as something about which is learned from self-play: see `engines.plugin.GamePlugin`.

Everything here depends on its arguments alone: a game on the weights it is played with, its seed and its
number, not on how games are cut up or who plays them. What is compiled, `engines/_training.c`, does the work;
other threads run meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from engines.games.reversed_reversi import ReversedReversi
from engines.strategies import StrategyError

SIZES = (4, 6, 8)
"""The square boards for which weights are learned."""
MIN_GAMES = 64
"""The games of a round at least, so that some of every 16 can be held out."""
MAX_GAMES, MAX_DEPTH, MAX_SOLVED, MAX_STEPS = 10**7, 20, 20, 1000


class Round(NamedTuple):
    """Games of self-play by the weights of the round before, and a fit to these games.

    Players search `depth` plies, and solve a position with at most `solved` empty squares; the fit takes
    `steps` steps of conjugate gradients.
    """

    games: int
    depth: int
    solved: int
    steps: int


class StageFit(NamedTuple):
    """The weights of one stage of the game, and their squared errors in discs, summed up, with their number.

    `taught` are the errors on the games that the weights were fitted to, `held_out` those on every 16th game,
    which they were not fitted to.
    """

    kept: bytes
    taught: float
    taught_count: int
    held_out: float
    held_out_count: int


USUAL = {
    4: ((1, 2, 4, 20), (3, 2, 4, 20)),
    6: ((1, 3, 10, 30), (2, 4, 12, 30), (3, 6, 12, 30)),
    8: ((1, 3, 12, 30), (2, 5, 14, 30), (3, 6, 14, 30)),
}
"""By size, for each round its games in proportion to those of the others, and what `Round` has besides."""


class Training:
    """Learning for one board and rule: a game has `record` bytes, and is judged in `stages` stages.

    Raises:
        StrategyError: there are no weights for such a board, or what is compiled was not built.
    """

    version = 1
    """Of what is played and fitted: another one makes other bytes of the same plan."""

    def __init__(self, game: ReversedReversi) -> None:
        if game.rows is not None or game.size not in SIZES:
            sizes = ", ".join(map(str, SIZES))
            raise StrategyError(
                "%(game)s is learned on square boards of the sizes %(sizes)s", game=game.name, sizes=sizes
            )
        try:
            from engines import _training  # noqa: PLC0415 - it may not be there
        except ImportError:
            raise StrategyError(
                "learning is not compiled here; install a C compiler, and then the arena anew"
            ) from None
        self.game = game
        self.record = _training.RECORD
        self.stages = _stages(game.size)
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

    def are_games(self, games: bytes) -> bool:
        """Whether each of these records is a game of this board and rule that ends as it says."""
        return self._training.are_games(*self._board, games)

    def fit(self, games: bytes, stage: int, by: Round) -> StageFit:
        """What games teach about one stage, counted from 0.

        Raises:
            ValueError: they are none of this board and rule.
            MemoryError: there is too little for what is learned, some 2 kB a game.
        """
        return StageFit(*self._training.fit(*self._board, games, stage, by.steps))

    def file(self, kept: Sequence[bytes]) -> bytes:
        """The file of the weights of all stages.

        Raises:
            ValueError: these are not the weights of all stages of this board.
        """
        return self._training.file(*self._board, b"".join(kept))

    def match(
        self, one: bytes | None, other: bytes | None, *, seed: int, first: int, openings: int, by: Round
    ) -> int:
        """Twice the points of the `one` against the `other`, each opening played from both seats.

        Raises:
            ValueError: weights are none of this board and rule.
        """
        return self._training.match(*self._board, one, other, seed, first, openings, by.depth, by.solved)


@cache
def _stages(size: int) -> int:
    """To count them takes room for a whole player."""
    from engines import _training  # noqa: PLC0415 - it may not be there

    return _training.stages(size)
