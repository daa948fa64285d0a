"""What every format and every tie-break is told: who takes part, and what came of whom meeting whom.

Entrants are known by their numbers, 1 to n in the order of their entries or of an initial ranking. Points are
counted in halves: a win is 2, a draw 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple


class FormatName(StrEnum):
    """Who meets whom.

    `round_robin`: everybody everybody, once or `cycles` times; `double_round_robin`: twice. `swiss_dutch`
    and `swiss`: those with about as many points, by the FIDE Dutch rules or by a matching of least weight.
    `knockout`: who loses is out. `groups`: round robins, then a bracket of their best. `gauntlet`: everybody
    meets the heroes only. `ladder`: whoever tells most about the strength of both, until the staff ends it.
    """

    ROUND_ROBIN = "round_robin"
    DOUBLE_ROUND_ROBIN = "double_round_robin"
    SWISS_DUTCH = "swiss_dutch"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    GROUPS = "groups"
    GAUNTLET = "gauntlet"
    LADDER = "ladder"


class Kind(StrEnum):
    """How a meeting came to its points.

    A game that a bot forfeits at the board, by its clock or by what it answers, was `PLAYED`: only what was
    decided without any game is `FORFEIT`. `BYE` is what a format gives to who is left over; the others are
    what somebody gets who does not take part in a round, for all, half or none of its points.
    """

    PLAYED = "played"
    FORFEIT = "forfeit"
    BYE = "bye"
    FULL_BYE = "full_bye"
    HALF_BYE = "half_bye"
    ZERO_BYE = "zero_bye"


class Entrant(NamedTuple):
    """One who takes part, from round `joined` on, and from round `left` on no more.

    `left` is never a round that has been paired. `absent` are rounds it sits out in a Swiss or on a ladder.
    `disqualified` says how it left.
    """

    number: int
    joined: int = 1
    left: int | None = None
    absent: tuple[int, ...] = ()
    disqualified: bool = False

    def has_left(self, round_number: int) -> bool:
        """Whether it had withdrawn, or was disqualified, before that round."""
        return self.left is not None and self.left <= round_number

    def plays_in(self, round_number: int) -> bool:
        """Whether it can be paired in that round, from 1."""
        here = self.joined <= round_number and not self.has_left(round_number)
        return here and round_number not in self.absent


class Detail(NamedTuple):
    """What the points of a meeting do not tell, of first and second: games won, own scores, time used.

    `played` is how many games were not decided without one; only these have scores and time. `walkovers` are
    the games won that were not played.
    """

    wins: tuple[int, int]
    scores: tuple[int, int]
    wall_ns: tuple[int, int]
    played: int
    walkovers: tuple[int, int] = (0, 0)


class Meeting(NamedTuple):
    """What two entrants made of a pairing in a round, in all its `games`; `second` is None for a bye.

    `half_points` are those of first and second, so that they add up to ``2 * games`` where nobody forfeited
    twice. `phase` is where it belongs: a group's letter, a stage of a bracket, or nothing. The `detail` is
    told where a format pairs by more than points. It is of the kind `PLAYED` if any game was played, and
    `unplayed` is how many then were not.
    """

    round: int
    first: int
    second: int | None
    half_points: tuple[int, int]
    games: int = 1
    kind: Kind = Kind.PLAYED
    phase: str = ""
    detail: Detail | None = None
    unplayed: int = 0


class Pairing(NamedTuple):
    """Two who shall meet, the first with the first move; `second` is None for a bye.

    They play `games`, exchanging seats after each. `openings` are numbers, from 1, of the tournament's
    openings, one for every two games; without any, all games begin at the initial position.
    """

    first: int
    second: int | None
    phase: str = ""
    games: int = 1
    openings: Sequence[int] = ()


class Extent(NamedTuple):
    """How long a tournament can be if nobody leaves or joins."""

    rounds_least: int
    rounds_most: int
    games_least: int
    games_most: int


def in_order(entrants: Iterable[Entrant]) -> list[Entrant]:
    """The entrants by their numbers.

    Raises:
        ValueError: two have the same number.
    """
    ordered = sorted(entrants)
    for one, other in pairwise(ordered):
        if one.number == other.number:
            raise ValueError(f"two entrants have the number {one.number}; number them apart")
    return ordered
