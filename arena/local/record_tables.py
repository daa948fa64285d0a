"""The matches of record files, and their moves, as tables."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from arena.local.analysis import Position
from arena.local.annotations import KeptBeside
from arena.local.columns import Row, Table
from arena.local.records import AnyRecord, as_match, cut_off, names_of, read_records
from workers.core.contract import FaultCode, MatchRecord
from workers.play.estimating import Estimated, EstimatedPosition
from workers.simulation.contract import GameRecord

NS_PER_MS = 1_000_000
NOBODY = -1
"""The winner of a game that nobody won, as in recordings of simulations."""

MATCHES = {
    "file": "string",
    "number": "int64",
    "match": "string",
    "game": "string",
    "params": "string",
    "bot_0": "string",
    "bot_1": "string",
    "winner": "int8",
    "points_0": "double",
    "points_1": "double",
    "reason": "string",
    "score_0": "int32",
    "score_1": "int32",
    "plies": "int32",
    "opening_plies": "int32",
    "forfeit_0": "string?",
    "forfeit_1": "string?",
    "time_0_ms": "double?",
    "time_1_ms": "double?",
    "cpu_0_ms": "double?",
    "cpu_1_ms": "double?",
    "slowest_0_ms": "double?",
    "slowest_1_ms": "double?",
}
"""The columns of a table of matches; docs/research.md describes them."""

MOVES = {
    "file": "string",
    "number": "int64",
    "ply": "int32",
    "seat": "int8",
    "bot": "string",
    "move": "string",
    "asked": "bool",
    "wall_ms": "double?",
    "charged_ms": "double?",
    "cpu_ms": "double?",
    "extension": "bool",
    "debug": "string?",
    "winner": "int8",
    "value": "string?",
    "margin": "int32?",
    "choice": "bool?",
    "worse": "bool?",
    "loss": "double?",
    "points": "int32?",
    "depth": "int32?",
    "estimated_margin": "double?",
    "estimated_points": "double?",
}
"""The columns of a table of moves; the last nine are what annotations beside the record say."""

Files = str | Path | Sequence[str | Path]


def matches(files: Files, told: Callable[[str], object] = warnings.warn) -> Table:
    """A row a match of these record files, in their order; what they hold is read as rows are asked for.

    Of one that was cut off in being written `told` is called with a word, and it is left out.
    """
    return Table(MATCHES, lambda: (_match(*each) for each in _records(files, told)))


def moves(files: Files, told: Callable[[str], object] = warnings.warn) -> Table:
    """A row a ply of all matches of these record files, with what is kept beside them of moves' worth.

    Where that cannot be read, `told` is called with the reason, and the columns have nothing; so it is of a
    match that was cut off in being written, which is left out.
    """
    return Table(MOVES, lambda: (row for path in paths_of(files) for row in _moves(path, told)))


def paths_of(files: Files) -> list[Path]:
    """The files that were named."""
    return [Path(file) for file in ([files] if isinstance(files, str | Path) else files)]


def half_points(record: AnyRecord) -> tuple[int, int]:
    """Points times two of seat 0 and seat 1; neither has any of a game that both forfeited."""
    if isinstance(record, MatchRecord):
        return record.result.half_points
    if record.winner is not None:
        return (2, 0) if record.winner == 0 else (0, 2)
    return (0, 0) if record.reason in {*FaultCode} else (1, 1)


def _records(files: Files, told: Callable[[str], object]) -> Iterator[tuple[Path, int, AnyRecord]]:
    for path in paths_of(files):
        if torn := cut_off(path):
            told(torn)
        for number, record in enumerate(read_records(path), start=1):
            yield path, number, record


def _match(path: Path, number: int, record: AnyRecord) -> Row:
    match = as_match(record) if isinstance(record, GameRecord) else record
    spec, result = match.spec, match.result
    one, other = names_of(record)
    first, second = (half / 2 for half in half_points(record))
    forfeits = {forfeit.seat: str(forfeit.code) for forfeit in result.forfeits}
    uses = () if isinstance(record, GameRecord) else result.seats
    return (
        *(str(path), number, spec.match, spec.game.name, json.dumps(spec.game.params)),
        *(one, other, NOBODY if result.winner is None else result.winner, first, second, result.reason),
        *(*result.score, len(result.moves), len(spec.opening), forfeits.get(0), forfeits.get(1)),
        *_both(use.wall_ns for use in uses),
        *_both(use.cpu_ns for use in uses),
        *_both(use.slowest_ns for use in uses),
    )


def _both(nanoseconds: Iterable[int]) -> tuple[float | None, float | None]:
    """Milliseconds of seat 0 and seat 1; nothing of a simulated game, which had no clock."""
    told = [each / NS_PER_MS for each in nanoseconds]
    return (told[0], told[1]) if told else (None, None)


def _moves(path: Path, told: Callable[[str], object]) -> Iterator[Row]:
    kept = KeptBeside(path, told)
    if torn := cut_off(path):
        told(torn)
    for number, record in enumerate(read_records(path), start=1):
        timed = isinstance(record, MatchRecord)
        match = record if isinstance(record, MatchRecord) else as_match(record)
        names = names_of(record)
        winner = NOBODY if match.result.winner is None else match.result.winner
        annotation = kept.find(match)
        worths = {each.ply: each for each in annotation.analysis.positions} if annotation else {}
        seen = annotation.estimated if annotation else None
        estimates = {each.ply: each for each in seen.positions} if seen else {}
        for move in match.result.moves:
            wall, charged = (each / NS_PER_MS if timed else None for each in (move.wall_ns, move.charged_ns))
            cpu = None if move.cpu_ns is None else move.cpu_ns / NS_PER_MS
            yield (
                *(str(path), number, move.ply, move.seat, names[move.seat], move.move, move.asked),
                *(wall, charged, cpu, move.extension, move.debug, winner),
                *_worth(worths.get(move.ply), worths.get(move.ply + 1)),
                *_estimate(seen, estimates.get(move.ply)),
            )


def _worth(before: Position | None, after: Position | None) -> Row:
    """What the position of a move was worth to who made it, and what the move has cost."""
    judged = after.judgement if after else None
    value, margin = (before.value, before.margin) if before else (None, None)
    if judged is None:
        return value, margin, None, None, None, None
    points = None if margin is None else judged.points
    return value, margin, judged.choice, judged.worse, judged.loss, points


def _estimate(seen: Estimated | None, before: EstimatedPosition | None) -> Row:
    """The depth, what the position of a move was worth to who made it, and what the move has cost."""
    if seen is None or before is None:
        return None, None, None
    return seen.depth, before.margin, before.points
