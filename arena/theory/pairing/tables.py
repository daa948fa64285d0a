"""Berger tables that are played one after the other, of some of them only the pairings that are needed."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.theory.pairing import berger
from arena.theory.pairing.contract import Entrant
from arena.theory.pairing.seats import Pair, evened


class Table(NamedTuple):
    """A Berger table of these numbers, begun in round `start` at the earliest.

    Only pairings with somebody of each of `needed` are played.
    """

    line: Sequence[int]
    needed: tuple[Collection[int], ...] = ()
    start: int = 1

    def plays(self, one: int, other: int) -> bool:
        """Whether these two are to meet."""
        return all(one in each or other in each for each in self.needed)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The places in the line, from 1, of every two who meet, the lower first."""
        few = min(self.needed, key=len, default=self.line)
        return self.pairs_of({place for place, each in enumerate(self.line, start=1) if each in few})

    def pairs_of(self, some: Collection[int]) -> Iterator[tuple[int, int]]:
        """The same of those pairs alone with somebody at one of `some` places."""
        for one in sorted(some):
            for other in range(1, len(self.line) + 1):
                twice = other == one or (other < one and other in some)
                if not twice and self.plays(self.line[one - 1], self.line[other - 1]):
                    yield min(one, other), max(one, other)


class Dated(NamedTuple):
    """A table with the number of its first round, and the places, from 0, of its rounds with any pairs.

    Of every two who are `turned`, the one begins who would not by the table.
    """

    table: Table
    cycles: int
    first: int
    places: Sequence[int]
    turned: Collection[frozenset[int]] = frozenset()

    @property
    def last(self) -> int:
        """The number of the last round."""
        return self.first + len(self.places) - 1

    def cycle(self, number: int) -> int:
        """The cycle, from 0, that a round belongs to."""
        return self.places[number - self.first] // berger.rounds(len(self.table.line))

    def pairs(self, number: int) -> Iterator[Pair]:
        """Who meets in a round."""
        line = self.table.line
        for first, second in berger.berger_round(self.places[number - self.first], len(line), self.cycles):
            one, other = line[first - 1], line[second - 1]
            if self.table.plays(one, other):
                yield (other, one) if frozenset((one, other)) in self.turned else (one, other)

    def lead(self, entrants: Mapping[int, Entrant]) -> Counter[int]:
        """How much oftener everybody has the first seat than the second, walkovers left out."""
        line, lead = self.table.line, Counter[int]()
        left = {place for place, each in enumerate(line, start=1) if entrants[each].left is not None}
        if self.cycles % 2:
            if self.table.needed:
                for pair in self.table.pairs():
                    first, second = self.begun(*pair)
                    lead[first] += 1
                    lead[second] -= 1
            else:
                lead.update(dict(zip(line, berger.leads(len(line)), strict=True)))
        for low, high in self.table.pairs_of(left):
            first, second = self.begun(low, high)
            missing = sum(
                1 if cycle % 2 == 0 else -1
                for cycle in range(self.cycles)
                if self._is_walkover(low, high, cycle, entrants)
            )
            lead[first] -= missing
            lead[second] += missing
        return lead

    def _is_walkover(self, low: int, high: int, cycle: int, entrants: Mapping[int, Entrant]) -> bool:
        place = berger.played_at(low, high, len(self.table.line), self.cycles, cycle)
        number = self.first + bisect_left(self.places, place)
        return any(entrants[self.table.line[each - 1]].has_left(number) for each in (low, high))

    def begun(self, low: int, high: int) -> Pair:
        """The two at these places of the line, from 1, as they sit in the first cycle."""
        one, other = self.table.line[low - 1], self.table.line[high - 1]
        begins = berger.begins(low, high, len(self.table.line))
        return (one, other) if begins != (frozenset((one, other)) in self.turned) else (other, one)


def dated(
    tables: Iterable[Table], entrants: Mapping[int, Entrant], cycles: int, *, seats_matter: bool
) -> list[Dated]:
    """The tables that have any rounds, each after the last one; only the first may be played in full.

    That one is even by itself. Where `seats_matter`, the others have their seats so that they are as even as
    they can be together with all that were before.
    """
    scheduled: list[Dated] = []
    lead: Counter[int] = Counter()
    uneven = seats_matter and cycles % 2 == 1
    coming = 1
    for table in tables:
        if not (places := _places(table, cycles)):
            continue
        each = Dated(table, cycles, max(coming, table.start), places)
        if uneven and table.needed:
            if scheduled:
                lead.update(scheduled[-1].lead(entrants))
            each = each._replace(turned=_turned(each, lead))
        scheduled.append(each)
        coming = each.last + 1
    return scheduled


def _turned(dated: Dated, lead: Mapping[int, int]) -> frozenset[frozenset[int]]:
    """Who has to sit the other way round than the table has it."""
    seated = [dated.begun(*pair) for pair in dated.table.pairs()]
    there = set(dated.table.line)
    even = evened({number: each for number, each in lead.items() if number in there}, seated)
    return frozenset(frozenset(pair) for pair, before in zip(even, seated, strict=True) if pair != before)


def _places(table: Table, cycles: int) -> Sequence[int]:
    """The rounds of the table, from 0, in which anybody meets."""
    count = len(table.line)
    length = berger.rounds(count) * cycles if count > 1 else 0
    if not table.needed:
        return range(length)
    busy = {berger.meeting_place(*pair, count) for pair in table.pairs()}
    return [at for at in range(length) if berger.place(at, count, cycles) in busy]
