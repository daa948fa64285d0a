"""Whose work is given out next."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.coordinator.sharing import Turns, parts_of


@pytest.mark.parametrize(
    ("room", "waiting", "there", "parts"),
    [
        (4, {"a": 0, "b": 0}, {"a": 9, "b": 9}, {"a": 2, "b": 2}),
        (1, {"a": 0, "b": 0}, {"a": 9, "b": 9}, {"a": 1, "b": 0}),
        (1, {"a": 3, "b": 2}, {"a": 9, "b": 9}, {"a": 0, "b": 1}),
        (4, {"a": 3, "b": 0}, {"a": 9, "b": 9}, {"a": 1, "b": 3}),
        (4, {"a": 0, "b": 0}, {"a": 9, "b": 1}, {"a": 3, "b": 1}),
        (4, {"a": 0, "b": 0}, {"a": 0, "b": 2}, {"a": 0, "b": 2}),
        (0, {"a": 0}, {"a": 9}, {"a": 0}),
        (-1, {"a": 0}, {"a": 9}, {"a": 0}),
        (3, {}, {}, {}),
    ],
)
def test_all_have_as_many_waiting_as_may_be(
    room: int, waiting: dict[str, int], there: dict[str, int], parts: dict[str, int]
) -> None:
    """Each place goes to whoever has fewest waiting; what one has no use for is the others'."""
    assert parts_of(room, waiting, there) == parts
    assert Turns[str]().parts_of(room, waiting, there) == parts


@pytest.mark.parametrize(("places", "owners"), [(1, 3), (2, 3), (2, 5), (3, 3)])
def test_where_places_are_few_owners_take_turns(places: int, owners: int) -> None:
    """However few places are freed, whoever was given something the longest ago comes next."""
    turns, given = Turns[int](), Counter[int]()
    there = dict.fromkeys(range(owners), 100)
    for _ in range(10 * owners):
        given.update(turns.parts_of(places, dict.fromkeys(there, 0), there))
    assert {given[each] for each in there} == {10 * places}


def test_a_newcomer_comes_first() -> None:
    """Who was never given anything waits for nobody's turn; who is gone is forgotten."""
    turns = Turns[str]()
    there = {"a": 9, "b": 9}
    assert turns.parts_of(2, {"a": 0, "b": 0}, there) == {"a": 1, "b": 1}
    assert turns.parts_of(1, {"b": 0, "c": 0}, there | {"c": 9}) == {"b": 0, "c": 1}
    assert turns.parts_of(1, {"b": 0, "a": 0}, there) == {"b": 0, "a": 1}
