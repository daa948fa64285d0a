"""The class Swiss, against the best of all ways found by trying them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.theory.pairing import matching
from arena.theory.pairing.contract import Entrant, Kind, Meeting
from arena.theory.pairing.formats import find_format
from arena.theory.pairing.record import Record, records


def _played(count: int, rounds: int, chance: Random) -> list[Meeting]:
    """Random pairings with random results."""
    meetings = []
    for number in range(1, rounds + 1):
        order = chance.sample(range(1, count + 1), count)
        for one, other in zip(order[::2], order[1::2], strict=False):
            half = chance.choice((0, 1, 2))
            meetings.append(Meeting(number, one, other, (half, 2 - half)))
        if count % 2:
            meetings.append(Meeting(number, order[-1], None, (2, 0), 1, Kind.BYE))
    return meetings


def _playing(count: int, meetings: list[Meeting], number: int) -> list[Record]:
    found = records(range(1, count + 1), meetings, number).values()
    return sorted(found, key=lambda each: (-each.half_points, each.rank))


def _ways(numbers: list[int]) -> Iterator[list[tuple[int, int | None]]]:
    """All ways to pair everybody, 0 being the bye."""
    if not numbers:
        yield []
        return
    first, *rest = numbers
    for other in rest:
        for way in _ways([each for each in rest if each != other]):
            yield [(first, other or None), *way]


def _price(way: list[tuple[int, int | None]], playing: list[Record]) -> tuple[int, int, int, int]:
    """Repeats and second byes; the bye's place from below; broken rules of seats; squares of points apart."""
    by_number = {each.number: each for each in playing}
    again = bye = seats = points = 0
    for one, other in way:
        mine = by_number[one]
        if other is None:
            again += mine.free
            bye += len(playing) - 1 - playing.index(mine)
            continue
        theirs = by_number[other]
        again += other in mine.opponents
        seats += min((not mine.may_sit(seat)) + (not theirs.may_sit(-seat)) for seat in (1, -1))
        points += (mine.half_points - theirs.half_points) ** 2
    return again, bye, seats, points


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 8), st.integers(0, 6), st.integers(0, 2**32))
def test_no_other_way_is_better(count: int, rounds: int, seed: int) -> None:
    """Of all ways to pair a small field, none has a better price in the four weightiest aims."""
    playing = _playing(count, _played(count, rounds, Random(seed)), rounds + 1)
    numbers = [each.number for each in playing] + [0] * (count % 2)
    best = min(_price(way, playing) for way in _ways(numbers))
    assert _price(matching.pair(playing, rounds + 1, seed), playing) == best


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 8), st.integers(0, 4), st.integers(0, 2**32), st.sampled_from([130, 1000, 16_000]))
def test_many_points_are_compared_to_the_last_half(count: int, rounds: int, seed: int, most: int) -> None:
    """With 40 openings a round is worth 80 points: squares of differences are the least there are."""
    chance = Random(seed)
    playing = _playing(count, _played(count, rounds, chance), rounds + 1)
    for each in playing:
        each.half_points = chance.randint(0, most)
    playing.sort(key=lambda each: (-each.half_points, each.rank))
    numbers = [each.number for each in playing] + [0] * (count % 2)
    best = min(_price(way, playing) for way in _ways(numbers))
    assert _price(matching.pair(playing, rounds + 1, seed), playing) == best


def test_squares_are_not_taken_in_steps() -> None:
    """1000 meets 993 and 992 meets 985: 7² + 7² is less than 8² + 8², and both are within one step of 8."""
    playing = [
        Record(number, number, half) for number, half in enumerate((1000, 993, 992, 985, 0, 0), start=1)
    ]
    pairs = {frozenset(pair) for pair in matching.pair(playing, 1, 0)}
    assert pairs == {frozenset((1, 2)), frozenset((3, 4)), frozenset((5, 6))}


