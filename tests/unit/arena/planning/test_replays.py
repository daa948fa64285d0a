"""Games that would be the same again are seen in a plan, and found among those recorded."""

from __future__ import annotations

from typing import Any

import pytest

from arena.planning.replays import Found, Offer, Played, identical, may_repeat, offer, repeated
from arena.theory.pairing.format import FormatError
from arena.theory.pairing.formats import find_format


@pytest.mark.parametrize(
    ("name", "options", "openings", "times"),
    [
        ("round_robin", {}, 0, 1),
        ("double_round_robin", {}, 0, 1),
        ("round_robin", {"cycles": 3}, 0, 2),
        ("round_robin", {"cycles": 4}, 1, 1),
        ("knockout", {"best_of": 5}, 0, 3),
        ("knockout", {"best_of": 5}, 1, 1),
        ("groups", {"best_of": 1, "cycles": 2}, 0, 1),
        ("gauntlet", {"heroes": (2,), "cycles": 6}, 0, 3),
    ],
)
def test_a_plan_tells_how_often_a_game_repeats(
    name: str, options: dict[str, Any], openings: int, times: int
) -> None:
    """Seats, opening and bots are the same so often, whatever the number of bots."""
    fmt = find_format(name, options, openings)
    assert [repeated(fmt, count) for count in (6, 40)] == [times, times]
    assert may_repeat(fmt, 6) == (times > 1)


def test_in_a_swiss_nobody_meets_twice_and_on_a_ladder_they_may() -> None:
    """A Swiss cannot repeat a game; of a ladder only what is recorded tells."""
    assert not may_repeat(find_format("swiss"), 8)
    assert may_repeat(find_format("ladder"), 8)
    assert offer(lambda openings: find_format("ladder", {}, openings), 8) is None


def test_openings_are_offered_with_what_they_cost() -> None:
    """One opening a cycle makes three cycles of single games six games a pairing."""
    assert offer(lambda openings: find_format("round_robin", {"cycles": 3}, openings), 4) == Offer(1, 36)


def test_groups_that_need_more_than_a_few_are_rehearsed_with_all() -> None:
    """Where a few bots cannot play the format at all, all of them do; too few of all is an error."""
    fmt = find_format("groups", {"groups": 8, "best_of": 3}, 0)
    assert repeated(fmt, 32) == 2
    with pytest.raises(FormatError):
        repeated(fmt, 9)


def test_identical_games_are_found_by_their_moves() -> None:
    """Only matches with the same bots, seats and opening are compared; those that differ are counted."""
    same, other = (1, 2, ()), (1, 2, ("c4",))
    played = [
        Played(5, same, ("a", "b")),
        Played(3, same, ("a", "b")),
        Played(4, same, ("a", "c")),
        Played(6, other, ("a", "b")),
        Played(8, (2, 1, ()), ("a", "b")),
        Played(9, (2, 1, ()), ("a", "d")),
    ]
    assert identical(played) == Found(((3, 5),), 1)
    assert identical([]) == Found((), 0)
