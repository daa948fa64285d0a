"""From entries to matches."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from arena.pairing.schedule import CYCLES, schedule

FORMATS = st.sampled_from(list(CYCLES))


def test_a_class_has_224_games() -> None:
    """Eight bots, double round robin, two openings: 224 games; single: 112; double without openings: 56."""
    bots = range(8)
    assert len(list(schedule(bots, "double_round_robin", 2))) == 224
    assert len(list(schedule(bots, "round_robin", 2))) == 112
    assert len(list(schedule(bots, "double_round_robin", 0))) == 56


@given(st.integers(2, 9), FORMATS, st.integers(1, 4))
def test_every_opening_is_played_from_both_seats(bots: int, fmt: str, openings: int) -> None:
    """Each ordered pair plays each opening of every cycle just once: no game is planned twice."""
    met = Counter(
        (each.first, each.second, each.opening_number) for each in schedule(range(bots), fmt, openings)
    )
    assert set(met.values()) == {1}
    assert len(met) == bots * (bots - 1) * openings * CYCLES[fmt]
    assert {opening for *_, opening in met} == set(range(1, openings * CYCLES[fmt] + 1))


@given(st.integers(2, 9), st.integers(1, 4))
def test_every_cycle_has_openings_of_its_own(bots: int, openings: int) -> None:
    """The first half of a double round robin plays the first openings, the second half the others."""
    planned = list(schedule(range(bots), "double_round_robin", openings))
    half = len(planned) // 2
    assert all(each.opening_number <= openings for each in planned[:half])
    assert all(each.opening_number > openings for each in planned[half:])


@given(st.integers(2, 9), FORMATS, st.integers(0, 3))
def test_numbers_count_up_and_rounds_never_fall(bots: int, fmt: str, openings: int) -> None:
    """Matches are numbered from 1 in the order they are planned, round after round."""
    planned = list(schedule(range(bots), fmt, openings))
    assert [each.number for each in planned] == list(range(1, len(planned) + 1))
    rounds = [each.round for each in planned]
    assert rounds == sorted(rounds)
    assert rounds[0] == 1


def test_the_schedule_is_never_held_whole() -> None:
    """The first matches of a million come at once."""
    first = list(islice(schedule(range(2000), "double_round_robin", 1000), 3))
    assert [each.number for each in first] == [1, 2, 3]
