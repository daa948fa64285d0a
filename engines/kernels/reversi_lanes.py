"""Random games on 8x8 squares, sixteen side by side, each in a lane of its own.

All lanes take their steps together. Where nothing can be placed the step is a pass; where the step before was
one too, the game has been over since then, and the lane takes the next game of the batch.
"""

from __future__ import annotations

import numpy as np

from engines.kernels.arithmetic import GAMMA, LOW_HALF, U64, below, game_state, lowest, mix, nth_set, popcount
from engines.kernels.jit import Columns, Int32s, Span, Words, compiled
from engines.kernels.reversi_boards import flips, placements
from engines.kernels.reversi_ends import book_draw, book_end
from engines.kernels.words import WIDTH, Lanes, filled, flagged, lane, less, popcounts, spread, with_lane

_SIZE = U64(8)
_INNER = U64(0x7E7E7E7E7E7E7E7E)
_FULL = U64(0xFFFFFFFFFFFFFFFF)
_CROSSES, _NOUGHTS = U64(1 << 27 | 1 << 36), U64(1 << 28 | 1 << 35)
_FIRST_MOVES = U64(1 << 20 | 1 << 29 | 1 << 34 | 1 << 43)
_ONE = U64(1)


@compiled
def _draw(state: Lanes, moves: Lanes) -> tuple[Lanes, Lanes]:
    """One bit of `moves` in each lane, none where there is none, and the next states of the streams.

    `engines.kernels.arithmetic.below` for all lanes; the few that have to draw again do so one by one.
    """
    count = popcounts(moves)
    product = (mix(state) >> U64(32)) * count
    unfair = flagged(less(product & LOW_HALF, count))
    state = state + (filled(moves) & GAMMA)
    while unfair:
        each = lowest(unfair)
        unfair &= unfair - _ONE
        drawn, after = below(lane(state, each) - GAMMA, lane(count, each))
        product = with_lane(product, each, drawn << U64(32))
        state = with_lane(state, each, after)
    discs = moves
    for number in range(WIDTH):
        each = U64(number)
        discs = with_lane(discs, each, nth_set(lane(moves, each), lane(product, each) >> U64(32)))
    return discs, state


@compiled
def _discs(sides: tuple[Lanes, Lanes], each: U64, steps: U64) -> tuple[U64, U64]:
    """The discs of seat 0 and of seat 1 in lane `each`; `sides` are the boards `own` and `opp`."""
    own, opp = popcount(lane(sides[0], each)), popcount(lane(sides[1], each))
    return (opp, own) if steps & _ONE else (own, opp)


@compiled
def _note(games: Words, steps: Lanes, discs: Lanes, count: U64, moves: Int32s) -> None:
    """Write down the step that every lane with a game takes."""
    for number in range(WIDTH):
        each = U64(number)
        if games[each] < count:  # the number of no bit at all is that of the pass
            moves[games[each], lane(steps, each)] = lowest(lane(discs, each))


@compiled
def play_lanes(batch: Span, limit: U64, reverse: bool, out: Columns, moves: Int32s | None) -> None:
    """Play the games of `batch` (run, first index, count) to their ends, at most `limit` plies each.

    `reverse` says whether fewer discs win. `out` are the arrays of `Playouts` but
    `moves`, which comes full of -1 and wide enough for the longest game, or is None.

    A lane without a game (number `count`) begins with an empty board, where nobody can place anything, and
    at the end of the batch plays on for nobody.
    """
    run, start, count = batch
    games = np.full(WIDTH, count, np.uint64)
    taken, left = U64(0), count
    own = opp = state = steps = spread(U64(0))
    stuck, limits = spread(_FULL), spread(limit)
    while left:
        places = placements(own, opp, _INNER, _FULL, _SIZE)
        some = filled(places)
        none = some ^ _FULL
        over = flagged((none & stuck) | (some & (less(steps, limits) ^ _FULL)))
        while over:
            each = lowest(over)
            over &= over - _ONE
            if games[each] < count:
                made = last = lane(steps, each)
                if lane(none, each):
                    last = made - _ONE
                    book_end(out, games[each], last, _discs((own, opp), each, made), reverse)
                else:
                    last = limit
                    book_draw(out, games[each], last, U64(32))
                if moves is not None:
                    moves[games[each], last:made] = -1
                left -= _ONE
            games[each] = taken
            state = with_lane(state, each, game_state(run, start + taken))
            taken = min(taken + _ONE, count)
            own = with_lane(own, each, _CROSSES)
            opp = with_lane(opp, each, _NOUGHTS)
            steps = with_lane(steps, each, U64(0))
            places = with_lane(places, each, _FIRST_MOVES)
            none = with_lane(none, each, U64(0))
        discs, state = _draw(state, places)
        if moves is not None:
            _note(games, steps, discs, count, moves)
        turned = flips(own, opp, discs, _INNER, _SIZE)
        own, opp = opp ^ turned, own | turned | discs
        steps = steps + _ONE
        stuck = none
