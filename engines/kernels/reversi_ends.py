"""How the end of a game of Reversi is written down; `out` are the arrays of `Playouts` but the moves."""

from __future__ import annotations

from engines.kernels.arithmetic import U64
from engines.kernels.jit import Columns, compiled
from engines.kernels.random_games import BY_PLY_LIMIT, BY_RULES, DRAWN


@compiled
def book_end(out: Columns, game: int, made: U64, discs: tuple[U64, U64], reverse: bool) -> None:
    """`game` ended by the rules after `made` plies with these `discs` by seat; with `reverse` fewer win."""
    winners, plies, scores, ends = out
    first, second = discs
    plies[game], ends[game] = made, BY_RULES
    scores[game, 0], scores[game, 1] = first, second
    winners[game] = DRAWN
    if first != second:
        winners[game] = 0 if (first < second) == reverse else 1


@compiled
def book_draw(out: Columns, game: int, made: U64, half: U64) -> None:
    """`game` was drawn by the ply limit after `made` plies: `half` the board for each side."""
    winners, plies, scores, ends = out
    plies[game], ends[game] = made, BY_PLY_LIMIT
    scores[game, 0], scores[game, 1] = half, half
    winners[game] = DRAWN
