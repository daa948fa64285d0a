"""From entries, format and openings to the matches of a tournament, in the order they are to be played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.pairing.berger import Pairing, berger_table, double_table, rounds
from arena.plans import Format

CYCLES = {Format.ROUND_ROBIN: 1, Format.DOUBLE_ROUND_ROBIN: 2}


class PlannedMatch(NamedTuple):
    """One game to come. Numbers count from 1, over all cycles; `opening_number` is 0 without an opening."""

    number: int
    round: int
    first: int
    second: int
    opening_number: int


def schedule(entries: Sequence[int], fmt: Format, openings: int) -> Iterator[PlannedMatch]:
    """The matches between `entries` (whatever identifies them, in the order of their numbers).

    Without openings each pairing of a cycle is one game with the colours of the Berger table. With openings
    every pairing of a cycle plays each of the cycle's `openings` openings from both seats; another cycle has
    other ones, so that no game is played twice. Nothing but the table is ever held.

    Raises:
        ValueError: fewer than two entries.
    """
    table = double_table if fmt == Format.DOUBLE_ROUND_ROBIN else berger_table
    number = 0
    for round_number, pairings in enumerate(table(len(entries)), start=1):
        cycle = (round_number - 1) // rounds(len(entries))
        drawn = range(cycle * openings + 1, (cycle + 1) * openings + 1)
        for opening, (first, second) in _games(pairings, drawn):
            number += 1
            yield PlannedMatch(number, round_number, entries[first - 1], entries[second - 1], opening)


def _games(pairings: list[Pairing], openings: Sequence[int]) -> Iterator[tuple[int, Pairing]]:
    """The games of one round, all pairings taking turns so that the same two rarely follow each other."""
    if not openings:
        yield from ((0, pair) for pair in pairings)
    for opening in openings:
        yield from ((opening, pair) for pair in pairings)
        yield from ((opening, (second, first)) for first, second in pairings)
