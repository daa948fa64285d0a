"""Random games on boards of any size, one after the other, each board one word of 128 bits."""

from __future__ import annotations

from engines.kernels.arithmetic import U64, below, game_state, lowest
from engines.kernels.jit import Columns, Int32s, Span, Words, compiled
from engines.kernels.reversi_boards import flips, placements
from engines.kernels.reversi_ends import book_draw, book_end
from engines.kernels.words import Wide, low_half, nth_set_wide, popcount_wide, wide

_ONE = U64(1)
Rules = tuple[bool, U64, Words]


@compiled
def _number(bit: Wide) -> U64:
    """The number of the only bit that is set in a `Wide`."""
    low = low_half(bit)
    return lowest(low) if low else U64(64) + lowest(low_half(bit >> U64(64)))


@compiled
def _play_one(
    state: U64, boards: tuple[Wide, Wide, Wide, Wide], size: U64, limit: U64, kept: Int32s | None
) -> tuple[tuple[U64, U64], U64, bool]:
    """One game: the discs of seat 0 and seat 1 at its end, its plies, and whether the rules ended it."""
    own, opp, inner, full = boards
    plies = U64(0)
    while True:
        places = placements(own, opp, inner, full, size)
        choices = popcount_wide(places)
        over = choices == U64(0) and popcount_wide(placements(opp, own, inner, full, size)) == U64(0)
        if over or plies >= limit:
            break
        square = size * size
        if choices == U64(0):
            own, opp = opp, own
        else:
            number, state = below(state, choices)
            disc = nth_set_wide(places, number)
            square = _number(disc)
            turned = flips(own, opp, disc, inner, size)
            own, opp = opp ^ turned, own | turned | disc
        if kept is not None:
            kept[plies] = square
        plies += _ONE
    own_discs, opp_discs = popcount_wide(own), popcount_wide(opp)
    discs = (opp_discs, own_discs) if plies & _ONE else (own_discs, opp_discs)
    return discs, plies, over


@compiled
def play_wide(batch: Span, limit: U64, rules: Rules, out: Columns, moves: Int32s | None) -> None:
    """Play the games of `batch` as `play_lanes` does, on a board of any size.

    `rules` are whether fewer discs win, the board's size, and an array (4, 2) with the halves, the upper
    first, of four boards: X's discs at the start, O's, `inner` and `full` of `reversi_boards`.
    """
    run, start, count = batch
    reverse, size, halves = rules
    boards = (
        wide(halves[0, 0], halves[0, 1]),
        wide(halves[1, 0], halves[1, 1]),
        wide(halves[2, 0], halves[2, 1]),
        wide(halves[3, 0], halves[3, 1]),
    )
    for game in range(count):
        kept = None if moves is None else moves[game]
        discs, made, by_rule = _play_one(game_state(run, start + game), boards, size, limit, kept)
        if by_rule:
            book_end(out, game, made, discs, reverse)
        else:
            book_draw(out, game, made, (size * size) >> _ONE)
