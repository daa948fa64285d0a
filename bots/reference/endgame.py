"""Reversi solved to its end: exact final scores of positions with few empty squares."""

from __future__ import annotations

import time
from collections.abc import Callable

from bots.reference.boards import finder, flipper, lines_through, neighbours
from engines.bitboards import bits

FEW = 5
"""With at most so many empty squares, trying each of them costs less than looking for moves first."""

MAX_KNOWN = 200_000
INFINITE = 1_000


class OutOfTimeError(Exception):
    """The deadline passed before the answer was found."""


class Endgame:
    """Solves positions of one game: a value is the mover's final advantage in discs.

    When the game is reversed, having fewer discs is the advantage. Squares that stay empty count for nobody.
    """

    def __init__(self, size: int, *, fewest: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._turned = flipper(size)
        self._find = finder(size)
        self._full = (1 << size * size) - 1
        self._sign = -1 if fewest else 1
        self._known: dict[tuple[int, int], tuple[int, int]] = {}
        self._quarters = _quarters(size)
        discs = [1 << square for square in range(size * size)]
        self._lines = {disc: lines_through(size, disc) for disc in discs}
        self._near = {disc: neighbours(size, disc) for disc in discs}
        self.deadline = 0.0

    def best(
        self, own: int, opp: int, deadline: float, alpha: int = -INFINITE, beta: int = INFINITE
    ) -> tuple[int, int]:
        """The best square and its value (a bound outside `alpha` to `beta`); the mover can place a disc.

        A window of -1 to 1 asks only who wins, which takes less time.

        Raises:
            OutOfTimeError: `time.monotonic()` passed `deadline` first; what was found is kept for next time.
        """
        self.deadline = deadline
        best, best_square = -INFINITE, -1
        for _, square, o, p, moves in self._children(own, opp, self._find(own, opp)):
            value = self._follow(o, p, moves, max(alpha, best), beta)
            if value > best:
                best, best_square = value, square
                if best >= beta:
                    break
        return best_square, best

    def _follow(self, own: int, opp: int, moves: int, alpha: int, beta: int) -> int:
        """The value of a move to a position, for who made it; first only whether it beats `alpha`."""
        if beta - alpha > 1 and alpha > -INFINITE:
            value = -self.value(own, opp, moves, -alpha - 1, -alpha)
            if not alpha < value < beta:
                return value
        return -self.value(own, opp, moves, -beta, -alpha)

    def final(self, own: int, opp: int) -> int:
        """The mover's advantage on a board where nothing more can be placed."""
        return self._sign * (own.bit_count() - opp.bit_count())

    def value(self, own: int, opp: int, moves: int, alpha: int, beta: int) -> int:
        """The value of a position whose placements are `moves`, or a bound of it outside `alpha` to `beta`.

        Raises:
            OutOfTimeError: the deadline passed.
        """
        if not moves:
            moves = self._find(opp, own)
            return -self.value(opp, own, moves, -beta, -alpha) if moves else self.final(own, opp)
        empty = self._full & ~(own | opp)
        if empty.bit_count() <= FEW:
            return self._few(own, opp, empty, alpha, beta)
        low, high = self._known.get((own, opp), (-INFINITE, INFINITE))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        if self._clock() > self.deadline:
            raise OutOfTimeError
        best = -INFINITE
        for _, _, o, p, replies in self._children(own, opp, moves):
            best = max(best, self._follow(o, p, replies, max(alpha, best), beta))
            if best >= beta:
                break
        if len(self._known) > MAX_KNOWN:
            self._known.clear()
        self._known[own, opp] = (best if best > alpha else low, best if best < beta else high)
        return best

    def _children(self, own: int, opp: int, moves: int) -> list[tuple[int, int, int, int, int]]:
        """(order, square, mover's discs, other's, its placements) after each move: fewest replies first.

        Among equals, squares in a quarter of the board with an odd number of empty squares come first.
        """
        squares = bits(moves)
        lane = self._find.lane
        odd = self._odd_quarters(own | opp)
        movers = others = shift = 0
        boards = []
        for square in squares:
            line = self._turned(own, opp, square)
            o, p = opp ^ line, own | line | 1 << square
            boards.append((o, p))
            movers |= o << shift
            others |= p << shift
            shift += lane
        placements = self._find(movers, others, len(squares))
        children = []
        for square, (o, p) in zip(squares, boards, strict=True):
            replies = placements & self._full
            placements >>= lane
            order = 2 * replies.bit_count() - (odd >> square & 1)
            children.append((order, square, o, p, replies))
        children.sort()
        return children

    def _odd_quarters(self, taken: int) -> int:
        return sum(quarter for quarter in self._quarters if (quarter & ~taken).bit_count() & 1)

    def _few(self, own: int, opp: int, empty: int, alpha: int, beta: int) -> int:
        """As `value`, trying every empty square; the mover can place a disc, or has just not been asked."""
        best = -INFINITE
        rest = empty
        while rest:
            disc = rest & -rest
            rest ^= disc
            line = self._line(own, opp, disc)
            if line:
                theirs, mine = opp ^ line, own | line | disc
                if empty == disc:
                    return self.final(mine, theirs)
                reply = -self._few(theirs, mine, empty ^ disc, -beta, -max(alpha, best))
                if reply > best:
                    best = reply
                    if best >= beta:
                        return best
        if best > -INFINITE:
            return best
        if self._find_any(opp, own, empty):
            return -self._few(opp, own, empty, -beta, -alpha)
        return self.final(own, opp)

    def _line(self, own: int, opp: int, disc: int) -> int:
        """The discs of `opp` that a disc of `own` turns over."""
        line = 0
        if opp & self._near[disc]:
            for mask, ends, between in self._lines[disc]:
                if end := ends[opp & mask] & own:
                    line |= between[end]
        return line

    def _find_any(self, own: int, opp: int, empty: int) -> bool:
        return any(self._turned(own, opp, square) for square in bits(empty))


def _quarters(size: int) -> tuple[int, ...]:
    half = size // 2
    corner = sum(1 << row * size + column for row in range(half) for column in range(half))
    return corner, corner << half, corner << half * size, corner << half * size + half
