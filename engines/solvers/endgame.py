"""Reversi played perfectly from positions with few empty squares, on boards of up to 8 by 8."""

from __future__ import annotations

from typing import NamedTuple

from engines.game import Move, Score
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.endgame_limits import LONGEST_SIDE, MAX_CUT_EMPTY, MAX_EMPTY
from engines.solvers.judging import Worth
from engines.solvers.oracle import Progress, SolverError, Value, no_progress
from engines.solvers.reversi_search import Search, Stop

MEMORY = 1 << 25
"""Bytes for the positions that a search keeps."""
MAX_NODES = 500_000_000
"""Positions that are searched for what those of one game are worth: less than a minute on a server's core of
2023. As many more at most are searched for what is at stake in them.
"""
ANYTHING = 65
"""More than any value."""


class Ending(NamedTuple):
    """How a position ends when both sides play for the best score.

    `margin` is the mover's discs less the other side's at the end, `line` one way of perfect play to it, and
    `score` what it comes to by seat. `nodes` counts the positions searched.
    """

    margin: int
    score: Score
    line: tuple[Move, ...]
    nodes: int


def empty_squares(game: ReversedReversi, state: State) -> int:
    """How many squares are empty."""
    return game.geometry.squares - (state.own | state.opp).bit_count()


def solve_endgame(game: ReversedReversi, state: State, progress: Progress = no_progress) -> Ending:
    """The score of `state` with perfect play; `progress` is told of the moves tried.

    Raises:
        SolverError: the board is too large, too many squares are empty, or nothing compiled is there.
    """
    values = _Values(_search(game), None)
    empty = empty_squares(game, state)
    if empty > MAX_EMPTY and game.outcome(state) is None:
        raise SolverError(
            "endings are solved with at most %(most)s empty squares, and by `arena solve` with at most"
            " %(cut)s; here are %(empty)s",
            most=MAX_EMPTY,
            cut=MAX_CUT_EMPTY,
            empty=empty,
        )
    line: list[Move] = []
    end = state
    while (outcome := game.outcome(end)) is None:
        line.append(_best_move(game, end, values, no_progress if line else progress))
        end = game.play(end, line[-1])
    margin = outcome.score[state.seat] - outcome.score[1 - state.seat]
    return Ending(margin, outcome.score, tuple(line), values.nodes)


class EndingJudge:
    """Knows what the late positions of a game are worth by score, as far as `most` searched positions go.

    What it has found out of one position it uses for the next: ask it for a game's positions from the last.
    How far it gets does not depend on the machine.
    """

    def __init__(self, game: ReversedReversi, most: int = MAX_NODES) -> None:
        """Take up a game.

        Raises:
            SolverError: the board is too large, or nothing compiled is there.
        """
        self._game = game
        search = _search(game)
        self._values, self._stakes = _Values(search, most), _Values(search, most)

    def stop_by(self, stop: Stop) -> None:
        """Give a search up soon after that byte is set; nothing is known from then on."""
        self._values.stop = self._stakes.stop = stop

    def worth(self, state: State) -> Worth | None:
        """What the position is worth; None where too many squares are empty, or the search takes too long."""
        outcome = self._game.outcome(state)
        if outcome is not None:
            return self._worth(outcome.score[state.seat] - outcome.score[1 - state.seat], ())
        if empty_squares(self._game, state) > MAX_EMPTY:
            return None
        margin, best = _best_moves(self._game, state, self._values)
        return self._worth(margin, best) if self._values.done else None

    def at_stake(self, state: State, worth: Worth) -> bool | None:
        """Whether a move has a worse result; None where the search takes too long.

        That is one search a move at most, of whether it keeps the result, and none of the best moves.
        """
        result = worth.value.result
        if result < 0:
            return False
        after = [
            self._game.play(state, move) for move in self._game.legal_moves(state) if move not in worth.best
        ]
        for each in sorted(after, key=lambda each: len(self._game.legal_moves(each)), reverse=True):
            given = self._stakes.value(each, 1 - result, -result) > -result
            if not self._stakes.done:
                return None
            if given:
                return True
        return False if self._stakes.done else None

    def _worth(self, margin: int, best: tuple[Move, ...]) -> Worth:
        wanted = -margin if self._game.reversed else margin
        return Worth(Value((wanted > 0) - (wanted < 0), None), margin, best)


class _Values:
    """Values of one game's positions, with `most` positions searched for all of them together."""

    def __init__(self, search: Search, most: int | None) -> None:
        self._search = search
        self._most = most
        self.stop: Stop | None = None
        self.nodes = 0
        self.done = True
        """Whether all that was asked for is known; what was told since it was not says nothing."""

    def value(self, state: State, most: int, least: int = -ANYTHING) -> int:
        """What `state` is worth to its mover, of whom more is wanted.

        Of `most` or more it is a lower bound, and of `least` or less only something that is no more.
        """
        left = None if self._most is None else max(0, self._most - self.nodes)
        found = self._search.solve(state.own, state.opp, least, most, most=left, stop=self.stop)
        self.nodes += found.nodes
        self.done &= found.done
        return found.low


def _search(game: ReversedReversi) -> Search:
    columns, rows = game.sides
    if max(columns, rows) > LONGEST_SIDE:
        raise SolverError(
            "endings are solved on boards of at most 8 by 8 squares, not %(size)s", size=game.size
        )
    return Search(rows, columns, reversed=game.reversed, memory=MEMORY)


def _best_moves(game: ReversedReversi, state: State, values: _Values) -> tuple[int, tuple[Move, ...]]:
    """The mover's margin with perfect play and all moves that keep it, ascending.

    The first move is searched in full, each other as far as it may be as good.
    """
    after = {move: game.play(state, move) for move in game.legal_moves(state)}
    floor, best = -ANYTHING, list[Move]()
    for move in sorted(after, key=lambda move: len(game.legal_moves(after[move]))):
        value = -values.value(after[move], 1 - floor if best else ANYTHING)
        if value > floor:
            floor, best = value, []
        if value == floor:
            best.append(move)
    return -floor if game.reversed else floor, tuple(sorted(best))


def _best_move(game: ReversedReversi, state: State, values: _Values, progress: Progress) -> Move:
    """A move of the best score: the first is searched in full, each other only as far as it may be better."""
    after = {move: game.play(state, move) for move in game.legal_moves(state)}
    moves = sorted(after, key=lambda move: len(game.legal_moves(after[move])))
    best, best_move = -ANYTHING, moves[0]
    for done, move in enumerate(moves, start=1):
        value = -values.value(after[move], -best)
        if value > best:
            best, best_move = value, move
        progress(done, len(moves))
    return best_move
