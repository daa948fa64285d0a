"""Games between in-process players by the batch, where a kernel is compiled for them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.game import Game
from engines.games.heap_nim import HeapNim
from engines.games.reversed_reversi import ReversedReversi
from engines.kernels import Batch, Kernel, Playouts
from engines.stream import run_key
from workers.policy import policy_of
from workers.simulation.contract import Block, GameLine, SimulationSpec, Tally

HALF_POINTS = (np.array([2, 0, 1], np.int8), np.array([0, 2, 1], np.int8))
"""Half points of players[0] by the winning seat (the last: -1), sitting in seat 0 and in seat 1."""

WON = {"circle_nim": "left_the_last", "l_game": "cannot_place", "rhombic_chess": "blocked"}
"""What the rules call the only end that a game of theirs has."""

BY_REPETITION, BY_PLY_LIMIT = 1, 2
"""How `Playouts.ends` tells what the match's policy drew."""

AT_ONCE = 65_536
"""Games whose results are in memory at a time: an even number, and little enough for a processor's cache."""

Bytes = npt.NDArray[np.int8]


class CompiledPath:
    """Plays with a kernel, and counts whole arrays."""

    def __init__(self, spec: SimulationSpec, game: Game[Any], kernel: Kernel) -> None:
        self._spec = spec
        self._game = game
        self._kernel = kernel
        self._run = run_key(spec.seed, spec.match)
        policy = policy_of(game, spec.policy)
        self._draws = (policy.repetition or 0, policy.max_plies or 0)
        self._reasons = (*_reasons(game), "repetition", "ply_limit")

    def blocks(self, borders: list[int]) -> Iterator[Block]:
        """The games from the first of `borders` to the last, a block between each two."""
        pieces = self._pieces(borders)
        for first, last in pairwise(borders):
            block = next(pieces)
            while block.end < last:
                piece = next(pieces)
                block = Block(
                    start=first,
                    count=piece.end - first,
                    tally=block.tally + piece.tally,
                    games=block.games + piece.games,
                )
            yield block

    def _pieces(self, borders: list[int]) -> Iterator[Block]:
        """The same, but played, and also cut, at every `AT_ONCE` games."""
        for start in range(borders[0], borders[-1], AT_ONCE):
            end = min(start + AT_ONCE, borders[-1])
            playouts = self._play(start, end - start)
            inner = borders[bisect_right(borders, start) : bisect_left(borders, end)]
            for first, last in pairwise([start, *inner, end]):
                yield self._block(first, _cut(playouts, slice(first - start, last - start)))

    def _play(self, start: int, count: int) -> Playouts:
        repetition, max_plies = self._draws
        return self._kernel.play(
            Batch(
                self._run,
                start,
                count,
                swap=self._spec.swap,
                repetition=repetition,
                max_plies=max_plies,
                keep_moves=self._spec.record_games,
            )
        )

    def _block(self, start: int, playouts: Playouts) -> Block:
        parts = _by_seating(start, self._spec)
        by_seating = [playouts.winners[part] for part in parts]
        results = tuple(map(_results, by_seating))
        sums = [[_sum(playouts.scores[part, seat]) for seat in (0, 1)] for part in parts]
        tally = Tally(
            games=len(playouts.winners),
            results=results,
            plies=_sum(playouts.plies),
            scores=(sums[0][0] + sums[1][1], sums[0][1] + sums[1][0]),
            ends=self._ends(playouts, drawn=sum(drawn for _, drawn, _ in results)),
            pairs=_pairs(*by_seating) if self._spec.swap else (0, 0, 0, 0, 0),
        )
        return Block(start=start, count=tally.games, tally=tally, games=tuple(self._lines(start, playouts)))

    def _ends(self, playouts: Playouts, drawn: int) -> dict[str, int]:
        """The games by the reason for their end; `drawn` of them were drawn."""
        by_policy = [_count(playouts.ends, end) for end in (BY_REPETITION, BY_PLY_LIMIT)]
        counts = (len(playouts.ends) - drawn, drawn - sum(by_policy), *by_policy)
        return dict(
            sorted((reason, count) for reason, count in zip(self._reasons, counts, strict=True) if count)
        )

    def _lines(self, start: int, playouts: Playouts) -> Iterator[GameLine]:
        if playouts.moves is None:
            return
        columns = (playouts.plies, playouts.winners, playouts.scores, playouts.ends)
        rows = zip(playouts.moves, *columns, strict=True)
        for index, (moves, plies, winner, score, end) in enumerate(rows, start):
            yield GameLine(
                index=index,
                seats=(1, 0) if self._spec.swapped(index) else (0, 1),
                moves=tuple(map(self._game.move_to_text, moves[:plies].tolist())),
                winner=None if winner < 0 else int(winner),
                reason=self._reasons[end + 1 if end else int(winner < 0)],
                score=(int(score[0]), int(score[1])),
                plies=int(plies),
            )


def _reasons(game: Game[Any]) -> tuple[str, str]:
    """The game's own words for the end of a game that was won and of one that was drawn."""
    if isinstance(game, ReversedReversi):
        return ("fewest_discs" if game.reversed else "most_discs", "equal_discs")
    if isinstance(game, HeapNim):
        return ("left_the_last" if game.misere else "took_the_last", "")
    return (WON[game.name], "")


def _cut(playouts: Playouts, rows: slice) -> Playouts:
    return Playouts(
        winners=playouts.winners[rows],
        plies=playouts.plies[rows],
        scores=playouts.scores[rows],
        ends=playouts.ends[rows],
        moves=None if playouts.moves is None else playouts.moves[rows],
    )


def _by_seating(start: int, spec: SimulationSpec) -> tuple[slice, slice]:
    """The rows of a block from `start` on in which players[0] sits in seat 0, and in seat 1."""
    if not spec.swap:
        return slice(None), slice(0, 0)
    return slice(start % 2, None, 2), slice(1 - start % 2, None, 2)


def _count(column: Bytes, value: int) -> int:
    return int(np.count_nonzero(column == value))


def _sum(column: npt.NDArray[np.signedinteger[Any]]) -> int:
    return int(column.sum(dtype=np.int64))


def _results(winners: Bytes) -> tuple[int, int, int]:
    first, second = _count(winners, 0), _count(winners, 1)
    return first, len(winners) - first - second, second


def _pairs(even: Bytes, odd: Bytes) -> tuple[int, ...]:
    """The pairs by the half points of players[0]; a last game without its second is left out."""
    points = HALF_POINTS[0][even[: len(odd)]] + HALF_POINTS[1][odd]
    return tuple(np.bincount(points, minlength=5).tolist())
