"""What circle Nim's kernels share: the lines that can still be taken as words, a draw of one, a game's end.

There are three words, for the lines of one circle, of two and of three, each line a bit. Taking a line is
three ands with what shares no circle with it. A move's number is its bit's, added to the number of the first
line of its length.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from engines.kernels.arithmetic import U64, below, lowest, nth_set, popcount
from engines.kernels.jit import Results, Words, compiled
from engines.kernels.random_games import BY_PLY_LIMIT, BY_RULES, DRAWN, book
from engines.strategies.circle_nim import kinds, untouched

NONE, ONE, TWO, THREE = U64(0), U64(1), U64(2), U64(3)
Lengths = tuple[np.uint64, ...]  # for lines of one circle, of two and of three


class Tables(NamedTuple):
    """A triangle: all its lines by length, the number of the first line of each, and what a line leaves.

    `left` has one array a length, with a word a move.
    """

    full: Lengths
    first: Lengths
    left: tuple[Words, ...]


@cache
def tables(rows: int) -> Tables:
    """The tables of a triangle with so many rows."""
    of, rest = kinds(rows), untouched(rows)
    first = [0, of[0].bit_count(), of[0].bit_count() + of[1].bit_count()]
    return Tables(
        tuple(U64(kind >> at) for kind, at in zip(of, first, strict=True)),
        tuple(map(U64, first)),
        tuple(
            np.array([(moves & kind) >> at for moves in rest], np.uint64)
            for kind, at in zip(of, first, strict=True)
        ),
    )


@compiled
def pick(lines: U64, first: U64, state: U64) -> tuple[U64, U64]:
    """One of `lines` by one draw: its move, the lines' numbers counted from `first`, and the next state."""
    number, state = below(state, popcount(lines))
    return lowest(nth_set(lines, number)) + first, state


@compiled
def draw_length(threes: U64, state: U64) -> tuple[U64, U64]:
    """How many circles to take, less one, where there is a pair; and the next state.

    Whether there are `threes` is a branch, for it seldom changes: a computed bound would be waited for.
    """
    if threes:
        return below(state, THREE)
    return below(state, TWO)


@compiled
def draw(lines: Lengths, first: Lengths, state: U64) -> tuple[U64, U64]:
    """`engines.strategies.circle_nim.draw` from three words of lines: the move and the next state.

    The length is selected by masks: a processor guesses branches on chance wrong too often.
    """
    ones, twos, threes = lines
    if not twos:
        return pick(ones, NONE, state)
    kind, state = draw_length(threes, state)
    two, three = NONE - (kind & ONE), NONE - (kind >> ONE)
    chosen = ones & ~(two | three) | twos & two | threes & three
    return pick(chosen, first[1] & two | first[2] & three, state)


@compiled
def take(lines: Lengths, left: tuple[Words, ...], move: U64) -> Lengths:
    """What can be taken after `move`."""
    return lines[0] & left[0][move], lines[1] & left[1][move], lines[2] & left[2][move]


@compiled
def end(results: Results, game: int, made: int, limit: int) -> None:
    """Book a game of `made` plies, if it may have so many."""
    if made > limit:
        book(results, game, DRAWN, limit, BY_PLY_LIMIT)
    else:  # the seat that does not take the last
        book(results, game, made % 2, made, BY_RULES)
