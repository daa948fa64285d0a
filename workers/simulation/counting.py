"""Counting games one by one into a tally."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engines.game import Game, Move, Score, Seat
from workers.simulation.contract import Block, GameLine, SimulationSpec, Tally

WORTH = {None: 1, 0: 2, 1: 0}
"""Half points of seat 0 by the winning seat."""

COLUMN = {0: 0, None: 1, 1: 2}
"""Where a winning seat is counted in a row of a tally's results."""


class Played(NamedTuple):
    """How one game went, by seat. `forfeits` are the seats that forfeited, each once."""

    moves: list[str] | list[Move]
    winner: Seat | None
    reason: str
    score: Score
    forfeits: tuple[int, ...] = ()


def block_of(spec: SimulationSpec, game: Game[object], start: int, played: Iterable[Played]) -> Block:
    """The block of the games from index `start` on, which `played` gives in order."""
    results = [[0, 0, 0], [0, 0, 0]]
    ends: dict[str, int] = {}
    pairs = [0] * 5
    scores, forfeits = [0, 0], [0, 0]
    count = plies = double_forfeits = half_points = 0
    lines: list[GameLine] = []
    for index, each in enumerate(played, start):
        swapped = spec.swapped(index)
        count += 1
        plies += len(each.moves)
        ends[each.reason] = ends.get(each.reason, 0) + 1
        if len(each.forfeits) == 2:
            double_forfeits += 1
        else:
            results[swapped][COLUMN[each.winner]] += 1
        for player in (0, 1):
            scores[player] += each.score[player ^ swapped]
        for seat in each.forfeits:
            forfeits[seat ^ swapped] += 1
        if spec.swap:
            half_points = _half_points(each, swapped=swapped) + (half_points if swapped else 0)
            pairs[half_points] += swapped
        if spec.record_games:
            lines.append(_line(spec, game, index, each))
    tally = Tally(
        games=count,
        results=tuple(map(tuple, results)),
        double_forfeits=double_forfeits,
        plies=plies,
        scores=(scores[0], scores[1]),
        forfeits=(forfeits[0], forfeits[1]),
        ends=dict(sorted(ends.items())),
        pairs=tuple(pairs),
    )
    return Block(start=start, count=count, tally=tally, games=tuple(lines))


def _half_points(played: Played, *, swapped: bool) -> int:
    """What players[0] gets: 2 for a win, 1 for a draw, 0 for a loss and where both forfeited."""
    if len(played.forfeits) == 2:
        return 0
    worth = WORTH[played.winner]
    return 2 - worth if swapped else worth


def _line(spec: SimulationSpec, game: Game[object], index: int, played: Played) -> GameLine:
    return GameLine(
        index=index,
        seats=(1, 0) if spec.swapped(index) else (0, 1),
        moves=tuple(move if isinstance(move, str) else game.move_to_text(move) for move in played.moves),
        winner=played.winner,
        reason=played.reason,
        score=played.score,
        plies=len(played.moves),
    )
