"""Games of circle Nim in which its algorithms look their moves up in records.

Records are rows of bytes in ascending order, as `engines.kernels.circle_nim_collecting` makes them. Those
that begin with the moves of the game so far are neighbours, from a first to a last row; each move narrows
them by a binary search in one column.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.game import Seat
from engines.kernels import Batch, Playouts
from engines.kernels.arithmetic import U64, below, game_state, popcount
from engines.kernels.circle_nim_collecting import Rows, collect
from engines.kernels.circle_nim_lines import NONE, ONE, TWO, Lengths, Tables, draw, pick, take
from engines.kernels.jit import Int32s, Int64s, Limited, Results, compiled
from engines.kernels.random_games import BY_PLY_LIMIT, BY_RULES, DRAWN, NO_LIMIT, book
from engines.strategies import Strategy
from engines.strategies.algorithms import LAST, Algorithm

SEATS: tuple[Seat, Seat] = (0, 1)
Seats = tuple[tuple[bool, ...], tuple[Rows, ...]]


@dataclass(frozen=True)
class GamesWithRecords:
    """A kernel between two players of which one at least is an algorithm; the other may be random."""

    tables: Tables
    players: tuple[Strategy, Strategy]

    def play(self, batch: Batch) -> Playouts:
        """The games of `batch`: those with the first player in seat 0, then those with it in seat 1."""
        width = int(self.tables.full[0]).bit_count()
        winners, ends = np.empty(batch.count, np.int8), np.empty(batch.count, np.int8)
        plies = np.empty(batch.count, np.int32)
        moves = np.full((batch.count, width if batch.keep_moves else 0), -1, np.int32)
        results = winners, plies, ends, moves
        games = U64(batch.run), U64(batch.start), batch.max_plies or NO_LIMIT
        step = 2 if batch.swap else 1
        for turn in range(step):
            seats = self.players[:: -1 if turn else 1]
            rows = (batch.start + turn) % step, step
            _play(self.tables, (_odd_rule(seats), _records(seats, width)), games, rows, results)
        scores = np.stack([winners == 0, winners == 1], axis=1).astype(np.int16)
        return Playouts(winners, plies, scores, ends, moves if batch.keep_moves else None)


def _odd_rule(seats: tuple[Strategy, ...]) -> tuple[bool, ...]:
    """By seat, whether it follows strategy 3 where no record says anything."""
    return tuple(isinstance(player, Algorithm) and player.number == LAST for player in seats)


def _records(seats: tuple[Strategy, ...], width: int) -> tuple[Rows, ...]:
    """What seat 0 has won and has lost, what seat 1 has won and has lost: no rows where it uses none."""
    nothing = np.empty((0, width), np.uint8)
    rows: list[Rows] = []
    for player, seat in zip(seats, SEATS, strict=True):
        if isinstance(player, Algorithm):
            rows.append(collect(player.record_set(seat, won=True)))
            rows.append(collect(player.record_set(seat, won=False)) if player.number > 1 else nothing)
        else:
            rows += [nothing, nothing]
    return tuple(rows)


@compiled
def _first_from(column: Rows, move: int, start: int, stop: int) -> int:
    """The first place from `start` on, before `stop`, where a column holds `move` or more."""
    while start < stop:
        middle = (start + stop) // 2
        if column[middle] < move:
            start = middle + 1
        else:
            stop = middle
    return start


@compiled
def _narrow(records: tuple[Rows, ...], bounds: Int64s, ply: int, move: int) -> None:
    """Keep of each set what goes on with `move`."""
    for kind in range(4):
        start, stop = bounds[kind, 0], bounds[kind, 1]
        if start < stop:
            column = records[kind][:, ply]
            bounds[kind, 0] = _first_from(column, move, start, stop)
            bounds[kind, 1] = _first_from(column, move + 1, bounds[kind, 0], stop)


@compiled
def _without(lines: Lengths, first: Lengths, column: Rows, start: int, stop: int) -> Lengths:
    """`lines` without those in a column from `start` to `stop`."""
    ones, twos, threes = lines
    while start < stop:
        move = U64(column[start])
        if move < first[1]:
            ones &= ~(ONE << move)
        elif move < first[2]:
            twos &= ~(ONE << move - first[1])
        else:
            threes &= ~(ONE << move - first[2])
        start = _first_from(column, int(move) + 1, start, stop)
    return ones, twos, threes


@compiled
def _by_parity(lines: Lengths, first: Lengths, state: U64) -> tuple[U64, U64]:
    """Strategy 3: the move and the next state."""
    ones, twos, threes = lines
    if popcount(ones) & ONE:
        if twos:
            return pick(twos, first[1], state)
    elif threes:
        three, state = below(state, TWO)
        if three:
            return pick(threes, first[2], state)
        return pick(ones, NONE, state)
    return draw(lines, first, state)


@compiled
def _choose(
    lines: Lengths, first: Lengths, player: tuple[Seats, Int64s], ply: int, state: U64
) -> tuple[U64, U64]:
    """The move of the seat whose turn it is, and the next state."""
    (odd_rule, records), bounds = player
    won = 2 * (ply % 2)
    lost = won + 1
    size = bounds[won, 1] - bounds[won, 0]
    if size:
        number, state = below(state, U64(size))
        return U64(records[won][bounds[won, 0] + int(number), ply]), state
    if bounds[lost, 0] < bounds[lost, 1]:
        rest = _without(lines, first, records[lost][:, ply], bounds[lost, 0], bounds[lost, 1])
        return draw(rest if rest[0] else lines, first, state)
    if odd_rule[ply % 2]:
        return _by_parity(lines, first, state)
    return draw(lines, first, state)


@compiled
def _play(
    tables: Tables, seats: Seats, games: Limited, rows: tuple[int, int], results: tuple[*Results, Int32s]
) -> None:
    """Play the games whose rows are the first of `rows` and every so many further on."""
    full, first, left = tables
    run, start, limit = games
    winners, plies, ends, moves = results
    bounds = np.zeros((4, 2), np.int64)
    for row in range(rows[0], len(winners), rows[1]):
        state, lines, made = game_state(run, start + U64(row)), full, 0
        for kind in range(4):
            bounds[kind, 0], bounds[kind, 1] = 0, len(seats[1][kind])
        while lines[0] and made < limit:
            move, state = _choose(lines, first, (seats, bounds), made, state)
            lines = take(lines, left, move)
            _narrow(seats[1], bounds, made, int(move))
            if moves.shape[1]:
                moves[row, made] = move
            made += 1
        if lines[0]:
            book((winners, plies, ends), row, DRAWN, made, BY_PLY_LIMIT)
        else:  # the seat that did not take the last
            book((winners, plies, ends), row, made % 2, made, BY_RULES)
