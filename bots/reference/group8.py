"""The Reversed Reversi player of group 8 of a university class, faithful to the code in its report.

That player looks six discs ahead with minimax and judges the last board by a table of weights. The code
does some things that its text does not say. They decide its moves, and are kept:

- Only its own discs are placed. The search never changes whose turn it is: at every level the mover's disc
  goes to one of the squares that the board marks as playable. After a move those are the other side's
  squares (the mover's, if the other side has none), so a disc is often placed where it turns nothing over.
- The levels under the root go max, min, max, min, max; the root itself takes the maximum as well.
- The judgement is always "weights of O minus weights of X", corners counting +20 for whoever holds them.
  As X the program therefore wants bad squares for itself, which suits a game that fewer discs win; as O it
  wants good ones, as if more did.
- Among equals the first move in row-major order is played: the root asks for a strictly better score.
- Leaving a loop at a cutoff leaves the loop over columns only, so one square of every further row is still
  searched. At the root this changes no score: whatever those squares return, the node has already failed.
- The second table of weights, which the report changes when a corner is taken, is never read by the search.
- A side that is to move on a board without playable squares ends the search there, with the same judgement.

In the report's listing `return value` stands inside the loop over rows. Run like that, a search would look
at the first row alone, and from the opening position every score would be minus infinity and the move
(-1, -1); what was played in the class must have returned after both loops, as here.

The report's program needed a minute or two for a game. This one plays the same moves faster, on bitboards,
with what cannot change the root's choice: a table of positions met before, better moves tried first, and
the best score so far as a bound for the next root move.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from bots.reference.boards import flipper
from bots.reference.rules import position, require_game
from bots.sdk.arena_bot import Request, run
from engines.bitboards import bits, geometry, placements

DEPTH = 5
INFINITE = 1_000_000

WEIGHTS = (
    *(20, -10, 5, 5, 5, 5, -10, 20),
    *(-10, -20, -1, -1, -1, -1, -20, -10),
    *(5, -1, -2, -2, -2, -2, -1, 5),
    *(5, -1, -2, 0, 0, -2, -1, 5),
    *(5, -1, -2, 0, 0, -2, -1, 5),
    *(5, -1, -2, -2, -2, -2, -1, 5),
    *(-10, -20, -1, -1, -1, -1, -20, -10),
    *(20, -10, 5, 5, 5, 5, -10, 20),
)  # fmt: skip

turned = flipper(8)
EIGHT = geometry(8)


class Bot:
    """Plays Reversed Reversi on 8 by 8 squares as group 8 did."""

    name = "group8"
    version = "1"
    reusable = True

    def start(self, hello: dict[str, Any]) -> None:
        """Refuse every game but Reversi on the board that the weights are for."""
        self._game = require_game(self.name, hello, "reversed_reversi")

    def choose(self, request: Request) -> tuple[str, str]:
        """The report's move, and what its program prints: the scores of all moves that it looked at."""
        state = position(self._game, request)
        moves = looked_at(state.own, state.opp, is_x=state.seat == 0)
        best = _best(moves)
        text = self._game.move_to_text
        scores = (f"{text(each.square)} {'' if each.exact else 'at most '}{each.score}" for each in moves)
        return text(best.square), f"score {best.score}: {', '.join(scores)}"


class Looked(NamedTuple):
    """A move with its score (O's weights minus X's); one that is not `exact` has that score at most."""

    square: int
    score: int
    exact: bool


def looked_at(own: int, opp: int, *, is_x: bool, depth: int = DEPTH) -> list[Looked]:
    """The moves in the order in which the report's player looks at them.

    `depth`, at least 1, is that of its `alpha_beta`, called for each of its moves. It works every score out;
    here one that does not pass the best so far is only shown not to.
    """
    search = _Search(maximum_is_own=not is_x, depth=depth)
    weight = _weight(own) - _weight(opp)
    best, moves = -INFINITE, list[Looked]()
    for square in bits(placements(own, opp, EIGHT)):
        score = search.value(_place(own, opp, weight, square), depth, best, INFINITE)
        moves.append(Looked(square, score, score > best))
        best = max(best, score)
    return moves


def best_move(own: int, opp: int, *, is_x: bool, depth: int = DEPTH) -> tuple[int, int]:
    """The square that the report's player chooses, and its score; -1 where it cannot move."""
    best = _best(looked_at(own, opp, is_x=is_x, depth=depth))
    return best.square, best.score


def _best(moves: list[Looked]) -> Looked:
    """The first of those with the greatest score."""
    return max(moves, key=lambda each: each.score, default=Looked(-1, -INFINITE, exact=True))


Board = tuple[int, int, int]
"""Own discs, the other's, and the own weights minus the other's."""


def _place(own: int, opp: int, weight: int, square: int) -> Board:
    line = turned(own, opp, square)
    return own | line | 1 << square, opp ^ line, weight + WEIGHTS[square] + 2 * _weight(line)


@lru_cache(maxsize=1 << 16)
def _weight(board: int) -> int:
    """The sum of the weights of a board's squares."""
    return sum(WEIGHTS[square] for square in bits(board))


class _Search:
    """Negamax for one move. A value is good for the level at hand: negated scores on minimising ones."""

    def __init__(self, *, maximum_is_own: bool, depth: int) -> None:
        self._sign = 1 if maximum_is_own else -1
        self._top = depth
        self._known: dict[tuple[int, int, int], tuple[int, int]] = {}

    def value(self, board: Board, depth: int, alpha: int, beta: int) -> int:
        """The level's value of a board, or a bound of it outside `alpha` to `beta`."""
        own, opp, weight = board
        key = (own, opp, depth)
        low, high = self._known.get(key, (-INFINITE, INFINITE))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        sign = self._sign if (self._top - depth) % 2 == 0 else -self._sign
        marked = placements(opp, own, EIGHT) or placements(own, opp, EIGHT)
        if not marked:
            return sign * weight
        best = -INFINITE
        if depth == 1:
            for square in bits(marked):
                gain = WEIGHTS[square] + 2 * _weight(turned(own, opp, square))
                best = max(best, sign * (weight + gain))
                if best >= beta:
                    break
        else:
            boards = [_place(own, opp, weight, square) for square in bits(marked)]
            boards.sort(key=lambda child: sign * child[2], reverse=True)
            for child in boards:
                best = max(best, -self.value(child, depth - 1, -beta, -max(alpha, best)))
                if best >= beta:
                    break
        self._known[key] = (best if best > alpha else low, best if best < beta else high)
        return best


if __name__ == "__main__":
    run(Bot())
