"""Games between in-process players by the batch, where a kernel is compiled for them."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.game import Game
from engines.kernels import Batch, Kernel, Playouts, reasons_of
from engines.kernels.lines import Form, pieces, written
from engines.stream import run_key
from workers.play.policy import policy_of
from workers.simulation.contract import Block, GameLine, SimulationSpec, Tally
from workers.simulation.parts import PartWriter

HALF_POINTS = (np.array([2, 0, 1], np.int8), np.array([0, 2, 1], np.int8))
"""Half points of players[0] by the winning seat (the last: -1), sitting in seat 0 and in seat 1."""

BY_REPETITION, BY_PLY_LIMIT = 1, 2
"""How `Playouts.ends` tells what the match's policy drew."""

AT_ONCE = 65_536
"""Games whose results are in memory at a time: an even number, and little enough for a processor's cache."""

RECORDED_AT_ONCE = 32_768
"""The same where their moves go to columns, which take some ten times the room."""

Bytes = npt.NDArray[np.int8]


class CompiledPath:
    """Plays with a kernel, and counts whole arrays.

    Games that are recorded are written as lines by compiled code, and stay lines with `as_lines`; with
    `writer` they go there, as columns.
    """

    def __init__(
        self,
        spec: SimulationSpec,
        game: Game[Any],
        kernel: Kernel,
        *,
        as_lines: bool = False,
        writer: PartWriter | None = None,
    ) -> None:
        self._as_lines = as_lines
        self._writer = writer
        self._texts: list[str] = []
        self._spec = spec
        self._game = game
        self._kernel = kernel
        self._run = run_key(spec.seed, spec.match)
        policy = policy_of(game, spec.policy)
        self._draws = (policy.repetition or 0, policy.max_plies or 0)
        self._reasons = (*reasons_of(game), "repetition", "ply_limit")

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
                    written=block.written + piece.written,
                )
            yield block

    def _pieces(self, borders: list[int]) -> Iterator[Block]:
        """The same, but played, and also cut, at every so many games."""
        most = AT_ONCE if self._writer is None else RECORDED_AT_ONCE
        for start in range(borders[0], borders[-1], most):
            end = min(start + most, borders[-1])
            playouts = self._play(start, end - start)
            if self._writer is not None:
                self._writer.add_playouts(start, playouts, self._reasons)
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
        block = Block(start=start, count=tally.games, tally=tally)
        moves = playouts.moves
        if moves is None or self._writer is not None:
            return block
        lines = written(self._form(moves), playouts, moves, start, swap=self._spec.swap)
        if self._as_lines:
            return block.model_copy(update={"written": lines})
        games = tuple(GameLine.model_validate_json(line) for line in lines.splitlines())
        return Block(start=start, count=tally.games, tally=tally, games=games)

    def _ends(self, playouts: Playouts, drawn: int) -> dict[str, int]:
        """The games by the reason for their end; `drawn` of them were drawn."""
        by_policy = [_count(playouts.ends, end) for end in (BY_REPETITION, BY_PLY_LIMIT)]
        counts = (len(playouts.ends) - drawn, drawn - sum(by_policy), *by_policy)
        return dict(
            sorted((reason, count) for reason, count in zip(self._reasons, counts, strict=True) if count)
        )

    def _form(self, moves: npt.NDArray[np.int32]) -> Form:
        """How `GameLine` is written as JSON, with the text of each of these moves."""
        for number in range(len(self._texts), int(moves.max(initial=-1)) + 1):
            self._texts.append(f"{json.dumps(self._game.move_to_text(number))},")
        winners, ends = ("null", "0", "1"), (None, *self._reasons[2:])
        return Form(
            fixed=pieces(['{"index":', ',"score":[', ",", '],"plies":', "}\n"]),
            seats=pieces([f',"seats":{seats},"moves":[' for seats in ("[0,1]", "[1,0]")]),
            moves=pieces(self._texts),
            ends=pieces(
                [
                    f'],"winner":{winner},"reason":{json.dumps(reason or self._reasons[winner == "null"])}'
                    for winner in winners
                    for reason in ends
                ]
            ),
        )


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
