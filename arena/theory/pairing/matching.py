"""A round of the class Swiss: the best of all ways to pair everybody, found as a matching in a graph.

Each of these aims outweighs all later ones together: nobody meets an opponent again, or has a second bye; the
bye goes to the lowest; nobody has the same seat three times in a row, or three times oftener than the other;
those who meet have about the same points (by the sum of squares); nobody floats the same way again; seats are
balanced; the upper half of those with equal points meets the lower half; the lot. The matching is by
J. Edmonds' algorithm, in the form of Z. Galil, *Efficient algorithms for finding maximum matching in graphs*,
ACM Computing Surveys 18 (1986) 23-38, as rustworkx has it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

import rustworkx

from arena.theory.pairing.record import Float, Record
from engines.stream import derive

Pair = tuple[int, int | None]

ALL = 128
"""Up to so many, every pair is weighed; of more, at first only those near each other."""

NEAR = 20
"""How far they may be apart in the order, or from the place opposite in the other half."""

MOST = 127
"""What a difference of points (at first) and the balance of seats count at most."""

LOTS = 16

MAX_ENTRANTS = 2_000
"""The sums of what so many pairs cost fit into the 128 bits that weights have."""


class Cost(NamedTuple):
    """What is wrong with a pair, the worst first."""

    again: int = 0
    bye: int = 0
    seats: int = 0
    points: int = 0
    floats: int = 0
    balance: int = 0
    distance: int = 0
    lot: int = 0


def pair(playing: Sequence[Record], number: int, seed: int) -> list[Pair]:
    """The pairs of round `number` among `playing`, who are in the order of their points, a bye last."""
    field = _Field(playing, number, seed)
    reach = len(playing) if len(playing) <= ALL else NEAR
    while (pairs := field.matched(reach)) is None:
        reach *= 4
    if field.is_rough:
        pairs = field.exactly(pairs).matched(reach) or pairs
    return [field.seated(one, other) for one, other in pairs]


class _Field:
    """Those who play, by their places in the order, from 0; the place after the last is that of the bye.

    Pairs are left out that alone cost more of something than the best way does in all, which is told by
    `bounds`; without these, differences of points are taken in units of which there are few enough.
    """

    def __init__(self, playing: Sequence[Record], number: int, seed: int, bounds: Cost | None = None) -> None:
        self._playing, self._number, self._seed = playing, number, seed
        self._points = [-each.half_points for each in playing]
        widest = self._points[-1] - self._points[0]
        self._unit = 1 if bounds else -(-widest // MOST) or 1
        count, pairs = len(playing), len(playing) // 2 + 1
        most = Cost(1, 0, 2, MOST**2, 10, MOST, count, LOTS)
        self._bounds = bounds or Cost(*(each * pairs for each in most))._replace(bye=count)
        self._widths = [each.bit_length() for each in self._bounds]

    @property
    def is_rough(self) -> bool:
        """Whether differences of points are not weighed to the half point."""
        return self._unit > 1

    def exactly(self, pairs: Iterable[tuple[int, int]]) -> _Field:
        """The same with exact differences of points, by what the best of the rough ways costs.

        What outweighs the points is as it must be in that way already, and their squares cannot add up to
        more in the best.
        """
        exact = _Field(self._playing, self._number, self._seed, self._bounds)
        totals = Cost(*map(sum, zip(*(exact._cost(*pair) for pair in pairs), strict=True)))
        exact._bounds = Cost(*totals[:4], *self._bounds[4:])
        exact._widths = [each.bit_length() for each in exact._bounds]
        return exact

    def matched(self, reach: int) -> list[tuple[int, int]] | None:
        """The best way, as places; None if not everybody found a new opponent so near."""
        count = len(self._playing)
        whole = reach >= count
        pairs = combinations(range(count), 2) if whole else self._near(reach)
        byes = ((one, count) for one in range(count * (count % 2)))
        costs = ((one, other, self._cost(one, other)) for one, other in chain(pairs, byes))
        edges = [(one, other, self._weight(cost)) for one, other, cost in costs if self._may_be(cost)]
        graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
        graph.add_nodes_from([None] * (count + count % 2))
        graph.add_edges_from(edges)
        matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
        if 2 * len(matching) < graph.num_nodes():
            return None
        return sorted((min(two), max(two)) for two in matching)

    def seated(self, one: int, other: int) -> Pair:
        """The one with the first move first; where nothing else tells, the initial order and the lot do."""
        if other == len(self._playing):
            return self._playing[one].number, None
        better, worse = self._playing[one], self._playing[other]
        for_better, for_worse = _seats(better, worse), _seats(worse, better)
        lot = (derive(self._seed, "initial colour") + better.rank) % 2 == 1
        if for_better < for_worse or (for_better == for_worse and lot):
            return better.number, worse.number
        return worse.number, better.number

    def _near(self, reach: int) -> Iterator[tuple[int, int]]:
        """Those who have not met and are near each other, or near the place opposite in the other half."""
        count = len(self._playing)
        for one in range(count):
            start, end = self._group(one)
            opposite = one + (end - start) // 2
            others = {*range(one + 1, one + 1 + reach), *range(opposite - reach // 2, opposite + reach // 2)}
            for other in sorted(others):
                if one < other < count and self._playing[other].number not in self._playing[one].opponents:
                    yield one, other

    def _group(self, one: int) -> tuple[int, int]:
        """The places of those with the same points: the first, and the one after the last."""
        points = self._points[one]
        return bisect_left(self._points, points), bisect_right(self._points, points)

    def _cost(self, one: int, other: int) -> Cost:
        return self._bye(one) if other == len(self._playing) else self._meeting(one, other)

    def _may_be(self, cost: Cost) -> bool:
        """Whether the best way can have such a pair."""
        return all(each <= bound for each, bound in zip(cost, self._bounds, strict=True))

    def _meeting(self, one: int, other: int) -> Cost:
        upper, lower = self._playing[one], self._playing[other]
        apart = upper.half_points - lower.half_points
        seats, balance = min(_seats(upper, lower), _seats(lower, upper))
        start, end = self._group(one)
        off = abs(other - one - (end - start) // 2) if apart == 0 else other - one
        return Cost(
            again=int(lower.number in upper.opponents),
            seats=seats,
            points=(apart // self._unit) ** 2,
            floats=_floating(upper, Float.DOWN) + _floating(lower, Float.UP) if apart else 0,
            balance=balance,
            distance=off,
            lot=derive(self._seed, "pair", self._number, upper.number, lower.number) % LOTS,
        )

    def _bye(self, one: int) -> Cost:
        record = self._playing[one]
        return Cost(
            again=int(record.free),
            bye=len(self._playing) - 1 - one,
            floats=_floating(record, Float.DOWN),
        )

    def _weight(self, cost: Cost) -> int:
        """One number, in which a later aim never makes up for an earlier one; the greater, the better."""
        total = 0
        for width, each in zip(self._widths, cost, strict=True):
            total = (total << width) + each
        return (1 << sum(self._widths)) - total


def _seats(first: Record, second: Record) -> tuple[int, int]:
    """What is wrong if the first has the first move: against how many rules, and how unbalanced."""
    against = (not first.may_sit(1)) + (not second.may_sit(-1))
    balance = (first.lead + 1) ** 2 + (second.lead - 1) ** 2
    again = (first.seats[-1:] == [1]) + (second.seats[-1:] == [-1])
    return against, min(MOST, 4 * balance + again)


def _floating(record: Record, way: Float) -> int:
    """How unwelcome another float that way is."""
    return 2 * (record.floats[-1:] == [way]) + min(3, record.floats.count(way))
