"""Who begins: seats that come out as even as pairs allow."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

Pair = tuple[int, int]
"""Two who meet, the one with the first move first."""


def evened(lead: Mapping[int, int], pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs, some of them turned, so that seats are as even as they can be.

    `lead` says how much oftener everybody had the first seat than the second before; who is not in it had
    both as often. No other way to seat the pairs has a smaller greatest lead, nor a smaller sum of squares:
    what differs between two ways are chains of pairs, each of which takes two from the lead of one and gives
    them to another, and none is left here that leads to somebody whose lead is smaller by more than two.
    """
    seating = _Seating(lead)
    for pair in pairs:
        seating.add(pair)
    seating.improve()
    return seating.pairs()


class _Seating:
    """Pairs with their seats; `_below` are those against whom somebody begins, with the pairs' places."""

    def __init__(self, lead: Mapping[int, int]) -> None:
        self._lead = dict(lead)
        self._below: dict[int, dict[int, int]] = {}
        self._count = 0

    def add(self, pair: Pair) -> None:
        """Seat a further pair: who has begun less often begins; as told, if that does not tell."""
        first, second = pair
        if self._lead.setdefault(first, 0) > self._lead.setdefault(second, 0):
            first, second = second, first
        self._lead[first] += 1
        self._lead[second] -= 1
        self._below.setdefault(first, {})[second] = self._count
        self._below.setdefault(second, {})
        self._count += 1

    def improve(self) -> None:
        """Turn chains of pairs as long as that helps."""
        seated = sorted(self._below)
        helped = 1
        while helped:
            least = min((self._lead[each] for each in seated), default=0)
            high = [each for each in seated if self._lead[each] > least + 2]
            helped = sum(self._relieve(each) for each in high)

    def pairs(self) -> list[Pair]:
        """The pairs in the order in which they were added."""
        pairs = [(0, 0)] * self._count
        for first, others in self._below.items():
            for second, place in others.items():
                pairs[place] = first, second
        return pairs

    def _relieve(self, one: int) -> bool:
        """Turn the chain from one to whoever it reaches with the smallest lead, if that helps; whether."""
        before: dict[int, int] = {one: one}
        waiting = deque([one])
        while waiting:
            at = waiting.popleft()
            for other in self._below[at]:
                if other not in before:
                    before[other] = at
                    waiting.append(other)
        last = min(before, key=lambda each: (self._lead[each], each))
        if self._lead[one] - self._lead[last] <= 2:
            return False
        self._lead[one] -= 2
        self._lead[last] += 2
        while last != one:
            above = before[last]
            self._below[last][above] = self._below[above].pop(last)
            last = above
        return True
