"""What each entrant of a Swiss has behind it when a round is paired."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from arena.theory.pairing.contract import Kind, Meeting


class Float(StrEnum):
    """Whether one met somebody with fewer points than its own before the round, or with more."""

    DOWN = "down"
    UP = "up"
    NONE = "none"


@dataclass
class Record:
    """An entrant's rounds so far; `rank` is its place in the initial order, from 1.

    `opponents` are those it has played against; who was to meet and did not play may be paired again.
    `seats` has 1 for every meeting that it began, -1 for every other one, and nothing for those with an even
    number of games, in which nobody is ahead. `floats` has one for every round; points without a game are a
    float down. `free` says that it won without playing, so that it shall have no bye any more. `played` says
    in how many rounds it did.
    """

    number: int
    rank: int
    half_points: int = 0
    opponents: set[int] = field(default_factory=set)
    seats: list[int] = field(default_factory=list)
    floats: list[Float] = field(default_factory=list)
    free: bool = False
    played: int = 0

    @property
    def lead(self) -> int:
        """First moves less second ones."""
        return sum(self.seats)

    def may_sit(self, seat: int) -> bool:
        """Whether that seat, 1 or -1, is not its third in a row, nor three times oftener had."""
        return self.seats[-2:] != [seat, seat] and abs(self.lead + seat) <= 2


def records(order: Sequence[int], meetings: Iterable[Meeting], number: int) -> dict[int, Record]:
    """The records before round `number` of everybody in `order`, which is the initial order."""
    by_number = {each: Record(each, rank) for rank, each in enumerate(order, start=1)}
    rounds: dict[int, list[Meeting]] = defaultdict(list)
    for each in meetings:
        rounds[each.round].append(each)
    for at in range(1, number):
        before = {each.number: each.half_points for each in by_number.values()}
        for each in rounds[at]:
            _add(by_number, before, each)
        for record in by_number.values():
            record.floats += [Float.NONE] * (at - len(record.floats))
    return by_number


def _add(by_number: dict[int, Record], before: dict[int, int], meeting: Meeting) -> None:
    sides = ((meeting.first, meeting.second, 1), (meeting.second, meeting.first, -1))
    for side, (entrant, other, seat) in enumerate(sides):
        if entrant not in by_number:
            continue
        record, half = by_number[entrant], meeting.half_points[side]
        record.half_points += half
        if other in by_number and meeting.kind is Kind.PLAYED:
            record.opponents.add(other)
            record.played += 1
            record.seats += [seat] * (meeting.games % 2)
            record.floats.append(_float(before[entrant], before[other]))
        else:
            won = meeting.kind is Kind.FORFEIT and half > meeting.half_points[1 - side]
            record.free = record.free or won or meeting.kind in {Kind.BYE, Kind.FULL_BYE}
            record.floats.append(Float.DOWN if half else Float.NONE)


def _float(mine: int, theirs: int) -> Float:
    return Float.DOWN if mine > theirs else Float.UP if mine < theirs else Float.NONE
