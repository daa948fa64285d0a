"""What every format and every tie-break is told: who takes part, and what came of whom meeting whom.

Entrants are known by their numbers, 1 to n in the order of their entries or of an initial ranking. Points are
counted in halves: a win is 2, a draw 1.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """How a meeting came to its points.

    A game that a bot forfeits at the board, by its clock or by what it answers, was `PLAYED`: only what was
    decided without any game is `FORFEIT`. `BYE` is what a format gives to who is left over, `HALF_BYE` and
    `ZERO_BYE` what somebody gets who does not take part in a round.
    """

    PLAYED = "played"
    FORFEIT = "forfeit"
    BYE = "bye"
    HALF_BYE = "half_bye"
    ZERO_BYE = "zero_bye"


class Entrant(NamedTuple):
    """One who takes part, from round `joined` on, and from round `left` on no more."""

    number: int
    joined: int = 1
    left: int | None = None

    def plays_in(self, round_number: int) -> bool:
        """Whether it can be paired in that round, from 1."""
        return self.joined <= round_number and (self.left is None or round_number < self.left)


class Meeting(NamedTuple):
    """What two entrants made of a pairing in a round, in all its `games`; `second` is None for a bye.

    `half_points` are those of first and second, so that they add up to ``2 * games`` where nobody forfeited
    twice. `phase` is where it belongs: a group's letter, a stage of a bracket, or nothing.
    """

    round: int
    first: int
    second: int | None
    half_points: tuple[int, int]
    games: int = 1
    kind: Kind = Kind.PLAYED
    phase: str = ""


class Pairing(NamedTuple):
    """Two who shall meet, the first with the first move; `second` is None for a bye."""

    first: int
    second: int | None
    phase: str = ""
