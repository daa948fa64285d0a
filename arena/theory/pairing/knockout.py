"""Whoever loses is out, until one is left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from arena.theory.pairing.bracket import Bracket, Decided, Rules, after, extent_of
from arena.theory.pairing.contract import Entrant, Extent, Meeting, Pairing, in_order
from arena.theory.pairing.format import Format, Seeding, ranked

BestOf = Annotated[
    int | None,
    Field(ge=1, le=99, description="Games of a pairing; as many as the openings ask for unless given."),
]
TieBreaks = Annotated[
    int,
    Field(
        ge=0, le=20, description="How often a level pairing plays two more games before its better seed wins."
    ),
]


class Eliminating(Format):
    """What formats with a bracket share. With `best_of`, every two games have an opening if there are any."""

    best_of: BestOf = None
    tie_breaks: TieBreaks = 3
    third_place: bool = False
    seeding: Seeding = "number"

    def _rules(self, used: int) -> Rules:
        """The rules of the bracket, whose openings follow the first `used`."""
        count = 0 if not self.openings else self.openings if self.best_of is None else (self.best_of + 1) // 2
        first = range(used + 1, used + count + 1) if count else ()
        fresh = range(used + count + 1, used + count + self.tie_breaks + 1)
        return Rules(self.best_of or self._games, self.tie_breaks, self.third_place, first, fresh)

    def _drawn(self, used: int) -> int:
        rules = self._rules(used)
        return used + len(rules.openings) + len(rules.fresh)


class Knockout(Eliminating):
    """A single elimination among those who are there at the start."""

    @property
    def drawn(self) -> int:
        """See `Format`."""
        return self._drawn(0)

    def next_round(
        self, entrants: Sequence[Entrant], meetings: Iterable[Meeting], number: int, seed: int
    ) -> tuple[Pairing, ...] | None:
        """See `Format`."""
        return self._bracket(entrants, meetings, number, seed).next_round(seed)

    def extent(self, entrants: int) -> Extent:
        """See `Format`."""
        self.check(entrants)
        return extent_of(entrants, self._rules(0))

    def takes_late(self, entrants: Sequence[Entrant], number: int, seed: int) -> bool:  # noqa: ARG002
        """See `Format`."""
        return number == 1

    def places(
        self, entrants: Sequence[Entrant], meetings: Iterable[Meeting], seed: int
    ) -> tuple[tuple[int, ...], ...]:
        """See `Format`."""
        seen = list(meetings)
        return self._bracket(entrants, seen, after(seen), seed).places()

    def tree(
        self, entrants: Sequence[Entrant], meetings: Iterable[Meeting], seed: int
    ) -> list[list[Decided]] | None:
        """See `Format`."""
        seen = list(meetings)
        return self._bracket(entrants, seen, after(seen), seed).tree()

    def _bracket(
        self, entrants: Sequence[Entrant], meetings: Iterable[Meeting], number: int, seed: int
    ) -> Bracket:
        starting = [each.number for each in in_order(entrants) if each.joined <= 1]
        seeds = ranked(starting, self.seeding, seed)
        return Bracket(seeds, entrants, meetings, number, self._rules(0))
