"""What one entry made, split by opponent, seat and opening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.theory.standings.tally import Tally


class Game(NamedTuple):
    """One game from the side of an entry: against whom, in which seat, from which opening (0 for none).

    `fault` is the code of its own forfeit, if it forfeited; a game may not have been `played` at all.
    """

    number: int
    other: int
    seat: int
    opening: int
    made: Tally
    fault: str | None
    played: bool = True


@dataclass
class Numbers:
    """Totals of games; `faults` counts the own forfeits by their codes, `longest_ns` is the most time of one.

    What was decided without being played is in no seat's and no opening's totals.
    """

    total: Tally = field(default_factory=Tally)
    seats: list[Tally] = field(default_factory=lambda: [Tally(), Tally()])
    openings: dict[int, Tally] = field(default_factory=dict)
    opponents: dict[int, Tally] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    longest_ns: int = 0


def numbers_of(games: Iterable[Game]) -> Numbers:
    """The totals of `games`, whose order does not matter."""
    numbers = Numbers()
    for game in games:
        numbers.total += game.made
        numbers.opponents[game.other] = numbers.opponents.get(game.other, Tally()) + game.made
        numbers.longest_ns = max(numbers.longest_ns, game.made.wall_ns)
        if game.fault is not None:
            numbers.faults[game.fault] += 1
        if game.played:
            numbers.seats[game.seat] += game.made
            numbers.openings[game.opening] = numbers.openings.get(game.opening, Tally()) + game.made
    numbers.openings = dict(sorted(numbers.openings.items()))
    numbers.opponents = dict(sorted(numbers.opponents.items()))
    return numbers
