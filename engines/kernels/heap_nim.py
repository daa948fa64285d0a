"""Random heap Nim.

There are as many legal moves as there are things left. For games with few positions a table finds the n-th
of them in one look: it lists, position by position and in the order of the moves, what each move leads to. An
entry is ``row << COUNT_BITS | left``: where the list of that position begins, and how much is left in it.
Other games count the heaps off.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

import numpy as np

from engines.game import Game
from engines.games.heap_nim import LARGEST_HEAP, MAX_HEAPS, STRIDE, HeapNim
from engines.kernels import Kernel
from engines.kernels.arithmetic import U64, below, game_state
from engines.kernels.choices import find_walks
from engines.kernels.jit import Games, Int32s, Policy, Results, UInt32s, Words, compiled
from engines.kernels.random_games import BY_PLY_LIMIT, BY_RULES, DRAWN, RandomGames, are_random, book

COUNT_BITS = (MAX_HEAPS * LARGEST_HEAP).bit_length()
LONGEST_TABLE = 1 << 16
"""In entries: a quarter of a megabyte stays in the memory next to a processor's core."""

COUNT_MASK = U64((1 << COUNT_BITS) - 1)
ROW_SHIFT = U64(COUNT_BITS)
STRIDE_WORD = U64(STRIDE)
ONE = U64(1)


def find(game: Game[Any], first: str, second: str) -> Kernel | None:
    """The kernel for two players.

    Raises:
        StrategyError: one of the two is no player of heap Nim.
    """
    if not isinstance(game, HeapNim):
        return None
    if not are_random(game, first, second):
        return find_walks(game, first, second)
    heaps = np.array(game.heaps, np.uint64)
    entries = prod(size + 1 for size in game.heaps) * sum(game.heaps) // 2
    if entries > LONGEST_TABLE:
        return RandomGames((heaps, game.misere), _play_heaps, _note)
    return RandomGames((heaps, game.misere, *_successors(game.heaps)), _play_table, _note)


def reasons(game: HeapNim) -> tuple[str, str]:
    """What the rules call the end of a game that was won, and of one that was drawn, if any is."""
    return ("left_the_last" if game.misere else "took_the_last", "")


@lru_cache(maxsize=16)
def _successors(heaps: tuple[int, ...]) -> tuple[UInt32s, np.uint64]:
    """The table for games that start with `heaps`, and the entry of their first position."""
    positions = list(product(*(range(size + 1) for size in heaps)))
    rows = np.cumsum([0, *map(sum, positions)])
    entries = {held: int(row) << COUNT_BITS | sum(held) for held, row in zip(positions, rows, strict=False)}
    table = [
        entries[(*held[:heap], left, *held[heap + 1 :])]
        for held in positions
        for heap, size in enumerate(held)
        for left in range(size - 1, -1, -1)
    ]
    return np.array(table, np.uint32), U64(entries[heaps])


@compiled
def _end(results: Results, game: int, left: U64, made: int, misere: bool) -> None:
    """Book a game that ended after `made` plies with `left` things there."""
    if left:
        book(results, game, DRAWN, made, BY_PLY_LIMIT)
    else:  # seat 0 makes the first ply and every other
        book(results, game, (made + 1 + misere) % 2, made, BY_RULES)


@compiled
def _play_table(
    tables: tuple[Words, bool, UInt32s, U64], games: Games, policy: Policy, results: Results
) -> None:
    """Games through the table of successors; no position comes up twice, so repetition draws nothing."""
    _, misere, successors, first = tables
    (run, start), (_, limit) = games, policy
    for game in range(len(results[0])):
        state = game_state(run, start + U64(game))
        entry, made = first, 0
        while entry & COUNT_MASK and made < limit:
            drawn, state = below(state, entry & COUNT_MASK)
            entry = U64(successors[(entry >> ROW_SHIFT) + drawn])
            made += 1
        _end(results, game, entry & COUNT_MASK, made, misere)


@compiled
def _take(held: Words, drawn: U64) -> tuple[U64, U64]:
    """Take by the legal move number `drawn` from the heaps: the move, and how much it took."""
    heap = 0
    while drawn >= held[heap]:
        drawn -= held[heap]
        heap += 1
    taken = drawn + ONE
    held[heap] -= taken
    return U64(heap) * STRIDE_WORD + taken, taken


@compiled
def _play_heaps(tables: tuple[Words, bool], games: Games, policy: Policy, results: Results) -> None:
    """Games with the heaps counted off at every move."""
    heaps, misere = tables
    (run, start), (_, limit) = games, policy
    held = heaps.copy()
    for game in range(len(results[0])):
        state = game_state(run, start + U64(game))
        held[:] = heaps
        left, made = heaps.sum(), 0
        while left and made < limit:
            drawn, state = below(state, left)
            left -= _take(held, drawn)[1]
            made += 1
        _end(results, game, left, made, misere)


@compiled
def _note(tables: tuple[Words, *tuple[object, ...]], games: Games, plies: Int32s, moves: Int32s) -> None:
    """The moves of games that have so many plies."""
    heaps, (run, start) = tables[0], games
    held = heaps.copy()
    for game in range(len(plies)):
        state = game_state(run, start + U64(game))
        held[:] = heaps
        left = heaps.sum()
        for ply in range(plies[game]):
            drawn, state = below(state, left)
            moves[game, ply], taken = _take(held, drawn)
            left -= taken
