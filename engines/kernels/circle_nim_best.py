"""Circle Nim with players that choose by position, the perfect one and the best response, and the random one.

The best moves of every set of circles are listed one after the other. With seven rows, where such lists would
take gigabytes, the perfect player's are found move by move from the codes of the sets.

Many games are played side by side, one player's move in all of them and then the other's: while one waits for
what it looks up, the others go on, and the processor never has to guess whose turn it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from engines.games.circle_nim import CircleNim, lines
from engines.kernels import Batch, Playouts
from engines.kernels.arithmetic import U64, below, game_state, popcount
from engines.kernels.circle_nim_lines import NONE, ONE, Tables, draw, end, tables, take
from engines.kernels.jit import Bytes, Int32s, Limited, Results, UInt32s, Words, compiled
from engines.kernels.random_games import NO_LIMIT
from engines.solvers.circle_nim import find_oracle
from engines.strategies import Strategy
from engines.strategies.best_response import BestResponse
from engines.strategies.perfect import Perfect

MAX_SETS = 1 << 21
"""Sets of circles of which the best moves are listed."""

COUNT_BITS = 7
COUNT_SHIFT, COUNT_MASK = U64(COUNT_BITS), U64((1 << COUNT_BITS) - 1)

WORST = 1 << 10
"""No position that can be moved into has a greater rank."""

LANES: Final = 24
"""How many games are played side by side."""

FIELDS = 7
GAME, STATE, LEFT, ONES, TWOS, THREES, MOVE = range(FIELDS)
"""What a lane holds: its game, counted from the batch's first; its stream's state; the circles that are left;
the lines of one, two and three circles that are; the move that was chosen."""

AT_RANDOM, BY_LISTS, BY_CODES = range(3)
Board = tuple[Words, Tables]
Notes = tuple[Results, Int32s]


class Chooser(NamedTuple):
    """How a player chooses, and what it looks up for it.

    By lists, ``rows[left]`` is where the best moves of the circles left begin in `moves`,
    above the lowest `COUNT_BITS`; there how many they are. By codes, `codes` are those of the oracle.
    """

    way: int
    rows: UInt32s
    moves: Bytes
    codes: Bytes


@dataclass(frozen=True)
class BestLines:
    """A kernel between two players of which one at least is perfect or a best response."""

    game: CircleNim
    choosers: tuple[Chooser, Chooser]

    @classmethod
    def between(cls, game: CircleNim, first: Strategy, second: Strategy) -> BestLines:
        """The kernel between these two."""
        return cls(game, (_chooser(game, first), _chooser(game, second)))

    def play(self, batch: Batch) -> Playouts:
        """The games of `batch`; no position comes up twice, so repetition draws nothing."""
        games = U64(batch.run), U64(batch.start), batch.max_plies or NO_LIMIT
        winners, ends = np.empty(batch.count, np.int8), np.empty(batch.count, np.int8)
        plies = np.empty(batch.count, np.int32)
        kept = np.full((batch.count, self.game.circles if batch.keep_moves else 0), -1, np.int32)
        board = _circles(self.game), tables(self.game.rows)
        for parity in range(2):
            players = self.choosers[::-1] if batch.swap and parity else self.choosers
            numbers = parity ^ (batch.start & 1), batch.count
            _play(board, players, games, numbers, ((winners, plies, ends), kept))
        scores = np.stack([winners == 0, winners == 1], axis=1).astype(np.int16)
        moves = kept[:, : plies.max(initial=0)].copy() if batch.keep_moves else None
        return Playouts(winners, plies, scores, ends, moves)


def _circles(game: CircleNim) -> Words:
    return np.array(lines(game.rows).masks, np.uint64)


def _chooser(game: CircleNim, player: Strategy) -> Chooser:
    rows, moves, codes = np.zeros(0, np.uint32), np.zeros(0, np.uint8), np.zeros(0, np.uint8)
    if isinstance(player, BestResponse):
        starts, bests = player.table.arrays()
        rows = (starts[:-1] << COUNT_BITS | np.diff(starts)).astype(np.uint32)
        return Chooser(BY_LISTS, rows, bests.astype(np.uint8), codes)
    if not isinstance(player, Perfect):
        return Chooser(AT_RANDOM, rows, moves, codes)
    codes, circles = np.asarray(find_oracle(game).table), _circles(game)
    if len(codes) > MAX_SETS:
        return Chooser(BY_CODES, rows, moves, codes)
    rows = np.zeros(len(codes), np.uint32)
    moves = np.empty(sum(len(codes) >> int(line).bit_count() for line in circles), np.uint8)
    return Chooser(BY_LISTS, rows, moves[: _list_all(circles, codes, rows, moves)].copy(), codes[:0])


@compiled
def _rank(code: np.uint8) -> int:
    """A number for a code of `engines.solvers.oracle`: the less, the better it is to have moved there."""
    return WORST - int(code) // 2 if code & 1 else int(code) // 2


@compiled
def _list_best(circles: Words, codes: Bytes, left: U64, moves: Bytes, at: int) -> int:
    """Write the perfect player's moves in the set `left` from ``moves[at]`` on; how many they are."""
    best, count = WORST + 1, 0
    for move in range(len(circles)):
        if circles[move] & ~left == NONE:
            rank = _rank(codes[left ^ circles[move]])
            if rank < best:
                best, count = rank, 0
            if rank == best:
                moves[at + count] = move
                count += 1
    return count