@pytest.mark.parametrize("count", [200, 500])
def test_a_large_field_begins_in_the_order_of_its_halves(count: int) -> None:
    """In the first round of many, too, each of the upper half meets the one opposite."""
    pairs = matching.pair(_playing(count, [], 1), 1, 3)
    assert {frozenset(pair) for pair in pairs} == {
        frozenset((number, number + count // 2)) for number in range(1, count // 2 + 1)
    }


def test_the_widest_points_of_the_largest_field_fit_into_a_weight() -> None:
    """Somebody with all points of a hundred rounds of 80 games, somebody with none, all others between."""
    playing = _playing(matching.MAX_ENTRANTS, [], 1)
    for each in playing:
        each.half_points = 8_000
    playing[0].half_points, playing[-1].half_points = 16_000, 0
    rough = matching._Field(playing, 1, 0)
    assert rough.is_rough
    ends = [(0, 1), *((at, at + 1) for at in range(2, len(playing), 2))]
    exact = rough.exactly(ends)
    assert not exact.is_rough
    assert sum(exact._widths) + 2 < 127


def test_the_upper_half_meets_the_lower_half() -> None:
    """In the first round of eight, 1 meets 5, 2 meets 6 and so on, and first moves alternate."""
    pairings = find_format("swiss").next_round([Entrant(number) for number in range(1, 9)], (), 1, 5) or ()
    assert [{each.first, each.second} for each in pairings] == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    assert [each.first < (each.second or 0) for each in pairings] in ([True, False] * 2, [False, True] * 2)


def test_the_bye_goes_to_the_lowest_who_had_none() -> None:
    """Seven entrants, the last of whom had the bye: the one before has it now."""
    meetings = [
        *(Meeting(1, 1, 4, (2, 0)), Meeting(1, 2, 5, (2, 0)), Meeting(1, 3, 6, (2, 0))),
        Meeting(1, 7, None, (2, 0), 1, Kind.BYE),
    ]
    pairings = (
        find_format("swiss").next_round([Entrant(number) for number in range(1, 8)], meetings, 2, 1) or ()
    )
    assert [each.first for each in pairings if each.second is None] == [6]


@pytest.mark.parametrize("seed", range(3))
def test_a_large_field_is_paired_among_neighbours_as_well_as_at_all(seed: int) -> None:
    """Above the limit only near pairs are weighed; the weightiest aims are met as well as with all."""
    count = matching.ALL + 13
    playing = _playing(count, _played(count, 3, Random(seed)), 4)
    near = matching.pair(playing, 4, seed)
    field = matching._Field(playing, 4, seed)
    found = field.matched(count)
    assert found is not None
    whole = [field.seated(*pair) for pair in found]
    assert _price(near, playing) == _price(whole, playing)


def test_the_largest_field_can_be_weighed_and_a_larger_one_is_refused() -> None:
    """All costs of the worst round of the largest field fit into a weight, with two bits to spare."""
    fmt = find_format("swiss")
    fmt.check(matching.MAX_ENTRANTS)
    field = matching._Field(_playing(matching.MAX_ENTRANTS, [], 1), 1, 0)
    assert sum(field._widths) + 2 < 127
    with pytest.raises(ValueError, match="take groups"):
        fmt.check(matching.MAX_ENTRANTS + 1)


def test_if_nobody_new_is_near_others_are_looked_for() -> None:
    """A field in which all near ones have met is paired with those farther away."""
    count = 2 * matching.ALL
    playing = _playing(count, [], 1)
    for each in playing:
        apart = {other: abs(each.number - other) for other in range(1, count + 1) if other != each.number}
        opposite = (count // 2 - matching.NEAR, count // 2 + matching.NEAR)
        each.opponents |= {
            other for other, by in apart.items() if by <= 100 or opposite[0] <= by <= opposite[1]
        }
    pairs = matching.pair(playing, 1, 0)
    assert all(other is not None and other not in playing[one - 1].opponents for one, other in pairs)
