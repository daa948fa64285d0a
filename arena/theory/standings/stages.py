"""The stages of a bracket: who met whom, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from arena.theory.pairing.contract import Meeting

TIE_BREAK = " tie-break "
"""What stands before the number of a further pairing of two who were level."""


class Tie(NamedTuple):
    """A meeting in a stage, in half points; `second` is None for who passed on without a game.

    `again` is 0, or the number of the tie-break that it was.
    """

    first: int
    second: int | None
    half_points: tuple[int, int]
    games: int
    again: int


class Stage(NamedTuple):
    """All meetings of one stage in the order of the rounds."""

    phase: str
    ties: tuple[Tie, ...]


def stages(meetings: Iterable[Meeting]) -> list[Stage]:
    """The stages of the bracket among `meetings`, in the order of their rounds; groups are no stage."""
    by_phase: dict[str, list[Tie]] = {}
    for meeting in sorted(meetings, key=lambda each: (each.round, each.phase, each.first)):
        phase, _, again = meeting.phase.partition(TIE_BREAK)
        if phase and not phase.isupper():
            tie = Tie(meeting.first, meeting.second, meeting.half_points, meeting.games, int(again or 0))
            by_phase.setdefault(phase, []).append(tie)
    return [Stage(phase, tuple(ties)) for phase, ties in by_phase.items()]
