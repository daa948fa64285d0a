"""How long what is left of a sweep will take, by what its games have taken so far."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple


class Pace(NamedTuple):
    """How far a simulation is: `left` games to play at most, `played` ones took workers `spent_ns`."""

    left: int
    played: int
    spent_ns: int


def games_needed(games: int, done: int, half_width: float, wanted: float | None) -> int:
    """Games of `games` that will be played where it ends with an interval of `wanted` to each side.

    After `done` of them it reaches `half_width`, and an interval narrows with the root of the games.
    """
    if wanted is None or not done:
        return games
    return min(games, max(done, math.ceil(done * (half_width / wanted) ** 2)))


class Spent(NamedTuple):
    """What games have taken workers: `ns` in all, by `begun` simulations, whose times a game add up."""

    begun: int
    ns_a_game: float
    ns: int

    @classmethod
    def of(cls, paces: Sequence[Pace]) -> Spent:
        """That of these simulations."""
        begun = [pace.spent_ns / pace.played for pace in paces if pace.played and pace.spent_ns]
        return cls(len(begun), sum(begun), sum(pace.spent_ns for pace in paces))


def seconds_left(paces: Sequence[Pace], spent: Spent, elapsed_seconds: float) -> float | None:
    """Seconds until all of these is played, if as many workers are at it as in the seconds so far.

    None is unknown. Simulations that have not begun take as long a game as the others on average.
    """
    if not any(pace.left for pace in paces):
        return 0.0
    if not spent.begun or elapsed_seconds <= 0:
        return None
    usual = spent.ns_a_game / spent.begun
    work = sum(
        pace.left * (pace.spent_ns / pace.played if pace.played and pace.spent_ns else usual)
        for pace in paces
    )
    return work * elapsed_seconds / spent.ns
