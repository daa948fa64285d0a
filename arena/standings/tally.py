"""What one match is worth to one side: the only place where a result becomes numbers on a table."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from arena.pairing.contract import Kind

if TYPE_CHECKING:
    from arena.store.models import Ending


@dataclass(frozen=True)
class Tally:
    """Totals over games; sums of tallies are tallies. `score_own` is the side's own score (discs)."""

    games: int = 0
    half_points: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    score_own: int = 0
    score_other: int = 0
    wall_ns: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


def tally(ending: Ending, seat: int) -> Tally:
    """What the match gives to `seat`. A double forfeit is a loss for both.

    Who loses without a game forfeits it, as does who fails at the board.
    """
    half_points = (ending.first_half_points, ending.second_half_points)[seat]
    scores = (ending.first_score, ending.second_score)
    absent = ending.kind == Kind.FORFEIT and half_points == 0
    return Tally(
        games=1,
        half_points=half_points,
        wins=int(half_points == 2),
        draws=int(half_points == 1),
        losses=int(half_points == 0),
        forfeits=sum(forfeit["seat"] == seat for forfeit in ending.forfeits) + absent,
        score_own=scores[seat],
        score_other=scores[1 - seat],
        wall_ns=int(ending.seats[seat]["wall_ns"]),
    )


def rated(ending: Ending) -> bool:
    """Whether it says something about strength: a game was played, and not lost by both."""
    return ending.kind == Kind.PLAYED and bool(ending.first_half_points or ending.second_half_points)
