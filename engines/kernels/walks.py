"""Games between players that know the worth of positions, as walks through a solved game's graph.

A player is what it chooses from in each position: all legal moves, or the best of them. The two players of a
game take turns on the same numbers of positions, and the moves themselves are looked up afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engines.game import Game
from engines.kernels import Batch, Playouts
from engines.kernels.arithmetic import U64, below, game_state
from engines.kernels.jit import Int8s, Int16s, Int32s, Int64s, UInt16s, Words, compiled
from engines.kernels.random_games import BY_PLY_LIMIT, BY_REPETITION, BY_RULES, NO_LIMIT
from engines.kernels.repetition import next_floor, times_seen
from engines.solvers.play_graph import PlayGraph

COUNT_BITS = 16
ROW_SHIFT, COUNT_MASK, DRAWS = U64(COUNT_BITS), U64((1 << COUNT_BITS) - 2), U64(1)
ZERO, ONE, TWO = U64(0), U64(1), U64(2)

LANES = 4
"""How many games are played by turns: while one waits for what it looks up, the others go on."""

FIELDS = 7
GAME, STATE, POSITION, PLIES, TIMES, FLOOR, SWAPPED = range(FIELDS)
"""What a lane holds: its game, counted from the batch's first; its stream's state, its position, the plies
played; how often the position came up, and the floor of these counts; 1 if seats are exchanged."""

GOES_ON = -1
Maze = tuple[U64, Words, Int32s]
Games = tuple[U64, U64, U64]


class Choices(NamedTuple):
    """What a player chooses from: in position ``p`` the places of a graph's moves that `rows` tells.

    ``rows[p]`` is where they begin in `places`, above the lowest `COUNT_BITS`; there twice
    how many they are, and 1 if one of them is drawn, even where there is only one.
    """

    rows: Words
    places: Int64s

    def of(self, position: int) -> Int64s:
        """The places in one position."""
        row = int(self.rows[position])
        begin, count = row >> COUNT_BITS, (row & int(COUNT_MASK)) >> 1
        return self.places[begin : begin + count]


def choices(starts: Int64s, places: Int64s, drawn: npt.NDArray[np.bool_] | None = None) -> Choices:
    """The places from ``starts[p]`` to ``starts[p + 1]``; `drawn` where a single one is drawn too."""
    counts = np.diff(starts)
    draws = (counts > 1) if drawn is None else (counts > 1) | drawn
    rows = starts[:-1].astype(np.uint64) << ROW_SHIFT | counts.astype(np.uint64) << ONE
    rows |= draws.astype(np.uint64)
    return Choices(np.asarray(rows, np.uint64), places)


def all_moves(graph: PlayGraph) -> Choices:
    """What the random player chooses from: it draws wherever it is asked."""
    return choices(graph.starts, np.arange(len(graph.moves)), ~graph.forced)


@dataclass(frozen=True)
class Walks:
    """A kernel between two players on the graph of `game`."""

    game: Game[Any]
    graph: PlayGraph
    rows: Words
    places: Int64s
    successors: Int32s

    @classmethod
    def between(cls, game: Game[Any], graph: PlayGraph, first: Choices, second: Choices) -> Walks:
        """The kernel between players that choose so."""
        moved = second.rows + (U64(len(first.places)) << ROW_SHIFT)
        places = np.concatenate([first.places, second.places])
        return cls(game, graph, np.stack([first.rows, moved]), places, graph.successors[places])

    def play(self, batch: Batch) -> Playouts:
        """The games of `batch`."""
        plies, ends = np.empty(batch.count, np.int32), np.empty(batch.count, np.int8)
        finals = np.empty(batch.count, np.int32)
        repetition = batch.repetition if self.game.can_repeat else 0
        policy = U64(repetition), U64(batch.max_plies or NO_LIMIT)
        games = U64(batch.run), U64(batch.start), U64(batch.swap)
        maze = U64(self.graph.first), self.rows, self.successors
        seen = np.zeros((LANES, 2 * self.rows.shape[1] if repetition else 0), np.uint16)
        _play(maze, games, policy, seen, (plies, ends, finals))
        winners, scores = self._told(plies, ends, finals)
        moves = None
        if batch.keep_moves:
            moves = np.full((batch.count, int(plies.max(initial=0))), -1, np.int32)
            _note(maze, self.graph.moves[self.places], games, plies, moves)
        return Playouts(winners, plies, scores, ends, moves)

    def _told(self, plies: Int32s, ends: Int8s, finals: Int32s) -> tuple[Int8s, Int16s]:
        """Who won the games, and their scores."""
        mover, by_rules = plies & 1, ends == BY_RULES
        results = np.where(by_rules, self.graph.ends[finals], 0)
        winners = np.where(results > 0, mover, np.where(results < 0, 1 - mover, -1)).astype(np.int8)
        if self.graph.scores is None:
            return winners, np.stack([winners == 0, winners == 1], axis=1).astype(np.int16)
        final_scores = self.graph.scores[finals]
        scores = np.where(mover[:, None] == 1, final_scores[:, ::-1], final_scores)
        return winners, np.where(by_rules[:, None], scores, self.game.draw_score()).astype(np.int16)


@compiled
def _how(row: U64, times: U64, made: U64, policy: tuple[U64, U64]) -> int:
    """How a game has ended in a position with this row after so many plies, or `GOES_ON`."""
    repetition, limit = policy
    if not row & COUNT_MASK:
        return BY_RULES
    if repetition and times == repetition:
        return BY_REPETITION
    return BY_PLY_LIMIT if made == limit else GOES_ON


@compiled
def _choose(row: U64, state: U64) -> tuple[U64, U64]:
    """Which of a row's places is taken, and the stream's next state."""
    number = ZERO
    if row & DRAWS:
        number, state = below(state, (row & COUNT_MASK) >> ONE)
    return (row >> ROW_SHIFT) + number, state


@compiled
def _play(
    maze: Maze, games: Games, policy: tuple[U64, U64], seen: UInt16s, results: tuple[Int32s, Int8s, Int32s]
) -> None:
    """Games in lanes; with no game left, a lane begins again for nobody."""
    (first, rows, successors), (run, start, swap) = maze, games
    plies, ends, finals = results
    lanes = np.zeros((LANES, FIELDS), np.uint64)
    count, begun, ended = U64(len(plies)), ZERO, ZERO
    lanes[:, GAME] = count
    while ended < count:
        for lane in range(LANES):
            game, position, made = lanes[lane, GAME], lanes[lane, POSITION], lanes[lane, PLIES]
            row = rows[(made ^ lanes[lane, SWAPPED]) & ONE, position]
            end = _how(row, lanes[lane, TIMES], made, policy)
            if game < count and end == GOES_ON:
                place, lanes[lane, STATE] = _choose(row, lanes[lane, STATE])
                position, made = U64(successors[place]), made + ONE
            else:
                if game < count:
                    plies[game], ends[game], finals[game] = made, end, position
                    ended += ONE
                lanes[lane, GAME], lanes[lane, STATE] = min(begun, count), game_state(run, start + begun)
                lanes[lane, SWAPPED] = swap & (start + begun)
                position, made, begun = first, ZERO, begun + ONE
                if policy[0]:
                    lanes[lane, FLOOR] = next_floor(seen[lane], lanes[lane, FLOOR], policy[0])
            lanes[lane, POSITION], lanes[lane, PLIES] = position, made
            if policy[0]:
                place = TWO * position + (made & ONE)
                lanes[lane, TIMES] = times_seen(seen[lane], place, lanes[lane, FLOOR])


@compiled
def _note(maze: Maze, names: Int32s, games: Games, plies: Int32s, moves: Int32s) -> None:
    """The moves of games that have so many plies; `names` are the moves of all places."""
    (first, rows, successors), (run, start, swap) = maze, games
    for game in range(len(plies)):
        state, position = game_state(run, start + U64(game)), first
        swapped = swap & (start + U64(game))
        for ply in range(plies[game]):
            place, state = _choose(rows[(U64(ply) ^ swapped) & ONE, position], state)
            moves[game, ply] = names[place]
            position = U64(successors[place])
