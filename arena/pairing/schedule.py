"""From pairings to the games of a tournament, in the order they are to be played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from arena.pairing.berger import berger_table, rounds
from arena.pairing.contract import Pairing

CYCLES = {"round_robin": 1, "double_round_robin": 2}


class PlannedGame(NamedTuple):
    """One game to come, between entrants' numbers; `opening_number` is 0 without an opening."""

    round: int
    first: int
    second: int
    opening_number: int
    phase: str


class PlannedMatch(NamedTuple):
    """One game to come. Numbers count from 1, over all cycles; `opening_number` is 0 without an opening."""

    number: int
    round: int
    first: int
    second: int
    opening_number: int


def expand(pairings: Iterable[Pairing], round_number: int) -> Iterator[PlannedGame]:
    """The games of a round's pairings, byes left out.

    All pairings take turns, so that the same two rarely follow each other; in a pairing the seats are
    exchanged after every game, and the opening changes after every two.
    """
    meeting = [(each, each.second) for each in pairings if each.second is not None]
    for game in range(max((each.games for each, _ in meeting), default=0)):
        for each, second in meeting:
            if game < each.games:
                seats = (each.first, second) if game % 2 == 0 else (second, each.first)
                opening = each.openings[game // 2] if each.openings else 0
                yield PlannedGame(round_number, *seats, opening, each.phase)


def schedule(entries: Sequence[int], fmt: str, openings: int) -> Iterator[PlannedMatch]:
    """The matches between `entries` (whatever identifies them, in the order of their numbers).

    Without openings each pairing of a cycle is one game with the colours of the Berger table. With openings
    every pairing of a cycle plays each of the cycle's `openings` openings from both seats; another cycle has
    other ones, so that no game is played twice. Nothing but the table is ever held.

    Raises:
        ValueError: fewer than two entries.
    """
    number = 0
    for round_number, pairings in enumerate(berger_table(len(entries), CYCLES[fmt]), start=1):
        cycle = (round_number - 1) // rounds(len(entries))
        drawn = range(cycle * openings + 1, (cycle + 1) * openings + 1)
        games = max(1, 2 * openings)
        named = (Pairing(entries[a - 1], entries[b - 1], "", games, drawn) for a, b in pairings)
        for game in expand(named, round_number):
            number += 1
            yield PlannedMatch(number, round_number, game.first, game.second, game.opening_number)
