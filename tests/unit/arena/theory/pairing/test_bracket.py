"""Knockout trees: seedings that are standard, walkovers, third places and level pairings."""

from __future__ import annotations

from itertools import pairwise

import pytest

from arena.theory.pairing.bracket import Bracket, Rules, extent_of, slots_of, stage_name
from arena.theory.pairing.contract import Entrant, Extent, Kind, Meeting, Pairing

STANDARD = {
    8: [1, 8, 4, 5, 2, 7, 3, 6],
    16: [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11],
    32: [
        *[1, 32, 16, 17, 8, 25, 9, 24, 4, 29, 13, 20, 5, 28, 12, 21],
        *[2, 31, 15, 18, 7, 26, 10, 23, 3, 30, 14, 19, 6, 27, 11, 22],
    ],
}
"""The usual brackets, as tennis, basketball and chess draw them."""

PLAIN = Rules(1, 1, third_place=False, openings=(), fresh=(7,))
FOUR = [Entrant(number) for number in (1, 2, 3, 4)]


def _bracket(
    meetings: list[Meeting], entrants: list[Entrant] = FOUR, rules: Rules = PLAIN, number: int | None = None
) -> Bracket:
    coming = number or max((each.round for each in meetings), default=0) + 1
    return Bracket([each.number for each in entrants], entrants, meetings, coming, rules)


def _pairs(pairings: tuple[Pairing, ...] | None) -> list[tuple[set[int | None], str]]:
    return [({each.first, each.second}, each.phase) for each in pairings or ()]


def _won(round_number: int, winner: int, loser: int, phase: str) -> Meeting:
    return Meeting(round_number, winner, loser, (2, 0), 1, Kind.PLAYED, phase)


SEMI = [_won(1, 1, 4, "semi-final"), _won(1, 2, 3, "semi-final")]


@pytest.mark.parametrize("size", STANDARD)
def test_seeding_is_the_standard_one(size: int) -> None:
    """The leaves of 8, 16 and 32 are those that everybody prints."""
    assert slots_of(range(1, size + 1)) == STANDARD[size]


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32, 64])
def test_the_best_meet_as_late_as_possible(size: int) -> None:
    """If the better always wins, the best 2, 4, 8 are those left in the final, the semi-finals and so on."""
    slots = [each or 0 for each in slots_of(range(1, size + 1))]
    while len(slots) > 1:
        assert sorted(slots) == list(range(1, len(slots) + 1))
        assert all(sum(pair) == len(slots) + 1 for pair in zip(slots[::2], slots[1::2], strict=True))
        slots = [min(pair) for pair in zip(slots[::2], slots[1::2], strict=True)]


@pytest.mark.parametrize("size", range(2, 40))
def test_byes_go_to_the_best(size: int) -> None:
    """Whoever has nobody to play against in the first stage is better than all who have somebody."""
    slots = slots_of(range(1, size + 1))
    free = [
        one or other
        for one, other in zip(slots[::2], slots[1::2], strict=True)
        if one is None or other is None
    ]
    assert sorted(each or 0 for each in free) == list(range(1, len(free) + 1))
    assert len(slots) < 2 * size
    assert not any(one is other is None for one, other in pairwise(slots))


def test_stages_have_names() -> None:
    """The last three have names, the others are called by how many are left."""
    assert [stage_name(slots) for slots in (2, 4, 8, 16)] == [
        *("final", "semi-final", "quarter-final", "round-of-16")
    ]


def test_a_level_pairing_plays_on_alone_and_then_the_better_seed_wins() -> None:
    """One drawn semi-final: two games from a fresh opening, level again; the better seed is in the final."""
    meetings = [SEMI[1], Meeting(1, 1, 4, (1, 1), 1, Kind.PLAYED, "semi-final")]
    (again,) = _bracket(meetings).next_round(0) or ()
    assert {again.first, again.second} == {1, 4}
    assert again[2:] == ("semi-final tie-break 1", 2, (7,))
    meetings.append(Meeting(2, 4, 1, (2, 2), 2, Kind.PLAYED, "semi-final tie-break 1"))
    assert _pairs(_bracket(meetings).next_round(0)) == [({1, 2}, "final")]


def test_a_tie_break_decides() -> None:
    """Who wins the further pair of games goes on, whatever the seeds."""
    meetings = [
        SEMI[1],
        Meeting(1, 1, 4, (1, 1), 1, Kind.PLAYED, "semi-final"),
        Meeting(2, 4, 1, (3, 1), 2, Kind.PLAYED, "semi-final tie-break 1"),
    ]
    assert _pairs(_bracket(meetings).next_round(0)) == [({2, 4}, "final")]


def test_losers_of_the_semi_finals_play_for_the_third_place() -> None:
    """They play in the round of the final; the four places follow from both."""
    rules = PLAIN._replace(third_place=True)
    bracket = _bracket(SEMI, rules=rules)
    assert _pairs(bracket.next_round(0)) == [({3, 4}, "third-place"), ({1, 2}, "final")]
    assert bracket.places() == ((1, 2), (3, 4))
    over = [*SEMI, _won(2, 4, 3, "third-place"), _won(2, 2, 1, "final")]
    assert _bracket(over, rules=rules).next_round(0) is None
    assert _bracket(over, rules=rules).places() == ((2,), (1,), (4,), (3,))


def test_without_a_third_place_the_losers_share_it() -> None:
    """Both losers of the semi-finals are third."""
    assert _bracket([*SEMI, _won(2, 1, 2, "final")]).places() == ((1,), (2,), (3, 4))


def test_who_has_left_loses_by_walkover() -> None:
    """The other one goes on without a game, and so does whoever would meet one who left after winning."""
    left = [*FOUR[:3], Entrant(4, left=1)]
    first = _bracket([], left).next_round(0) or ()
    assert Pairing(1, None, "semi-final") in first
    assert _pairs(first) == [({1, None}, "semi-final"), ({2, 3}, "semi-final")]
    gone = [Entrant(1, left=2), *FOUR[1:]]
    assert _bracket(SEMI, gone).next_round(0) is None
    assert _bracket(SEMI, gone).places()[:2] == ((2,), (1,))


def test_of_two_who_left_who_stayed_longer_goes_on() -> None:
    """A tie between two who are gone does not hold up the others."""
    entrants = [Entrant(1, left=2), FOUR[1], FOUR[2], Entrant(4, left=1)]
    meetings = [Meeting(1, 1, None, (0, 0), 1, Kind.BYE, "semi-final"), SEMI[1]]
    assert _bracket(meetings, entrants).next_round(0) is None
    assert _bracket(meetings, entrants).places() == ((2,), (1,), (3, 4))


def test_a_pairing_whose_games_were_called_off_is_played_again() -> None:
    """A stage waits for the pairing that has no meeting."""
    assert _pairs(_bracket([SEMI[1]]).next_round(0)) == [({1, 4}, "semi-final")]


def test_first_moves_are_shared() -> None:
    """Who began in the semi-final does not in the final if the other did not, whatever the lot."""
    meetings = [_won(1, 1, 4, "semi-final"), Meeting(1, 3, 2, (0, 2), 1, Kind.PLAYED, "semi-final")]
    for seed in range(8):
        (final,) = _bracket(meetings).next_round(seed) or ()
        assert (final.first, final.second) == (2, 1)


def test_its_extent_counts_tie_breaks() -> None:
    """Five entrants: three stages, four ties and one for the third place, each of three games or two more."""
    rules = Rules(3, 1, third_place=True, openings=(), fresh=(1,))
    assert extent_of(5, rules) == Extent(3, 6, 15, 25)
