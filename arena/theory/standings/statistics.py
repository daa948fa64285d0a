"""What one entry made, split by opponent, seat and opening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.theory.standings.tally import Tally

WALKOVER = "walkover"
"""What is forfeited without a game."""


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
    found = Numbers()
    for game in games:
        found.total += game.made
        found.opponents[game.other] = found.opponents.get(game.other, Tally()) + game.made
        found.longest_ns = max(found.longest_ns, game.made.wall_ns)
        if game.fault is not None:
            found.faults[game.fault] += 1
        if game.played:
            found.seats[game.seat] += game.made
            found.openings[game.opening] = found.openings.get(game.opening, Tally()) + game.made
    found.openings = dict(sorted(found.openings.items()))
    found.opponents = dict(sorted(found.opponents.items()))
    return found
