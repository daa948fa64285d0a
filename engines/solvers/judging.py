"""The moves of a game judged by exact solutions: what each position was worth, and which moves gave it away.

A judge knows what positions of one game are worth. The row of a game may name its own, which knows more than
its oracle does, such as the endings of a game that is too large to be solved from its start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from engines.game import Game, Move, Seat
from engines.games import find_row
from engines.plugin import load
from engines.solvers import Oracle, Progress, Value, find_oracle
from engines.solvers.oracle import before, no_progress
from engines.strategies.perfect import best_moves

VERSION: Final = 1
"""Of what judges find out of a game; the next one where any of them finds more, or something else."""


class Worth(NamedTuple):
    """What a position is worth to the side to move, and all moves that keep it: none where the game is over.

    `margin` is its score less the other side's at the end of perfect play, where a game is counted.
    """

    value: Value
    margin: int | None
    best: tuple[Move, ...]


class Judge(Protocol):
    """Knows what positions of one game, its parameters fixed, are worth."""

    def worth(self, state: Any) -> Worth | None:
        """What `state` is worth; None where that is not known: then it is asked for none before it."""

    def at_stake(self, state: Any, worth: Worth) -> bool | None:
        """Whether a move from `state`, which is worth that, has a worse result; None where that is not known.

        A move that only wins later, or by less, has no worse one.
        """


@runtime_checkable
class Stoppable(Protocol):
    """A judge whose searches take long, and can be given up."""

    def stop_by(self, stop: bytearray) -> None:
        """Give a search up soon after that byte is set; what is told from then on says nothing."""


class OracleJudge:
    """Knows the values of a game that is solved; the best moves are those that `perfect` chooses from."""

    def __init__(self, game: Game[Any], oracle: Oracle[Any]) -> None:
        self._game = game
        self._oracle = oracle

    def worth(self, state: Any) -> Worth:
        """What the position is worth."""
        best = best_moves(self._game, self._oracle, state) if self._game.legal_moves(state) else []
        return Worth(self._oracle.value(state), None, tuple(best))

    def at_stake(self, state: Any, worth: Worth) -> bool:
        """Whether a move has a worse result."""
        after = (self._game.play(state, move) for move in self._game.legal_moves(state))
        return any(before(self._oracle.value(each)).result < worth.value.result for each in after)


def find_judge(game: Game[Any], progress: Progress = no_progress) -> Judge:
    """A judge of `game`; a table that it needs and that is not on disk yet is built first.

    Raises:
        SolverError: the game cannot be solved with its parameters, nor its endings.
    """
    solver = find_row(game.name).solver
    if solver is not None and solver.judge is not None:
        judge: Judge = load(solver.judge)(game)
        return judge
    return OracleJudge(game, find_oracle(game, progress))


def states_of(game: Game[Any], moves: Sequence[str]) -> list[Any]:
    """The positions of a game: the first one, and that after each move.

    Raises:
        GameError: a move cannot be played.
    """
    states = [game.initial()]
    for text in moves:
        states.append(game.play(states[-1], game.move_from_text(text)))
    return states


def judge_game(
    game: Game[Any],
    moves: Sequence[str],
    judge: Judge,
    told: Callable[[int], object] = lambda _: None,
) -> list[Worth | None]:
    """What each position of a game is worth, from the first one on; None where that is not known.

    The last is asked for first, as far back as the judge knows. `told` is called with each ply before that,
    and may break it off by raising.

    Raises:
        GameError: a move cannot be played.
    """
    states = states_of(game, moves)
    worths: list[Worth | None] = [None] * len(states)
    for ply in reversed(range(len(states))):
        told(ply)
        worths[ply] = judge.worth(states[ply])
        if worths[ply] is None:
            break
    return worths


class Known(NamedTuple):
    """What is known of a position when moves are judged: whose turn it is, and its worth to that side."""

    seat: Seat
    result: int
    margin: int | None


class Judgement(NamedTuple):
    """What a move has done: from which result to which, for the side that made it, and the score it cost."""

    before: int
    after: int
    points: int

    @property
    def gave_away(self) -> bool:
        """Whether a better result was there."""
        return self.after < self.before

    @property
    def loss(self) -> float:
        """What it gave away of the game, of which a win is a point and a draw half of one: 0, 0.5 or 1."""
        return (self.before - self.after) / 2


def judgements(positions: Sequence[Known | None]) -> list[Judgement | None]:
    """Of each move what it has done; None where the position before it or after it is not known."""
    return [
        None if before is None or after is None else _judged(before, after)
        for before, after in pairwise(positions)
    ]


def _judged(before: Known, after: Known) -> Judgement:
    sign = _sign(after, before.seat)
    points = 0
    if before.margin is not None and after.margin is not None:
        points = abs(before.margin - sign * after.margin)
    return Judgement(before.result, sign * after.result, points)


def losing_move(positions: Sequence[Known | None]) -> tuple[Seat, int | None] | None:
    """Who stood lost at the end, and the number of the move after which that was so for good.

    None where nobody did, or the end is not known; no move where that side stood so as far back as is known.
    """
    last = positions[-1]
    if last is None or last.result == 0:
        return None
    loser: Seat = last.seat if last.result < 0 else _other(last.seat)
    for ply in reversed(range(len(positions) - 1)):
        position = positions[ply]
        if position is None:
            return loser, None
        if _sign(position, loser) * position.result >= 0:
            return loser, ply
    return loser, None


def _sign(position: Known, seat: Seat) -> int:
    """By what to multiply to say it from the view of that seat."""
    return 1 if position.seat == seat else -1


def _other(seat: Seat) -> Seat:
    return 0 if seat else 1
