"""What one game is worth to one side: the only place where a result becomes numbers on a table."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from workers.contract import MatchResult, Seat


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


def tally(result: MatchResult, seat: Seat) -> Tally:
    """What the game gives to `seat`. A double forfeit is a loss for both."""
    half_points = result.half_points[seat]
    return Tally(
        games=1,
        half_points=half_points,
        wins=int(half_points == 2),
        draws=int(half_points == 1),
        losses=int(half_points == 0),
        forfeits=sum(forfeit.seat == seat for forfeit in result.forfeits),
        score_own=result.score[seat],
        score_other=result.score[1 - seat],
        wall_ns=result.seats[seat].wall_ns,
    )
