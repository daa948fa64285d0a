"""A learner's training on a game's graph, compiled; `engines.strategies.learner` tells what it learns."""

from __future__ import annotations

import numpy as np

from engines.kernels.arithmetic import U64, below, game_state
from engines.kernels.jit import Bytes, Int32s, Int64s, UInt16s, compiled
from engines.kernels.repetition import next_floor, times_seen

NEVER = 255
"""What stands where no game was lost."""

FARTHEST = NEVER - 1
LOST, WON_AT_ONCE = 2, 3
"""The codes of a position without a move, and of one that has a move into such a one."""

Graph = tuple[Int64s, Int32s, Bytes]
Policy = tuple[int, int]
Memory = tuple[Bytes, Int32s, UInt16s]


@compiled
def _to_farthest(after: Int32s, far: Bytes, state: U64) -> tuple[int, U64]:
    """The successor from which defeat was farthest, each of several equally likely; and the next state."""
    most, count = 0, U64(0)
    for position in after:
        if far[position] > most:
            most, count = far[position], U64(0)
        count += U64(far[position] == most)
    number, state = below(state, count) if count > U64(1) else (U64(0), state)
    for position in after:
        if far[position] == most:
            if number == U64(0):
                return position, state
            number -= U64(1)
    return after[0], state


@compiled
def _as_a_person(after: Int32s, codes: Bytes, state: U64) -> tuple[int, U64]:
    """The successor that `engines.strategies.person` goes to without a hint, and the next state."""
    lost, safe = U64(0), U64(0)
    for position in after:
        lost += U64(codes[position] == LOST)
        safe += U64(codes[position] != WON_AT_ONCE)
    count = lost or (safe or U64(len(after)))
    number, state = below(state, count) if count > U64(1) else (U64(0), state)
    for position in after:
        good = codes[position] == LOST if lost else not safe or codes[position] != WON_AT_ONCE
        if good:
            if number == U64(0):
                return position, state
            number -= U64(1)
    return after[0], state


@compiled
def _play(
    graph: Graph, first: int, policy: Policy, memory: Memory, game: tuple[U64, bool, U64]
) -> tuple[int, int]:
    """One game from `first`: 1 won by the learner, 0 drawn, -1 lost; and how far its trail goes.

    `graph` is the starts, successors and codes of all positions. As in a match a position without a move is
    lost even where the game would be drawn: where a position comes up ``policy[0]`` times, and after
    ``policy[1]`` plies. `memory` is what the learner knows, the trail to be filled with the positions that it
    moves into, and how often positions came up. `game` is the state of the game's stream, whether the learner
    has the first move, and the floor of these counts.
    """
    (starts, successors, codes), (repetition, limit), (far, trail, seen) = graph, policy, memory
    (state, turn, floor), position, kept = game, first, 0
    for ply in range(limit + 1):
        after = successors[starts[position] : starts[position + 1]]
        if after.size == 0:
            return -1 if turn else 1, kept
        if times_seen(seen, 2 * position + ply % 2, floor) == repetition or ply == limit:
            break
        if turn:
            position, state = _to_farthest(after, far, state)
            trail[kept] = position
            kept += 1
        else:
            position, state = _as_a_person(after, codes, state)
        turn = not turn
    return 0, kept


@compiled
def _memory(far: Bytes, policy: Policy) -> Memory:
    """The memory of `_play`, with nothing in it but what the learner knows."""
    return far, np.empty(policy[1], np.int32), np.zeros(2 * far.size, np.uint16)


@compiled
def train(graph: Graph, first: int, policy: Policy, run: U64, games: int) -> Bytes:
    """What is known after so many games: by position, the fewest plies to a defeat after moving into it.

    `graph`, the `first` position and `policy` are those of `_play`. The learner has the first move in games
    with an even index.
    """
    far, floor = np.full(graph[0].size - 1, NEVER, np.uint8), U64(0)
    memory = _memory(far, policy)
    trail = memory[1]
    for game in range(games):
        begin = game_state(run, U64(game)), game % 2 == 0, floor
        result, kept = _play(graph, first, policy, memory, begin)
        floor = next_floor(memory[2], floor, U64(policy[0]))
        if result < 0:
            for back in range(kept):
                into = trail[kept - 1 - back]
                far[into] = min(far[into], 2 * back + 1, FARTHEST)
    return far


@compiled
def results(graph: Graph, first: int, policy: Policy, run: U64, trained: tuple[Bytes, int]) -> Int64s:
    """How many games a learner won, drew and lost that does not learn any more.

    `trained` is what it knows (`train`) and the number of games.
    """
    (far, games), floor = trained, U64(0)
    memory, counts = _memory(far, policy), np.zeros(3, np.int64)
    for game in range(games):
        begin = game_state(run, U64(game)), game % 2 == 0, floor
        result, _ = _play(graph, first, policy, memory, begin)
        floor = next_floor(memory[2], floor, U64(policy[0]))
        counts[1 - result] += 1
    return counts
