"""What one match is worth to one side: the only place where a result becomes numbers on a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, NamedTuple, Protocol

from arena.theory.pairing.contract import Kind

WALKOVER = "walkover"
"""How a game is called that was lost without being played."""


class Ending(Protocol):
    """How a match ended, as it is recorded: what is counted of it.

    `forfeits` name their seat, and `seats` say what each used, as a `MatchResult` does.
    """

    @property
    def kind(self) -> str:
        """`played`, or `forfeit` where it was decided without a game."""

    @property
    def first_score(self) -> int:
        """What seat 0 scored."""

    @property
    def second_score(self) -> int:
        """What seat 1 scored."""

    @property
    def first_half_points(self) -> int:
        """What seat 0 got for it: 2, 1 or 0."""

    @property
    def second_half_points(self) -> int:
        """What seat 1 got for it: 2, 1 or 0."""

    @property
    def forfeits(self) -> Sequence[Mapping[str, Any]]:
        """Who failed at the board."""

    @property
    def seats(self) -> Sequence[Mapping[str, Any]]:
        """What each seat used."""


@dataclass(frozen=True)
class Tally:
    """Totals over games; sums of tallies are tallies. `score_own` is the side's own score (discs).

    Of the `games`, those `played` were not decided without one: only they have scores and time.
    """

    games: int = 0
    played: int = 0
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
    played = ending.kind == Kind.PLAYED
    return Tally(
        games=1,
        played=int(played),
        half_points=half_points,
        wins=int(half_points == 2),
        draws=int(half_points == 1),
        losses=int(half_points == 0),
        forfeits=sum(forfeit["seat"] == seat for forfeit in ending.forfeits)
        + (not played and half_points == 0),
        score_own=scores[seat] * played,
        score_other=scores[1 - seat] * played,
        wall_ns=int(ending.seats[seat]["wall_ns"]) * played,
    )


class Use(NamedTuple):
    """What a side used in one match: its answers, the slowest of them, and what it forfeited by, by kind."""

    answers: int
    extensions: int
    slowest_ns: int
    forfeits: Counter[str]


def use(ending: Ending, seat: int) -> Use:
    """What `seat` used in the match; of one that was not played that is nothing."""
    kinds = Counter(str(each["code"]) for each in ending.forfeits if each["seat"] == seat)
    half_points = (ending.first_half_points, ending.second_half_points)[seat]
    if ending.kind != Kind.PLAYED and half_points == 0:
        kinds[WALKOVER] += 1
    used = ending.seats[seat]
    return Use(int(used["answers"]), int(used["extensions_used"]), int(used["slowest_ns"]), kinds)


def rated(ending: Ending) -> bool:
    """Whether it says something about strength: a game was played, and not lost by both."""
    return ending.kind == Kind.PLAYED and bool(ending.first_half_points or ending.second_half_points)
