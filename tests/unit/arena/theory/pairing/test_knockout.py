"""Knockouts: how many games and which openings, and who is seeded where."""

from __future__ import annotations

import pytest

from arena.theory.pairing.contract import Entrant, Meeting, Pairing
from arena.theory.pairing.formats import find_format
from tests.conformance.formats import entrants


def _first(options: dict[str, object], openings: int = 0) -> Pairing:
    (pairing,) = find_format("knockout", options, openings).next_round(entrants(2), (), 1, 0) or ()
    return pairing


def test_a_pairing_is_as_many_games_as_the_openings_ask_for() -> None:
    """One game without openings, six games with three; tie-breaks draw openings of their own."""
    assert _first({})[3:] == (1, ())
    assert _first({}, 3)[3:] == (6, range(1, 4))
    assert find_format("knockout", {}, 3).drawn == 6
    assert find_format("knockout", {"tie_breaks": 0}).drawn == 0


def test_best_of_three_has_an_opening_for_every_two_games() -> None:
    """Three games: two from the first opening, one from the second; without openings, none."""
    assert _first({"best_of": 3}, 1)[3:] == (3, range(1, 3))
    assert _first({"best_of": 3})[3:] == (3, ())
    assert find_format("knockout", {"best_of": 3}, 1).drawn == 5


def test_the_lot_seeds_instead_of_the_numbers() -> None:
    """Another seed gives another bracket if lots are drawn, and the same one if not."""
    drawn = [
        find_format("knockout", {"seeding": "lot"}).next_round(entrants(8), (), 1, seed) for seed in (1, 2)
    ]
    assert {frozenset(each[:2]) for each in drawn[0] or ()} != {
        frozenset(each[:2]) for each in drawn[1] or ()
    }
    plain = [find_format("knockout").next_round(entrants(8), (), 1, seed) for seed in (1, 2)]
    assert {frozenset(each[:2]) for each in plain[0] or ()} == {
        frozenset(each[:2]) for each in plain[1] or ()
    }


def test_nobody_can_join_when_it_has_begun() -> None:
    """A bracket takes nobody later, and who joined all the same is not in it."""
    fmt = find_format("knockout")
    assert fmt.takes_late(entrants(4), 1, 0)
    assert not fmt.takes_late(entrants(4), 2, 0)
    known = [*entrants(4), Entrant(5, joined=2)]
    assert fmt.next_round(known, (), 1, 0) == fmt.next_round(entrants(4), (), 1, 0)


@pytest.mark.parametrize(("left", "other"), [(1, 4), (4, 1)])
def test_who_left_a_level_pairing_does_not_go_on(left: int, other: int) -> None:
    """With no tie-break to come the one who is still there goes on, whoever is the better seed."""
    fmt = find_format("knockout", {"best_of": 2, "tie_breaks": 0})
    known = [each._replace(left=2) if each.number == left else each for each in entrants(4)]
    met = [
        Meeting(1, 1, 4, (2, 2), games=2, phase="semi-final"),
        Meeting(1, 2, 3, (4, 0), games=2, phase="semi-final"),
    ]
    final = fmt.next_round(known, met, 2, 0)
    assert final is not None
    assert {final[0].first, final[0].second} == {2, other}


def test_the_better_seed_of_a_level_pairing_goes_on_and_may_leave_later() -> None:
    """Who leaves a stage later has still won the one before."""
    fmt = find_format("knockout", {"best_of": 2, "tie_breaks": 0})
    met = [
        Meeting(1, 1, 4, (2, 2), games=2, phase="semi-final"),
        Meeting(1, 2, 3, (4, 0), games=2, phase="semi-final"),
        Meeting(2, 1, 2, (0, 4), games=2, phase="final"),
    ]
    known = [each._replace(left=3) if each.number == 1 else each for each in entrants(4)]
    assert fmt.places(known, met, 0) == ((2,), (1,), (3, 4))
