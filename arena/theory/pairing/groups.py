"""Groups in which everybody meets everybody, and a bracket of the best of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby, zip_longest
from operator import attrgetter
from typing import Annotated, Self

import rustworkx
from pydantic import Field, PrivateAttr

from arena.theory.pairing.bracket import Bracket, Decided, after, extent_of, slots_of
from arena.theory.pairing.contract import Entrant, Extent, Meeting, Pairing, in_order
from arena.theory.pairing.format import FormatError, ranked
from arena.theory.pairing.knockout import Eliminating
from arena.theory.pairing.round_robin import Cycles, RoundRobin
from engines.stream import derive

ORDER = 1 << 20
"""More than all that places out of order can count."""

Order = Callable[[Sequence[int], Sequence[Meeting], int], Sequence[int]]
"""From a group's entrants, its meetings and the seed to the entrants, best first."""


def by_points(entrants: Sequence[int], meetings: Sequence[Meeting], seed: int) -> list[int]:
    """A group's order: points, then those against each other, then meetings won, then the lot."""
    points, won = Counter[int](), Counter[int]()
    for each in meetings:
        if each.second is not None:
            for entrant, half in zip((each.first, each.second), each.half_points, strict=True):
                points[entrant] += half
                won[entrant] += half > sum(each.half_points) - half

    def mutual(entrant: int) -> int:
        return sum(
            each.half_points[entrant == each.second]
            for each in meetings
            if entrant in (each.first, each.second)
            and each.second is not None
            and points[each.first] == points[each.second]
        )

    return sorted(
        entrants, key=lambda one: (-points[one], -mutual(one), -won[one], derive(seed, "lot", one), one)
    )