@compiled
def _list_all(circles: Words, codes: Bytes, rows: UInt32s, moves: Bytes) -> int:
    """Write down the perfect player's moves of all sets; how many they are."""
    at = 0
    for left in range(1, len(rows)):
        count = _list_best(circles, codes, U64(left), moves, at)
        rows[left] = at << COUNT_BITS | count
        at += count
    return at


@compiled
def _number(count: U64, state: U64) -> tuple[U64, U64]:
    """Which of so many moves is taken, drawn if there are more than one; and the next state."""
    number, after = below(state, count)
    return number, after if count > ONE else state


@compiled
def _choose(board: Board, player: Chooser, lanes: Words, begun: int) -> None:
    """One player's move in each of the lanes that were `begun` and have not ended."""
    (circles, (_, first, _)), (way, rows, moves, codes) = board, player
    if way == BY_LISTS:
        for lane in range(begun):
            row = U64(rows[lanes[lane, LEFT]])
            number, lanes[lane, STATE] = _number(row & COUNT_MASK, lanes[lane, STATE])
            lanes[lane, MOVE] = moves[(row >> COUNT_SHIFT) + number]
    elif way == BY_CODES:
        bests = np.empty(len(circles), np.uint8)
        for lane in range(begun):
            count = _list_best(circles, codes, lanes[lane, LEFT], bests, 0)
            number, lanes[lane, STATE] = _number(U64(count), lanes[lane, STATE])
            lanes[lane, MOVE] = bests[number]
    else:
        for lane in range(begun):
            lengths = lanes[lane, ONES], lanes[lane, TWOS], lanes[lane, THREES]
            lanes[lane, MOVE], lanes[lane, STATE] = draw(lengths, first, lanes[lane, STATE])


@compiled
def _advance(board: Board, lanes: Words, begun: int, reached: tuple[int, int], notes: Notes) -> int:
    """Make the moves that were chosen, the last of `made`; in how many lanes the games go on.

    Where no two circles are neighbours any more, the rest go one by one: unless moves are kept, it is an end.
    """
    (circles, (_, _, rest)), (made, limit), (results, kept) = board, reached, notes
    keeps = kept.shape[1] > 0
    lane = 0
    while lane < begun:
        game, move = lanes[lane, GAME], lanes[lane, MOVE]
        lengths = take((lanes[lane, ONES], lanes[lane, TWOS], lanes[lane, THREES]), rest, move)
        if keeps:
            kept[game, made - 1] = move
        if lengths[1] or (keeps and lengths[0] and made < limit):
            lanes[lane, LEFT] ^= circles[move]
            lanes[lane, ONES], lanes[lane, TWOS], lanes[lane, THREES] = lengths
            lane += 1
        else:
            end(results, game, made + int(popcount(lengths[0])), limit)
            begun -= 1
            for field in range(FIELDS):
                lanes[lane, field] = lanes[begun, field]
    return begun


@compiled
def _play(
    board: Board, players: tuple[Chooser, Chooser], games: Limited, numbers: tuple[int, int], notes: Notes
) -> None:
    """The games with every other number, from the first of `numbers` on and before the second."""
    (circles, (full, _, _)), (first, second), (run, start, limit) = board, players, games
    game, count = numbers
    lanes = np.zeros((LANES, FIELDS), np.uint64)
    whole = NONE
    for each in circles:
        whole |= each
    while game < count:
        begun, made = 0, 0
        while game < count and begun < LANES:
            lanes[begun, GAME], lanes[begun, STATE] = game, game_state(run, start + U64(game))
            lanes[begun, LEFT] = whole
            lanes[begun, ONES], lanes[begun, TWOS], lanes[begun, THREES] = full
            game += 2
            begun += 1
        while begun:
            if made & 1:
                _choose(board, second, lanes, begun)
            else:
                _choose(board, first, lanes, begun)
            made += 1
            begun = _advance(board, lanes, begun, (made, limit), notes)
