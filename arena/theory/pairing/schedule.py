"""From pairings to the games of a tournament, in the order they are to be played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.theory.pairing.contract import Pairing


class PlannedGame(NamedTuple):
    """One game to come, between entrants' numbers; `opening_number` is 0 without an opening."""

    round: int
    first: int
    second: int
    opening_number: int
    phase: str


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
