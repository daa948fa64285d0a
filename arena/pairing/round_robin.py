"""Everybody meets everybody, or only the heroes of a gauntlet, by the Berger tables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field

from arena.pairing import berger
from arena.pairing.contract import Entrant, Extent, Pairing, in_order
from arena.pairing.format import FormatError, Planned, Round

Cycles = Annotated[int, Field(ge=1, le=20, description="How often the same two meet.")]


class _Table(NamedTuple):
    """A Berger table of these numbers, begun in round `start` at the earliest.

    Only pairings with somebody of each of `needed` are played.
    """

    line: list[int]
    needed: tuple[Collection[int], ...] = ()
    start: int = 1

    def plays(self, one: int, other: int) -> bool:
        return all(one in each or other in each for each in self.needed)


class _Tables(Planned):
    """A table of those who are there at the start, and one for every round in which somebody joined."""

    cycles: Cycles = 1

    @abstractmethod
    def _tables(self, entrants: list[Entrant]) -> Iterator[_Table]:
        """The tables, in the order in which they are played."""

    @property
    def drawn(self) -> int:
        """See `Format`."""
        return self.openings * self.cycles

    def rounds(self, entrants: Sequence[Entrant], after: int = 0) -> Iterator[Round]:
        """See `Planned`."""
        for table, first, places in self._dated(entrants):
            for number in range(max(first, after + 1), first + len(places)):
                yield number, self._round(table, places[number - first])

    def length(self, entrants: Sequence[Entrant]) -> int:
        """The number of the last round."""
        return max((first + len(places) - 1 for _, first, places in self._dated(entrants)), default=0)

    def _dated(self, entrants: Sequence[Entrant]) -> Iterator[tuple[_Table, int, Sequence[int]]]:
        """The tables with the numbers of their first rounds, and their places."""
        coming = 1
        for table in self._tables(in_order(entrants)):
            if places := self._places(table):
                first = max(coming, table.start)
                coming = first + len(places)
                yield table, first, places

    def _places(self, table: _Table) -> Sequence[int]:
        """The rounds of the table, from 0, in which anybody meets."""
        count = len(table.line)
        length = berger.rounds(count) * self.cycles if count > 1 else 0
        if not table.needed:
            return range(length)
        numbers = {entrant: number for number, entrant in enumerate(table.line, start=1)}
        busy = {
            berger.meeting_place(numbers[one], numbers[other], count)
            for one in min(table.needed, key=len)
            for other in table.line
            if one in numbers and one != other and table.plays(one, other)
        }
        return [at for at in range(length) if berger.place(at, count, self.cycles) in busy]

    def _round(self, table: _Table, place: int) -> tuple[Pairing, ...]:
        line, openings = table.line, self._cycle(place // berger.rounds(len(table.line)))
        numbered = berger.berger_round(place, len(line), self.cycles)
        pairs = ((line[first - 1], line[second - 1]) for first, second in numbered)
        return tuple(Pairing(*pair, "", self._games, openings) for pair in pairs if table.plays(*pair))


class RoundRobin(_Tables):
    """Everybody meets everybody, `cycles` times, every other time with the seats exchanged."""

    def extent(self, entrants: int) -> Extent:
        """See `Format`."""
        self.check(entrants)
        length = berger.rounds(entrants) * self.cycles
        games = entrants * (entrants - 1) // 2 * self.cycles * self._games
        return Extent(length, length, games, games)

    def _tables(self, entrants: list[Entrant]) -> Iterator[_Table]:
        yield _Table([each.number for each in entrants if each.joined <= 1])
        for line, late, joined in late_tables(entrants):
            yield _Table(line, (late,), joined)


class DoubleRoundRobin(RoundRobin):
    """Everybody meets everybody twice."""

    cycles: Annotated[int, Field(ge=2, le=2)] = 2


def _distinct(heroes: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(heroes)) < len(heroes):
        raise ValueError(f"the heroes {heroes} name one twice; name each once")
    return heroes


class Gauntlet(_Tables):
    """The `heroes`, by their numbers, meet everybody, also each other; the others do not meet."""

    heroes: Annotated[tuple[int, ...], Field(min_length=1), AfterValidator(_distinct)] = (1,)

    def check(self, entrants: int) -> None:
        """See `Format`."""
        super().check(entrants)
        missing = [hero for hero in self.heroes if not 1 <= hero <= entrants]
        if missing:
            raise FormatError(f"no entrant has a hero's number {missing[0]}; name entrants' numbers")

    def extent(self, entrants: int) -> Extent:
        """See `Format`."""
        self.check(entrants)
        others = entrants - len(self.heroes)
        pairs = len(self.heroes) * others + len(self.heroes) * (len(self.heroes) - 1) // 2
        length = self.length([Entrant(number) for number in range(1, entrants + 1)])
        games = pairs * self.cycles * self._games
        return Extent(length, length, games, games)

    def _tables(self, entrants: list[Entrant]) -> Iterator[_Table]:
        at_start = [each.number for each in entrants if each.joined <= 1]
        at_start.sort(key=lambda number: number in self.heroes)
        yield _Table(at_start, (self.heroes,))
        for line, late, joined in late_tables(entrants):
            yield _Table(line, (self.heroes, late), joined)


def late_tables(entrants: list[Entrant]) -> Iterator[tuple[list[int], frozenset[int], int]]:
    """For every round in which somebody joined: who is in a table, newcomers last; these; and when.

    Who had left by that round is not among them.
    """
    late = sorted((each for each in entrants if each.joined > 1), key=lambda each: each.joined)
    for joined, batch in groupby(late, key=lambda each: each.joined):
        newcomers = [each.number for each in batch if not each.has_left(joined)]
        earlier = [each.number for each in entrants if each.joined < joined and not each.has_left(joined)]
        yield earlier + newcomers, frozenset(newcomers), joined
