"""Reversi searched a number of plies deep: principal variation search on bitboards.

Values are from the mover's view, in the unit of `bots.reference.values`; a game that ends within the search
is worth `WON` more than any judgement. The children of a position are made together: their mobilities
come from one look at all their boards, and judge them, put them in order, and are their lists of moves.
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import NamedTuple

from bots.reference.boards import finder, flipper
from bots.reference.endgame import OutOfTimeError
from bots.reference.values import ORDINARY, REVERSED, square_weights, stage
from engines.games.reversed_reversi import bits

INFINITE = 10_000_000
WON = 1_000_000
PER_DISC = 100
MOST_KNOWN = 200_000


class Child(NamedTuple):
    """A position after one move. `judged` is its value for who moved, the rest is the new mover's view."""

    judged: int
    square: int
    own: int
    opp: int
    moves: int
    weight: int


class Known(NamedTuple):
    """What the table keeps of a position: the depth searched, bounds of the value, the best square."""

    depth: int
    low: int
    high: int
    square: int


class Midgame:
    """Searches for one move of one game; the weights are those of the stage that `discs` is in."""

    def __init__(self, size: int, discs: int, *, fewest: bool) -> None:
        values = (REVERSED if fewest else ORDINARY)[stage(size, discs)]
        weights = square_weights(size, values)
        self._weights = weights
        self._moves, self._waiting = values.moves, values.waiting
        self._turned = flipper(size)
        self._find = finder(size)
        self._full = (1 << size * size) - 1
        self._sign = -1 if fewest else 1
        self._known: dict[tuple[int, int], Known] = {}
        self._sum = lru_cache(1 << 16)(lambda board: sum(weights[square] for square in bits(board)))
        self.deadline = 0.0

    def root(self, own: int, opp: int) -> list[Child]:
        """The moves of a position that has some, the most promising first."""
        weight = self._sum(own) - self._sum(opp)
        return sorted(self._children(own, opp, self._find(own, opp), weight), reverse=True)

    def deepen(self, children: list[Child], depth: int, deadline: float) -> tuple[list[Child], int]:
        """`children` with the best one first, searched `depth` plies after it, and its value.

        Raises:
            OutOfTimeError: `time.monotonic()` passed `deadline` first.
        """
        self.deadline = deadline
        best, chosen = -INFINITE, children[0]
        for child in children:
            value = self._follow(child, depth, best, INFINITE)
            if value > best:
                best, chosen = value, child
        return [chosen, *(child for child in children if child is not chosen)], best

    def _follow(self, child: Child, depth: int, alpha: int, beta: int) -> int:
        """The value of a move, for who makes it; first only whether it beats `alpha`, where there is one."""
        _, _, own, opp, moves, weight = child
        if depth == 0:
            return child.judged
        if alpha > -INFINITE:
            value = -self._value((own, opp, moves, weight), depth, -alpha - 1, -alpha)
            if not alpha < value < beta:
                return value
        return -self._value((own, opp, moves, weight), depth, -beta, -alpha)

    def _value(self, position: tuple[int, int, int, int], depth: int, alpha: int, beta: int) -> int:
        """The mover's value of a position, or a bound of it outside `alpha` to `beta`."""
        own, opp, moves, weight = position
        if not moves:
            replies = self._find(opp, own)
            if not replies:
                return self._final(own, opp)
            return -self._value((opp, own, replies, -weight), depth, -beta, -alpha)
        if depth == 1:
            return max(child.judged for child in self._children(own, opp, moves, weight))
        known = self._known.get((own, opp))
        low, high = -INFINITE, INFINITE
        if known and known.depth == depth:
            low, high = known.low, known.high
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
        if time.monotonic() > self.deadline:
            raise OutOfTimeError
        children = sorted(self._children(own, opp, moves, weight), reverse=True)
        if known:
            children.sort(key=lambda child: child.square != known.square)
        best, square = self._best(children, depth - 1, alpha, beta)
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        low, high = (best if best > alpha else low), (best if best < beta else high)
        self._known[own, opp] = Known(depth, low, high, square)
        return best

    def _best(self, children: list[Child], depth: int, alpha: int, beta: int) -> tuple[int, int]:
        best, square = -INFINITE, -1
        for child in children:
            value = self._follow(child, depth, max(alpha, best), beta)
            if value > best:
                best, square = value, child.square
                if best >= beta:
                    break
        return best, square

    def _final(self, own: int, opp: int) -> int:
        margin = self._sign * (own.bit_count() - opp.bit_count())
        return margin * PER_DISC + (WON if margin > 0 else -WON if margin < 0 else 0)

    def _children(self, own: int, opp: int, moves: int, weight: int) -> list[Child]:
        """The positions after each of `moves`, in the order of their squares."""
        boards = []
        movers = others = shift = 0
        lane = self._find.lane
        for square in bits(moves):
            disc = 1 << square
            line = self._turned(own, opp, square)
            new_own, new_opp = opp ^ line, own | line | disc
            movers |= new_own << shift
            others |= new_opp << shift
            shift += lane
            gained = self._weights[square] + 2 * self._sum(line)
            boards.append((square, new_own, new_opp, weight + gained))
        replies = self._find(movers, others, len(boards))
        waiting = self._find(others, movers, len(boards))
        children = []
        for square, new_own, new_opp, gained in boards:
            can, could = replies & self._full, waiting & self._full
            replies >>= lane
            waiting >>= lane
            judged = gained - self._moves * can.bit_count() + self._waiting * could.bit_count()
            if not can and not could:
                judged = -self._final(new_own, new_opp)
            children.append(Child(judged, square, new_own, new_opp, can, -gained))
        return children
