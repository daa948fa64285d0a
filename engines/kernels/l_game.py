"""Random L-Game.

After an L is put down, 13 things can be done with the discs: none is moved, or one of the two to one of six
free squares. So the n-th legal move is placement ``n // 13`` of those that fit, and tail ``n % 13``.

Two Ls leave eight squares free, and the discs lie on two of them: a position is a number of a pair of Ls
times `SETS`, plus a number of a pair among eight. Two tables say what a move does to that number. One has,
position by position, the position after each placement that fits, with the discs where they were. The other
has for each pair of discs what the 13 tails make of it, which is the same whatever the Ls.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from engines.game import Game
from engines.games.l_game import FULL, PLACEMENTS, SQUARES, TAILS, LGame, fitting
from engines.kernels import Kernel
from engines.kernels.arithmetic import U64, below, game_state, lowest, nth_set
from engines.kernels.choices import find_walks
from engines.kernels.jit import Bytes, Games, Int32s, Policy, Results, UInt16s, UInt32s, Words, compiled
from engines.kernels.random_games import BY_PLY_LIMIT, BY_REPETITION, BY_RULES, DRAWN, RandomGames, are_random
from engines.kernels.repetition import next_floor, times_seen

FREE = 8
PAIRS = tuple(combinations(range(FREE), 2))
"""Where the discs lie among the squares that both Ls leave free."""

SETS = 32
"""How many numbers a pair of Ls has for its discs: the power of two above the 28 pairs."""

COUNT_BITS = 5
COUNT_MASK = U64((1 << COUNT_BITS) - 1)
ROW_SHIFT = U64(COUNT_BITS)
DISC_MASK = U64(SETS - 1)
MOVES_OF_A_DISC = U64(FREE - 2)
ENDINGS = U64(1) + U64(2) * MOVES_OF_A_DISC
BOARD = U64(FULL)

LANES = 4
"""How many games are played by turns: while one waits for what it looks up, the others go on."""

FIELDS = 6
GAME, STATE, POSITION, PLIES, TIMES, FLOOR = range(FIELDS)
"""What a lane holds: its game, counted from the batch's first; its stream's state, its position, the plies
played; how often the position came up, and the floor of these counts."""

GOES_ON = -1
ZERO, ONE, TWO = U64(0), U64(1), U64(2)
Tables = tuple[U64, UInt32s, UInt16s, Bytes, Words, Words]


def find(game: Game[Any], first: str, second: str) -> Kernel | None:
    """The kernel for two players.

    Raises:
        StrategyError: one of the two is no player of the L-Game.
    """
    if not isinstance(game, LGame):
        return None
    if not are_random(game, first, second):
        return find_walks(game, first, second)
    return RandomGames(_tables(), _play, _note)


def reasons(_game: LGame) -> tuple[str, str]:
    """What the rules call the end of a game that was won, and of one that was drawn, if any is."""
    return ("cannot_place", "")


@cache
def _tables() -> Tables:
    """The first position, the rows of the first table, both tables; the first board, and all placements.

    A row is ``first << COUNT_BITS | count``: where a position's placements begin, and how many there are.
    """
    empties = {
        (own, opp): [at for at in range(SQUARES) if not (own_squares | opp_squares) >> at & 1]
        for own, (_, own_squares) in enumerate(PLACEMENTS)
        for opp, (_, opp_squares) in enumerate(PLACEMENTS)
        if not own_squares & opp_squares
    }
    number = {
        (own, opp, 1 << free[a] | 1 << free[b]): pair * SETS + at
        for pair, ((own, opp), free) in enumerate(empties.items())
        for at, (a, b) in enumerate(PAIRS)
    }
    rows = np.zeros(len(empties) * SETS, np.uint32)
    placed: list[int] = []
    for (own, opp, discs), position in number.items():
        fit = [each for each in fitting(PLACEMENTS[opp].squares | discs) if each != own]
        rows[position] = len(placed) << COUNT_BITS | len(fit)
        placed.extend(number[opp, each, discs] for each in fit)
    state = LGame().initial()
    own, opp = ([squares for _, squares in PLACEMENTS].index(each) for each in (state.own, state.opp))
    start = U64(number[own, opp, state.discs])
    board = np.array([state.own, state.opp, state.discs], np.uint64)
    ls = np.array([placement.squares for placement in PLACEMENTS], np.uint64)
    return start, rows, np.array(placed, np.uint16), _moved_discs(), board, ls


def _moved_discs() -> Bytes:
    """For each pair in `PAIRS` what each of the 13 tails makes of it, as a number in `PAIRS`."""
    number = {pair: at for at, pair in enumerate(PAIRS)}
    return np.array(
        [
            [
                number[a, b],
                *(
                    number[min(stays, to), max(stays, to)]
                    for stays in (b, a)
                    for to in range(FREE)
                    if to not in (a, b)
                ),
            ]
            for a, b in PAIRS
        ],
        np.uint8,
    )


@compiled
def _how(fit: U64, times: U64, made: U64, repetition: U64, limit: U64) -> int:
    """How a game has ended where so many placements fit after so many plies, or `GOES_ON`."""
    if not fit:
        return BY_RULES
    if repetition and times == repetition:
        return BY_REPETITION
    return BY_PLY_LIMIT if made == limit else GOES_ON


@compiled
def _after(row: U64, drawn: U64, placed: UInt16s, moved: Bytes) -> U64:
    """The position after the legal move number `drawn` where `row` says what fits."""
    position = U64(placed[(row >> ROW_SHIFT) + drawn // ENDINGS])
    discs = position & DISC_MASK
    return position - discs + U64(moved[discs, drawn % ENDINGS])


@compiled
def _play(tables: Tables, games: Games, policy: Policy, results: Results) -> None:
    """Games on numbers of positions, in lanes; with no game left, a lane begins again for nobody."""
    first, rows, placed, moved, _, _ = tables
    (run, start), repetition, limit = games, policy[0], U64(policy[1])
    winners, plies, ends = results
    lanes, counts = np.zeros((LANES, FIELDS), np.uint64), np.zeros((LANES, 2 * len(rows)), np.uint16)
    count, begun, ended = U64(len(winners)), ZERO, ZERO
    lanes[:, GAME] = count
    while ended < count:
        for lane in range(LANES):
            game, position, made = lanes[lane, GAME], lanes[lane, POSITION], lanes[lane, PLIES]
            row = U64(rows[position])
            end = _how(row & COUNT_MASK, lanes[lane, TIMES], made, repetition, limit)
            if game < count and end == GOES_ON:
                drawn, lanes[lane, STATE] = below(lanes[lane, STATE], (row & COUNT_MASK) * ENDINGS)
                position, made = _after(row, drawn, placed, moved), made + ONE
            else:
                if game < count:
                    winners[game] = DRAWN if end else (made + ONE) & ONE  # who is to move has lost
                    plies[game], ends[game] = made, end
                    ended += ONE
                lanes[lane, GAME], lanes[lane, STATE] = min(begun, count), game_state(run, start + begun)
                position, made, begun = first, ZERO, begun + ONE
                lanes[lane, FLOOR] = next_floor(counts[lane], lanes[lane, FLOOR], repetition)
            lanes[lane, POSITION], lanes[lane, PLIES] = position, made
            if repetition:
                place = TWO * position + (made & ONE)
                lanes[lane, TIMES] = times_seen(counts[lane], place, lanes[lane, FLOOR])


@compiled
def _replanted(ls: Words, own: U64, taken: U64, number: U64) -> tuple[int, U64]:
    """The placement `number` (`uint64`, from 0) of those that fit and are not `own`; and how many do."""
    chosen, fit = 0, ZERO
    for placement in range(len(ls)):
        if ls[placement] != own and not ls[placement] & taken:
            if fit == number:
                chosen = placement
            fit += ONE
    return chosen, fit


@compiled
def _tail(discs: U64, empty: U64, number: U64) -> tuple[U64, U64]:
    """What the tail `number` (`uint64`, from 0) adds to a move's number, and the squares that it changes."""
    if not number:
        return ZERO, ZERO
    start = nth_set(discs, (number - ONE) // MOVES_OF_A_DISC)
    end = nth_set(empty, (number - ONE) % MOVES_OF_A_DISC)
    return ONE + lowest(start) * U64(SQUARES) + lowest(end), start | end


@compiled
def _note(tables: Tables, games: Games, plies: Int32s, moves: Int32s) -> None:
    """The moves of games that have so many plies, played on boards."""
    (_, _, _, _, board, ls), (run, start) = tables, games
    for game in range(len(plies)):
        state = game_state(run, start + U64(game))
        own, opp, discs = board
        for ply in range(plies[game]):
            _, fit = _replanted(ls, own, opp | discs, ZERO)
            drawn, state = below(state, fit * ENDINGS)
            placement, _ = _replanted(ls, own, opp | discs, drawn // ENDINGS)
            own, opp = opp, ls[placement]
            tail, changed = _tail(discs, BOARD & ~(own | opp | discs), drawn % ENDINGS)
            discs ^= changed
            moves[game, ply] = U64(placement * TAILS) + tail
