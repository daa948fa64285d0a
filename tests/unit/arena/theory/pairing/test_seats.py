"""Seats that are as even as can be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.theory.pairing.seats import Pair, evened

PAIRS = st.lists(st.sampled_from(list(combinations(range(1, 7), 2))), unique=True, max_size=9)
LEADS = st.dictionaries(st.integers(1, 6), st.integers(-4, 4))


def _after(lead: dict[int, int], pairs: list[Pair]) -> Counter[int]:
    found = Counter(lead)
    for first, second in pairs:
        found[first] += 1
        found[second] -= 1
    return found


@given(lead=LEADS, pairs=PAIRS)
def test_no_way_to_seat_them_is_more_even(lead: dict[int, int], pairs: list[Pair]) -> None:
    """Of all ways to seat up to nine pairs none has a smaller greatest lead or a smaller sum of squares."""
    found = evened(lead, pairs)
    assert [frozenset(pair) for pair in found] == [frozenset(pair) for pair in pairs]
    there = {each for pair in pairs for each in pair}
    ways = []
    for turned in product((False, True), repeat=len(pairs)):
        way = [pair[::-1] if turn else pair for pair, turn in zip(pairs, turned, strict=True)]
        after = _after(lead, way)
        ways.append([abs(after[each]) for each in there])
    mine = [abs(_after(lead, found)[each]) for each in there]
    assert max(mine, default=0) == min(max(way, default=0) for way in ways)
    assert sum(each**2 for each in mine) == min(sum(each**2 for each in way) for way in ways)


def test_a_whole_chain_is_turned() -> None:
    """1 is ahead and 4 behind; neither meets the other, but those between pass it on."""
    found = evened({1: 2, 4: -2, 2: 0, 3: 0}, [(1, 2), (2, 3), (3, 4)])
    assert found == [(2, 1), (3, 2), (4, 3)]


def test_pairs_are_turned_only_where_that_helps() -> None:
    """Seats that are even as they are told stay; so does who cannot be helped."""
    circle = [(1, 2), (2, 3), (3, 1)]
    assert evened({}, circle) == circle
    assert evened({1: 5}, [(2, 3)]) == [(2, 3)]


@pytest.mark.parametrize("count", [3, 40, 301])
def test_many_are_seated_evenly(count: int) -> None:
    """Everybody against everybody, told with the lower one first: no lead is above 1."""
    after = _after({}, evened({}, combinations(range(count), 2)))
    assert max(map(abs, after.values())) == (count + 1) % 2
