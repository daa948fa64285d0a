"""The games of a batch as lines of text, written by compiled code: a line a game, in its caller's form.

What stands between the numbers is given in pieces of text, so that nothing here knows the form of a record.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engines.kernels import Playouts
from engines.kernels.jit import Bytes, Columns, Int32s, Int64s, compiled

DIGITS = 20
"""Room for an integer of 64 bits."""

MINUS, ZERO = ord("-"), ord("0")
ENDS = 3
"""How many ways to end `Playouts.ends` tells apart, for each of the three results."""


class Pieces(NamedTuple):
    """Texts one after the other in `text`; piece ``n`` is ``text[starts[n] : starts[n + 1]]``."""

    text: Bytes
    starts: Int64s


def pieces(texts: Sequence[str]) -> Pieces:
    """The texts in UTF-8."""
    encoded = [text.encode() for text in texts]
    starts = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return Pieces(np.frombuffer(b"".join(encoded), np.uint8), starts)


class Form(NamedTuple):
    """The form of a line, in the order of its parts.

    `fixed` are five pieces: what stands before the index, before the first seat's score, between the scores,
    before the number of plies, and last. `seats` has the piece after the index for games as named and for
    those with seats exchanged; `moves` a piece for each move's number, with a comma at its end; and `ends`
    the piece after the moves, by result (drawn, seat 0, seat 1) and how it ended: piece
    ``ENDS * (winner + 1) + end``.
    """

    fixed: Pieces
    seats: Pieces
    moves: Pieces
    ends: Pieces


def written(form: Form, playouts: Playouts, moves: Int32s, start: int, *, swap: bool) -> bytes:
    """The lines of `playouts` and their `moves`; the first is that of game `start`."""
    columns = playouts.winners, playouts.plies, playouts.scores, playouts.ends
    fixed = sum(len(each.text) for each in (form.fixed, form.seats, form.ends)) + 4 * DIGITS
    longest = int(np.diff(form.moves.starts).max(initial=0))
    room = len(playouts.winners) * fixed + int(playouts.plies.sum(dtype=np.int64)) * longest
    out = np.empty(room, np.uint8)
    length = _write(out, form, columns, moves, (start, swap))
    return out[:length].tobytes()


@compiled
def _put(out: Bytes, at: int, among: Pieces, number: int) -> int:
    """Write a piece at `at`; where the next begins."""
    text, starts = among
    for place in range(starts[number], starts[number + 1]):
        out[at] = text[place]
        at += 1
    return at


@compiled
def _put_number(out: Bytes, at: int, number: int) -> int:
    """Write an integer at `at`; where the next piece begins."""
    if number < 0:
        out[at] = MINUS
        at += 1
        number = -number
    digits = 1
    rest = number // 10
    while rest:
        digits += 1
        rest //= 10
    for place in range(at + digits - 1, at - 1, -1):
        out[place] = ZERO + number % 10
        number //= 10
    return at + digits


@compiled
def _write(out: Bytes, form: Form, columns: Columns, moves: Int32s, games: tuple[int, bool]) -> int:
    """Fill `out`; its length then."""
    (fixed, seats, names, last), (winners, plies, scores, ends), (start, swap) = form, columns, games
    at = 0
    for row in range(len(winners)):
        index = start + row
        at = _put_number(out, _put(out, at, fixed, 0), index)
        at = _put(out, at, seats, index % 2 if swap else 0)
        for ply in range(plies[row]):
            at = _put(out, at, names, moves[row, ply])
        if plies[row]:
            at -= 1  # the comma after the last move
        at = _put(out, at, last, ENDS * (int(winners[row]) + 1) + int(ends[row]))
        at = _put_number(out, _put(out, at, fixed, 1), int(scores[row, 0]))
        at = _put_number(out, _put(out, at, fixed, 2), int(scores[row, 1]))
        at = _put_number(out, _put(out, at, fixed, 3), int(plies[row]))
        at = _put(out, at, fixed, 4)
    return at
