"""Reversi searched a number of plies deep: principal variation search on bitboards.

Values are from the mover's view, in the unit of `bots.reference.judge`; a game that ends within the search is
worth `WON` more than any judgement. The children of a position are made together: their counts come from few
looks at all their boards at once. Where they are not searched further, only as many are judged in full as
it takes to pass the bound. A search of fewer plies that passes a bound clearly ends the deeper one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bots.reference.boards import finder, flipper
from bots.reference.endgame import OutOfTimeError
from bots.reference.judge import DISC, judge
from engines.bitboards import bits

INFINITE = 1 << 40
WON = 1 << 30
MAX_KNOWN = 150_000
CUT_PLIES = 2
MARGINS = {True: 3, False: 6}
"""Where fewer discs win, and where more do: a search `CUT_PLIES` plies shallower that passes a bound by so
many discs is believed (Buro, *ProbCut: an effective selective extension of the alpha-beta algorithm*, ICCA
Journal 1995). The values of two such searches differ by two discs and by four to five, standard deviation."""

LOOK_AHEAD = 5
"""The weights are those of positions with so many discs more than the one that is asked about."""


class Child(NamedTuple):
    """A position after one move, from the new mover's view.

    `judged` is its value for who moved, `moves` are the new mover's placements.
    """

    judged: int
    square: int
    own: int
    opp: int
    moves: int


class Known(NamedTuple):
    """What the table keeps of a position: the depth searched, and bounds of the value."""

    depth: int
    low: int
    high: int


class Midgame:
    """Searches for the moves of one game; `clock` tells the time in seconds, as deadlines do.

    `margin` is how clear a shallower search must be to end a deeper one, `positions` what was expanded.
    """

    def __init__(self, size: int, *, fewest: bool, clock: Callable[[], float]) -> None:
        self._size, self._fewest, self._clock = size, fewest, clock
        self._turned = flipper(size)
        self._find = finder(size)
        self._squares = size * size
        self._full = (1 << self._squares) - 1
        self._sign = -1 if fewest else 1
        self.margin = DISC * MARGINS[fewest]
        self.positions = 0
        self._known: dict[int, Known] = {}
        self._first: dict[int, int] = {}
        self._deadline = 0.0

    def root(self, own: int, opp: int) -> list[Child]:
        """The moves of a position that has some, the most promising first; kept values are forgotten."""
        discs = (own | opp).bit_count()
        judgement = judge(self._size, min(discs + LOOK_AHEAD, self._squares), fewest=self._fewest)
        self._patterns = list(zip(judgement.regions, judgement.masks, strict=True))
        self._counts = judgement.counts
        self._known.clear()
        return self._children(own, opp, self._find(own, opp))

    def deepen(self, children: list[Child], depth: int, deadline: float) -> tuple[list[Child], int, bool]:
        """`children` with the best one first, searched `depth` plies after it; its value; whether all were.

        Where time runs out, only the first few have been searched, at least one.

        Raises:
            OutOfTimeError: the clock passed `deadline` before the first was searched.
        """
        self._deadline = deadline
        best, chosen, whole = -INFINITE, children[0], True
        for child in children:
            try:
                value = self._follow(child, depth, best, INFINITE)
            except OutOfTimeError:
                if child is children[0]:
                    raise
                whole = False
                break
            if value > best:
                best, chosen = value, child
        return [chosen, *(child for child in children if child is not chosen)], best, whole

    def _follow(self, child: Child, depth: int, alpha: int, beta: int) -> int:
        """The value of a move, for who makes it; first only whether it beats `alpha`, where there is one."""
        if alpha > -INFINITE and beta - alpha > 1:
            value = -self._value(child, depth, -alpha - 1, -alpha)
            if not alpha < value < beta:
                return value
        return -self._value(child, depth, -beta, -alpha)

    def _value(self, child: Child, depth: int, alpha: int, beta: int) -> int:
        """The new mover's value of a position `depth` (1 or more) plies deep, or a bound outside the window.

        Raises:
            OutOfTimeError: the clock passed the deadline.
        """
        judged, _, own, opp, moves = child
        if not moves:
            return self._after_pass(child, depth, alpha, beta)
        if depth == 1:
            return self._leaves(own, opp, moves, beta)
        key = own | opp << self._squares
        known = self._known.get(key)
        low, high = known[1:] if known and known.depth == depth else (-INFINITE, INFINITE)
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        if self._clock() > self._deadline:
            raise OutOfTimeError
        if depth > CUT_PLIES and beta - alpha == 1 and self._is_clear(child, depth, alpha, beta):
            return beta if judged < -alpha else alpha
        best, first = self._best(
            self._children(own, opp, moves), self._first.get(key, -1), depth, alpha, beta
        )
        low, high = (best if best > alpha else low), (best if best < beta else high)
        self._keep(key, Known(depth, low, high), first)
        return best

    def _after_pass(self, child: Child, depth: int, alpha: int, beta: int) -> int:
        """As `_value`, where the new mover can place nothing."""
        judged, _, own, opp, _ = child
        replies = self._find(opp, own)
        if not replies:
            return self._final(own, opp)
        return -self._value(Child(-judged, -1, opp, own, replies), depth, -beta, -alpha)

    def _best(self, children: list[Child], first: int, depth: int, alpha: int, beta: int) -> tuple[int, int]:
        """The value of the best child, the one on the square `first` being tried first, and its square."""
        children.sort(key=lambda child: child.square != first)
        best = -INFINITE
        for child in children:
            value = self._follow(child, depth - 1, max(alpha, best), beta)
            if value > best:
                best, first = value, child.square
                if best >= beta:
                    break
        return best, first

    def _is_clear(self, child: Child, depth: int, alpha: int, beta: int) -> bool:
        """Whether a search `CUT_PLIES` plies shallower clearly passes the bound that the judgement passes."""
        if child.judged < -alpha:
            bound = beta + self.margin
            return bound < WON and self._value(child, depth - CUT_PLIES, bound - 1, bound) >= bound
        bound = alpha - self.margin
        return bound > -WON and self._value(child, depth - CUT_PLIES, bound, bound + 1) <= bound

    def _keep(self, key: int, known: Known, first: int) -> None:
        if len(self._known) > MAX_KNOWN:
            self._known.clear()
        if len(self._first) > MAX_KNOWN:
            self._first.clear()
        self._known[key] = known
        self._first[key] = first

    def _leaves(self, own: int, opp: int, moves: int, beta: int) -> int:
        """The best judgement after one move, or one that reaches `beta`."""
        boards, counts, _ = self._after(own, opp, moves)
        lanes = len(boards)
        shift = self._squares
        own_moves, opp_moves, own_border, opp_border, parity = self._counts
        even = parity[shift - (own | opp).bit_count() - 1 & 1]
        best, hopes = -INFINITE, []
        for at, can in enumerate(counts[:lanes]):
            if can:
                value = own_moves[can] + opp_moves[counts[at + lanes]]
                value += own_border[counts[at + 2 * lanes]] + opp_border[counts[at + 3 * lanes]]
                hopes.append((value, at))
            else:
                best = max(best, self._passed(boards[at]))
        hopes.sort()
        (r0, m0), (r1, m1), (r2, m2), (r3, m3), (r4, m4), (r5, m5), (r6, m6), (r7, m7) = self._patterns
        for value, at in hopes:
            if best >= beta:
                break
            _, mine, theirs = boards[at]
            both = mine | theirs << shift
            sides = r0[both & m0] + r1[both & m1] + r2[both & m2] + r3[both & m3]
            corners = r4[both & m4] + r5[both & m5] + r6[both & m6] + r7[both & m7]
            best = max(best, -even - value - sides - corners)
        return best

    def _children(self, own: int, opp: int, moves: int) -> list[Child]:
        """The positions after each of `moves`, the best for the mover first."""
        boards, counts, replies = self._after(own, opp, moves)
        lanes = len(boards)
        lane, full = self._find.lane, self._full
        own_moves, opp_moves, own_border, opp_border, parity = self._counts
        even = parity[self._squares - (own | opp).bit_count() - 1 & 1]
        children = []
        for at, (square, mine, theirs) in enumerate(boards):
            can = counts[at]
            if can:
                value = even + own_moves[can] + opp_moves[counts[at + lanes]]
                value += own_border[counts[at + 2 * lanes]] + opp_border[counts[at + 3 * lanes]]
                judged = -value - self._sum(mine, theirs)
            else:
                judged = self._passed(boards[at])
            children.append(Child(judged, square, mine, theirs, replies >> lane * at & full))
        children.sort(reverse=True)
        return children

    def _sum(self, own: int, opp: int) -> int:
        """What the patterns are worth to the side of `own`."""
        both = own | opp << self._squares
        return sum(region[both & mask] for region, mask in self._patterns)

    def _passed(self, board: tuple[int, int, int]) -> int:
        """What a board on which the side to move can place nothing is worth to the other side."""
        _, opp, own = board
        moves = self._find(own, opp)
        if not moves:
            return self._final(own, opp)
        empty = self._full & ~(own | opp)
        own_moves, opp_moves, own_border, opp_border, parity = self._counts
        value = own_moves[moves.bit_count()] + opp_moves[0] + parity[empty.bit_count() & 1]
        value += own_border[self._find.around(own, empty).bit_count()]
        value += opp_border[self._find.around(opp, empty).bit_count()]
        return value + self._sum(own, opp)

    def _final(self, own: int, opp: int) -> int:
        margin = self._sign * (own.bit_count() - opp.bit_count())
        return margin * DISC + (WON if margin > 0 else -WON if margin < 0 else 0)

    def _after(self, own: int, opp: int, moves: int) -> tuple[list[tuple[int, int, int]], bytes, int]:
        """The square, the new mover's discs and the other's after each of `moves`, and what is counted there.

        The counts are, for all boards: the new mover's placements, the other's, and the empty squares next to
        discs of either. Last come the new mover's placements themselves, a lane a board, and more above them.
        """
        self.positions += 1
        boards = []
        movers = others = shift = 0
        find, turned = self._find, self._turned
        lane = find.lane
        for square in bits(moves):
            line = turned(own, opp, square)
            mine, theirs = opp ^ line, own | line | 1 << square
            movers |= mine << shift
            others |= theirs << shift
            shift += lane
            boards.append((square, mine, theirs))
        lanes = len(boards)
        # Both sides at once: the other side's boards lie above the mover's.
        both, swapped = movers | others << shift, others | movers << shift
        placements = find(both, swapped, 2 * lanes)
        near = find.around(both, find.empty(both | swapped, 2 * lanes), 2 * lanes)
        return boards, find.counts(placements | near << 2 * shift, 4 * lanes), placements
