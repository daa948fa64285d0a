"""A reveal: the hidden part of a table is shown entry by entry, from the last place up.

The table begins as it was at the freeze, compared as the final one is: by points where all have as many games
in the end, though some had more at the freeze. Each step shows what the entry made that is lowest among those
whose place is not certain: its points become the final ones, and it rises to where these put it. Whoever is
lowest then, is shown already, and is last of all whose place is open in the final table, has their final
place. So there are as many steps as entries, and what the table comes to is the final table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.theory.standings.table import Standing, Table

EXPELLED = "disqualified"


class RevealRow(NamedTuple):
    """One line of the table between freeze and end.

    `standing` is as shown now, final where it is `shown`; `place` the final rank where that is certain, and
    `gained` the points that were hidden, where they are shown.
    """

    standing: Standing
    shown: bool
    place: int | None
    gained: float | None


@dataclass(frozen=True)
class Reveal:
    """The table after `step` of `steps`.

    `latest` is the number of the entry shown last, which stood at `before` and stands at `after`, counted
    from 1; `next` that of the one whose turn it is, None when all are shown.
    """

    step: int
    steps: int
    lines: tuple[RevealRow, ...]
    latest: int | None
    before: int
    after: int
    next: int | None


def reveal(frozen: Table, final: Table, step: int) -> Reveal:
    """The table after so many steps, between what it was at the freeze and what it came to.

    Entries that came after the freeze begin at the end, without points.
    """
    state = _State(frozen, final)
    latest, before, after = None, 0, 0
    for _ in range(step):
        latest = state.turn()
        if latest is None:
            break
        before = state.order().index(latest) + 1
        state.show(latest)
        after = state.order().index(latest) + 1
    lines = tuple(state.line(number) for number in state.order())
    return Reveal(step, len(state.final), lines, latest, before, after, state.turn())


class _State:
    """Who is shown and whose place is certain."""

    def __init__(self, frozen: Table, final: Table) -> None:
        self.final = {line.number: line for line in final.standings}
        self._frozen = {line.number: line for line in frozen.standings}
        last = len(frozen.standings) + 1
        self._frozen |= {
            number: _blank(line, last) for number, line in self.final.items() if number not in self._frozen
        }
        self._ends = list(self.final)
        self._shown: set[int] = set()
        self._certain: list[int] = []
        self._bracket = final.bracket
        self._mean = "points" in final.means
        waiting = [each for each in self._frozen if each in self.final]
        self._waiting = sorted(waiting, key=lambda each: self._worth(self._frozen[each]), reverse=True)

    def order(self) -> list[int]:
        """The entries' numbers, best first: those shown in their final order, the others as at the freeze."""
        return [*_merged(self._open_shown(), self._waiting, self._is_above), *self._certain]

    def turn(self) -> int | None:
        """Who is shown next: the lowest who is not, as a rule."""
        if not self._waiting:
            return None
        lowest = self.order()[len(self._ends) - len(self._certain) - 1]
        if lowest not in self._shown:
            return lowest
        return self._ends[len(self._ends) - len(self._certain) - 1]  # who has lost points and will be last

    def show(self, number: int) -> None:
        """Show what an entry made; certain are then those at the end that are where they stay."""
        self._shown.add(number)
        self._waiting.remove(number)
        while len(self._certain) < len(self._ends):
            lowest = self.order()[len(self._ends) - len(self._certain) - 1]
            if lowest not in self._shown or lowest != self._ends[len(self._ends) - len(self._certain) - 1]:
                break
            self._certain.insert(0, lowest)

    def line(self, number: int) -> RevealRow:
        """The line of an entry as it is now."""
        final, frozen = self.final[number], self._frozen[number]
        if number not in self._shown:
            return RevealRow(frozen, shown=False, place=None, gained=None)
        place = final.rank if number in self._certain else None
        return RevealRow(final, shown=True, place=place, gained=final.points - frozen.points)

    def _open_shown(self) -> list[int]:
        certain = {*self._certain}
        return [each for each in self._ends if each in self._shown and each not in certain]

    def _is_above(self, shown: int, waiting: int) -> bool:
        """Whether somebody who is shown stands above somebody who is not: also with equal points."""
        return self._worth(self.final[shown]) >= self._worth(self._frozen[waiting])

    def _worth(self, line: Standing) -> tuple[float, ...]:
        if self._bracket:
            return (-line.rank,)
        points = line.points / line.games if self._mean and line.games else line.points
        return (line.left_as != EXPELLED, points)


def _merged(shown: Sequence[int], waiting: Sequence[int], is_above: Callable[[int, int], bool]) -> list[int]:
    merged, rest = list[int](), list(waiting)
    for each in shown:
        while rest and not is_above(each, rest[0]):
            merged.append(rest.pop(0))
        merged.append(each)
    return merged + rest


def _blank(line: Standing, rank: int) -> Standing:
    """An entry before its first game."""
    return line._replace(
        rank=rank,
        left_as=None,
        games=0,
        played=0,
        points=0.0,
        wins=0,
        draws=0,
        losses=0,
        forfeits=0,
        score_own=0,
        score_other=0,
        wall_ms=0,
        byes=0.0,
        direct=None,
    )
