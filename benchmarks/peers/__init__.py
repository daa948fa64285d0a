"""Others that play random games of the same kinds: programs in C, libraries, a document's own code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

SECONDS = 0.4
"""How long a player plays in a round, roughly, in seconds of the core's time."""


class MissingPeerError(Exception):
    """A peer is not here; the message says which and what to do to have it measured."""


@dataclass(frozen=True)
class Totals:
    """Games played in `seconds` of the core's time.

    `counts` are seat 0's wins, draws, seat 1's wins and plies, if known.
    """

    games: int
    seconds: float
    counts: tuple[int, int, int, int] | None = None

    @property
    def rate(self) -> float:
        """Games a second."""
        return self.games / self.seconds


@dataclass(frozen=True)
class Player:
    """Something that plays random games: `play` takes how many, and the number of their match."""

    name: str
    play: Callable[[int, int], Totals]

    def enough(self) -> int:
        """How many games take about `SECONDS`, found out by playing; whatever has to be compiled is then."""
        games = 1
        self.play(games, 0)
        while (played := self.play(games, 0)).seconds < SECONDS / 8:
            games *= 4
        return max(1, round(played.rate * SECONDS))
