"""Random rhombic chess.

Stones are moved on 64-bit words in which a line of the board has two bits, one a direction: bit
``4 * start + k`` is the step from a point to its ``k``-th neighbour. The legal moves are, in ascending order,
the steps that leave an own stone's point and arrive at an empty one. Which steps leave either side's stones,
and which arrive at empty points, is carried along; tables say how a stone put down or moved changes it.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from engines.game import Game
from engines.games.rhombic_chess import FULL, NEIGHBOURS, POINTS, STONES, RhombicChess
from engines.kernels import Kernel
from engines.kernels.arithmetic import U64, below, game_state, lowest, nth_set, popcount
from engines.kernels.choices import find_walks
from engines.kernels.jit import Games, Int32s, Policy, Results, UInt32s, Words, compiled
from engines.kernels.random_games import (
    BY_PLY_LIMIT,
    BY_REPETITION,
    BY_RULES,
    DRAWN,
    RandomGames,
    are_random,
    book,
)
from engines.kernels.repetition import next_floor, times_seen

PLACINGS = 2 * STONES
EMPTY = POINTS - PLACINGS
WAYS = 4
"""Bits for the steps from one point, which has four neighbours at most."""

BOARD = U64(FULL)
ZERO, ONE = U64(0), U64(1)
Tables = tuple[Words, Words, Int32s, UInt32s]
Steps = tuple[U64, U64]  # points, and the steps that leave them or arrive there


def find(game: Game[Any], first: str, second: str) -> Kernel | None:
    """The kernel for two players.

    Raises:
        StrategyError: one of the two is no player of rhombic chess.
    """
    if not isinstance(game, RhombicChess):
        return None
    if not are_random(game, first, second):
        return find_walks(game, first, second)
    return RandomGames(_tables(), _play, _note)


def reasons(_game: RhombicChess) -> tuple[str, str]:
    """What the rules call the end of a game that was won, and of one that was drawn, if any is."""
    return ("blocked", "")


@cache
def _tables() -> Tables:
    """What placing on a point changes, what a step changes, the steps' moves, and the numbers of positions.

    Changes have a row for each point, or for each bit of a word of steps: the bitboard of the points, the
    steps that leave these, and the steps that arrive there. A position's number is below 2**20: the sum of
    one for the bitboard of the side to move, one for that of the empty points, and its seat.
    """
    steps = [
        (start, end)
        for start in range(POINTS)
        for end in ([at for at in range(POINTS) if NEIGHBOURS[start] >> at & 1] + [-1] * WAYS)[:WAYS]
    ]
    placing = np.zeros((POINTS, 3), np.uint64)
    for at in range(POINTS):
        leaving = sum(1 << bit for bit, (start, end) in enumerate(steps) if start == at and end >= 0)
        arriving = sum(1 << bit for bit, (_, end) in enumerate(steps) if end == at)
        placing[at] = 1 << at, leaving, arriving
    moving = np.array([placing[start] ^ placing[end] for start, end in steps])
    moves = np.array([POINTS + start * POINTS + end for start, end in steps], np.int32)
    numbers = np.zeros((2, FULL + 1), np.uint32)
    for part, stones in enumerate((STONES, EMPTY)):
        for number, points in enumerate(combinations(range(POINTS), stones)):
            numbers[part, sum(1 << at for at in points)] = number
    numbers[0] *= 2 * (numbers[1].max() + 1)
    numbers[1] *= 2
    return placing, moving, moves, numbers


@compiled
def _place(side: Steps, empty: Steps, change: Words) -> tuple[Steps, Steps]:
    """What a side and the empty points are after the `change` that placing or moving a stone makes."""
    (own, leaving), (points, arriving) = side, empty
    return (own ^ change[0], leaving ^ change[1]), (points ^ change[0], arriving ^ change[2])


@compiled
def _open(placing: Words) -> tuple[Steps, Steps, Steps]:
    """Two sides without stones, and a board of empty points: bitboards, with the steps that they allow."""
    arriving = ZERO
    for point in range(POINTS):
        arriving ^= placing[point, 2]
    return (ZERO, ZERO), (ZERO, ZERO), (BOARD, arriving)


@compiled
def _draw_point(empty: Steps, state: U64) -> tuple[U64, U64]:
    """One of the empty points, and the stream's next state."""
    drawn, state = below(state, popcount(empty[0]))
    return lowest(nth_set(empty[0], drawn)), state


@compiled
def _draw_step(legal: U64, state: U64) -> tuple[U64, U64]:
    """One of the legal steps, and the stream's next state."""
    drawn, state = below(state, popcount(legal))
    return lowest(nth_set(legal, drawn)), state


@compiled
def _play(tables: Tables, games: Games, policy: Policy, results: Results) -> None:
    """Games; what comes up while stones are placed cannot come up again."""
    placing, moving, _, numbers = tables
    (run, start), (repetition, limit) = games, policy
    counts = np.zeros(numbers[0].max() + numbers[1].max() + 2, np.uint16)
    floor = ZERO
    for game in range(len(results[0])):
        state = game_state(run, start + U64(game))
        own, opp, empty = _open(placing)
        made = 0
        while made < PLACINGS and made < limit:
            point, state = _draw_point(empty, state)
            placed, empty = _place(own, empty, placing[point])
            own, opp = opp, placed
            made += 1
        times = ONE
        if repetition:
            floor = next_floor(counts, floor, repetition)
            times_seen(counts, numbers[0, own[0]] + numbers[1, empty[0]], floor)
        while True:
            legal = own[1] & empty[1]
            if not legal and made >= PLACINGS:  # the side to move cannot
                book(results, game, (made + 1) % 2, made, BY_RULES)
                break
            if times == repetition:
                book(results, game, DRAWN, made, BY_REPETITION)
                break
            if made == limit:
                book(results, game, DRAWN, made, BY_PLY_LIMIT)
                break
            step, state = _draw_step(legal, state)
            moved, empty = _place(own, empty, moving[step])
            own, opp = opp, moved
            made += 1
            if repetition:
                position = numbers[0, own[0]] + numbers[1, empty[0]] + (made & 1)
                times = times_seen(counts, position, floor)


@compiled
def _note(tables: Tables, games: Games, plies: Int32s, moves: Int32s) -> None:
    """The moves of games that have so many plies."""
    (placing, moving, step_moves, _), (run, start) = tables, games
    for game in range(len(plies)):
        state = game_state(run, start + U64(game))
        own, opp, empty = _open(placing)
        for ply in range(plies[game]):
            if ply < PLACINGS:
                point, state = _draw_point(empty, state)
                moves[game, ply] = point
                changed, empty = _place(own, empty, placing[point])
            else:
                step, state = _draw_step(own[1] & empty[1], state)
                moves[game, ply] = step_moves[step]
                changed, empty = _place(own, empty, moving[step])
            own, opp = opp, changed
