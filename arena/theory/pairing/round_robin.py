"""Everybody meets everybody, or only the heroes of a gauntlet, by the Berger tables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Annotated

from pydantic import AfterValidator, Field

from arena.theory.pairing import berger
from arena.theory.pairing.contract import Entrant, Extent, Pairing, in_order
from arena.theory.pairing.format import FormatError, Planned, Round
from arena.theory.pairing.tables import Dated, Table, dated

Cycles = Annotated[int, Field(ge=1, le=20, description="How often the same two meet.")]


class _Tables(Planned):
    """A table of those who are there at the start, and one for every round in which somebody joined."""

    cycles: Cycles = 1

    @abstractmethod
    def _tables(self, entrants: list[Entrant]) -> Iterator[Table]:
        """The tables, in the order in which they are played."""

    @property
    def drawn(self) -> int:
        """See `Format`."""
        return self.openings * self.cycles

    def rounds(self, entrants: Sequence[Entrant], after: int = 0) -> Iterator[Round]:
        """See `Planned`."""
        for each in _dated(self, tuple(in_order(entrants))):
            for number in range(max(each.first, after + 1), each.last + 1):
                openings = self._cycle(each.cycle(number))
                pairs = each.pairs(number)
                yield number, tuple(Pairing(*pair, "", self._games, openings) for pair in pairs)

    def length(self, entrants: Sequence[Entrant]) -> int:
        """See `Format`."""
        return max((each.last for each in _dated(self, tuple(in_order(entrants)))), default=0)

    def dated(self, entrants: Sequence[Entrant]) -> list[Dated]:
        """The tables with their rounds; in pairings of an even number of games nobody is ahead in seats."""
        known = {each.number: each for each in entrants}
        return dated(self._tables(list(entrants)), known, self.cycles, seats_matter=self._games % 2 == 1)


@lru_cache(maxsize=8)
def _dated(fmt: _Tables, entrants: tuple[Entrant, ...]) -> list[Dated]:
    return fmt.dated(entrants)


class RoundRobin(_Tables):
    """Everybody meets everybody, `cycles` times, every other time with the seats exchanged."""

    def extent(self, entrants: int) -> Extent:
        """See `Format`."""
        self.check(entrants)
        length = berger.rounds(entrants) * self.cycles
        games = entrants * (entrants - 1) // 2 * self.cycles * self._games
        return Extent(length, length, games, games)

    def _tables(self, entrants: list[Entrant]) -> Iterator[Table]:
        yield Table([each.number for each in entrants if each.joined <= 1])
        for line, late, joined in late_tables(entrants):
            yield Table(line, (late,), joined)


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
            raise FormatError(
                "no entrant has a hero's number %(missing)s; name entrants' numbers", missing=missing[0]
            )

    def extent(self, entrants: int) -> Extent:
        """See `Format`."""
        self.check(entrants)
        others = entrants - len(self.heroes)
        pairs = len(self.heroes) * others + len(self.heroes) * (len(self.heroes) - 1) // 2
        length = self.length([Entrant(number) for number in range(1, entrants + 1)])
        games = pairs * self.cycles * self._games
        return Extent(length, length, games, games)

    def _tables(self, entrants: list[Entrant]) -> Iterator[Table]:
        at_start = [each.number for each in entrants if each.joined <= 1]
        at_start.sort(key=lambda number: number in self.heroes)
        yield Table(at_start, (self.heroes,))
        for line, late, joined in late_tables(entrants):
            yield Table(line, (self.heroes, late), joined)


def late_tables(entrants: list[Entrant]) -> Iterator[tuple[list[int], frozenset[int], int]]:
    """For every round in which somebody joined: who is in a table, newcomers last; these; and when.

    Who had left by that round is not among them.
    """
    late = sorted((each for each in entrants if each.joined > 1), key=lambda each: each.joined)
    for joined, batch in groupby(late, key=lambda each: each.joined):
        newcomers = [each.number for each in batch if not each.has_left(joined)]
        earlier = [each.number for each in entrants if each.joined < joined and not each.has_left(joined)]
        yield earlier + newcomers, frozenset(newcomers), joined