class Groups(Eliminating):
    """Round robins in `groups`, `cycles` each, of which the best `qualifiers` go on to a bracket.

    Who is the best of a group is found `by_points`, or as `ordered_by` was told.
    """

    groups: Annotated[int, Field(ge=1, le=64)] = 2
    qualifiers: Annotated[int, Field(ge=1, le=64)] = 2
    cycles: Cycles = 1
    _order: Order | None = PrivateAttr(default=None)

    def ordered_by(self, order: Order) -> Self:
        """The same format with another order in the groups, such as a published chain of tie-breaks."""
        copied = self.model_copy()
        copied._order = order  # noqa: SLF001  (its own)
        return copied

    @property
    def drawn(self) -> int:
        """See `Format`."""
        return self._drawn(self.openings * self.cycles)

    def check(self, entrants: int) -> None:
        """See `Format`."""
        smallest = entrants // self.groups
        if smallest < max(2, self.qualifiers):
            raise FormatError(
                "%(entrants)s entrants in %(groups)s groups leave a group with %(smallest)s, and each needs "
                "%(least)s; make fewer groups or let fewer qualify",
                entrants=entrants,
                groups=self.groups,
                smallest=smallest,
                least=max(2, self.qualifiers),
            )
        if self.groups * self.qualifiers < 2:
            raise FormatError("a bracket needs two entrants or more; make more groups or let more qualify")

    def extent(self, entrants: int) -> Extent:
        """See `Format`."""
        self.check(entrants)
        large = entrants % self.groups
        sizes = [entrants // self.groups + (group < large) for group in range(self.groups)]
        each = [self._robin.extent(size) for size in sizes]
        length, games = max(one.rounds_most for one in each), sum(one.games_most for one in each)
        last = extent_of(self.groups * self.qualifiers, self._rules(0))
        return Extent(*(a + b for a, b in zip(last, (length, length, games, games), strict=True)))

    def in_advance(self, entrants: Sequence[Entrant], number: int, seed: int) -> bool:
        """See `Format`."""
        return number <= self._length(self.divided(entrants, seed))

    def takes_late(self, entrants: Sequence[Entrant], number: int, seed: int) -> bool:
        """See `Format`; until the bracket's first round is paired."""
        return number <= self._length(self.divided(entrants, seed)) + 1

    def next_round(
        self,
        entrants: Sequence[Entrant],
        meetings: Iterable[Meeting],
        number: int,
        seed: int,
    ) -> tuple[Pairing, ...] | None:
        """See `Format`."""
        tables = [self._robin.rounds(group, number - 1) for group in self.divided(entrants, seed)]
        coming = [next(table, None) for table in tables]
        if any(coming):
            return tuple(
                pairing._replace(phase=letters(group))
                for group, its_round in enumerate(coming)
                if its_round is not None and its_round[0] == number
                for pairing in its_round[1]
            )
        return self._bracket(entrants, list(meetings), number, seed).next_round(seed)

    def places(
        self,
        entrants: Sequence[Entrant],
        meetings: Iterable[Meeting],
        seed: int,
    ) -> tuple[tuple[int, ...], ...] | None:
        """See `Format`; None while the groups play. Who did not qualify follows by the place in its group.

        The others move up for who was disqualified, who is told last.
        """
        seen = list(meetings)
        groups = self.divided(entrants, seed)
        if not self._over(groups, seen):
            return None
        bracket = self._bracket(entrants, seen, after(seen), seed).places()
        placed = {each for tier in bracket for each in tier}
        out = {each.number for each in entrants if each.disqualified} - placed
        lines = [[each for each in line if each not in out] for line in self._lines(groups, seen, seed)]
        tiers = [{*tier} - placed for tier in zip_longest(*lines)]
        rest = [tuple(sorted(each for each in tier if each is not None)) for tier in (*tiers, out)]
        return *bracket, *(tier for tier in rest if tier)

    def tree(
        self, entrants: Sequence[Entrant], meetings: Iterable[Meeting], seed: int
    ) -> list[list[Decided]] | None:
        """See `Format`; None while the groups play."""
        seen = list(meetings)
        if not self._over(self.divided(entrants, seed), seen):
            return None
        return self._bracket(entrants, seen, after(seen), seed).tree()

    def group_tables(
        self, entrants: Sequence[Entrant], meetings: Iterable[Meeting], seed: int
    ) -> dict[str, Sequence[int]]:
        """The entrants of every group by its letter, best first by the games so far."""
        groups = self.divided(entrants, seed)
        lines = self._lines(groups, list(meetings), seed)
        return {letters(group): line for group, line in enumerate(lines)}

    def divided(self, entrants: Sequence[Entrant], seed: int) -> list[list[Entrant]]:
        """The groups, by snake seeding: the first group has the 1st, the last and so on.

        Who joins before the bracket comes to the smallest group; who would come later is in none.
        """
        known = {each.number: each for each in in_order(entrants)}
        starting = ranked((each.number for each in known.values() if each.joined <= 1), self.seeding, seed)
        groups: list[list[Entrant]] = [[] for _ in range(self.groups)]
        for rank, number in enumerate(starting):
            row, place = divmod(rank, self.groups)
            groups[place if row % 2 == 0 else self.groups - 1 - place].append(known[number])
        late = sorted((each for each in known.values() if each.joined > 1), key=attrgetter("joined"))
        for joined, batch in groupby(late, key=attrgetter("joined")):
            if joined > self._length(groups) + 1:
                break
            for each in batch:
                min(groups, key=partial(_present, round_number=joined)).append(each)
        return groups

    @property
    def _robin(self) -> RoundRobin:
        return RoundRobin(openings=self.openings, cycles=self.cycles)

    def _length(self, groups: list[list[Entrant]]) -> int:
        """The number of the groups' last round."""
        return max(self._robin.length(group) for group in groups)

    def _over(self, groups: list[list[Entrant]], meetings: list[Meeting]) -> bool:
        """Whether everybody has met everybody in the groups: a later round may end before an earlier one."""
        met = {(each.round, each.first, each.second) for each in meetings}
        return all(
            (number, each.first, each.second) in met
            for group in groups
            for number, pairings in self._robin.rounds(group)
            for each in pairings
        )

    def _lines(self, groups: list[list[Entrant]], meetings: list[Meeting], seed: int) -> list[Sequence[int]]:
        """The entrants of every group, best first."""
        by_group: list[list[Meeting]] = [
            [each for each in meetings if each.phase == letters(group)] for group in range(len(groups))
        ]
        order = self._order or by_points
        return [
            order([each.number for each in group], played, seed)
            for group, played in zip(groups, by_group, strict=True)
        ]

    def _bracket(
        self, entrants: Sequence[Entrant], meetings: list[Meeting], number: int, seed: int
    ) -> Bracket:
        groups = self.divided(entrants, seed)
        start = self._length(groups) + 1
        gone = {each.number for each in entrants if each.has_left(start)}
        lines = self._lines(groups, meetings, seed)
        qualified = [[each for each in line if each not in gone][: self.qualifiers] for line in lines]
        names = {letters(group) for group in range(self.groups)}
        played = [each for each in meetings if each.phase not in names]
        rules = self._rules(self.openings * self.cycles)
        return Bracket(spread(qualified), entrants, played, number, rules)


def spread(groups: Sequence[Sequence[int]]) -> list[int]:
    """The seeds of a bracket from the qualified of every group, best first: winners, seconds and so on.

    Mates of a group are put as far apart as the tree allows, the first two of it into opposite halves.
    """
    levels = [
        [group for group, line in enumerate(groups) if len(line) > level]
        for level in range(max(map(len, groups)))
    ]
    total = sum(map(len, levels))
    leaf = {seed: at for at, seed in enumerate(slots_of(range(1, total + 1))) if seed}
    given: dict[int, list[int]] = defaultdict(list)
    seeds: list[int] = []
    for level, waiting in enumerate(levels):
        places = [leaf[len(seeds) + 1 + at] for at in range(len(waiting))]
        taken = _apart(places, waiting, given)
        for place, group in zip(places, taken, strict=True):
            given[group].append(place)
            seeds.append(groups[group][level])
    return seeds


def _apart(places: list[int], groups: list[int], given: dict[int, list[int]]) -> list[int]:
    """Groups for the places, so that mates meet late: the assignment with the least price, else in order."""
    tall = max(places, default=0).bit_length()
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
    graph.add_nodes_from([None] * (2 * len(places)))
    for at, place in enumerate(places):
        for rank, group in enumerate(groups):
            early = sum(64 ** (tall - (place ^ mate).bit_length()) for mate in given[group])
            price = early * ORDER + (at - rank) ** 2
            graph.add_edge(at, len(places) + rank, 64 ** (tall + 1) * ORDER - price)
    assignment = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [groups[rank - len(places)] for _, rank in sorted((min(two), max(two)) for two in assignment)]


def letters(group: int) -> str:
    """A, B, …, Z, AA, AB and so on, from group 0."""
    return (letters(group // 26 - 1) if group >= 26 else "") + chr(ord("A") + group % 26)


def _present(group: list[Entrant], round_number: int) -> int:
    return sum(not each.has_left(round_number) for each in group)
