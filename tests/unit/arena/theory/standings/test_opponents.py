"""Buchholz and Sonneborn-Berger against published tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from arena.theory.pairing.contract import Entrant, Kind, Meeting
from arena.theory.standings.field import Field
from arena.theory.standings.opponents import adjusted_scores, buchholz, sonneborn_berger
from tests.unit.arena.theory.standings.published import MANY_UNPLAYED, ROUND_ROBIN, SWISS_OF_5, field

SERVER = {
    1: (26.0, 24.0, 21.5, 19.0, 4.0, 14.0),
    2: (27.5, 23.5, 21.0, 18.5, 4.0, 14.0),
    3: (25.5, 22.0, 18.5, 17.5, 4.5, 14.25),
    4: (16.0, 14.5, 12.0, 12.0, 2.5, 6.0),
    5: (25.5, 24.0, 21.0, 19.5, 5.0, 17.5),
    6: (23.5, 21.0, 18.5, 16.5, 2.5, 7.0),
    7: (25.0, 22.5, 20.0, 17.5, 3.0, 9.25),
    8: (17.5, 15.5, 13.5, 11.5, 2.0, 4.75),
    9: (27.0, 23.5, 20.0, 18.5, 4.5, 16.75),
    10: (20.5, 18.0, 14.5, 13.5, 3.5, 9.25),
    11: (22.5, 20.0, 18.5, 15.0, 4.5, 13.5),
    12: (24.5, 21.0, 17.5, 17.5, 4.5, 14.0),
    13: (20.5, 19.0, 17.5, 14.0, 1.5, 3.25),
    14: (21.0, 17.5, 15.5, 13.0, 3.5, 8.25),
    15: (21.5, 20.0, 17.5, 15.5, 2.5, 5.25),
}
"""What the FIDE tie-break server prints by the rules of March 2026 as BH, BH/C1, BH/C2, BH/M1, ABH and SB."""


def _told(found: Mapping[int, Any]) -> Mapping[int, Any]:
    """The values, none of which is missing where no means are taken."""
    assert None not in found.values()
    return found


def test_every_kind_of_unplayed_round_counts_as_on_the_tie_break_server() -> None:
    """Buchholz, its cuts, adjusted scores and Sonneborn-Berger are the tie-break server's, for everybody."""
    found = field(MANY_UNPLAYED)
    columns = (
        (buchholz(found), 2),
        (buchholz(found, lowest=1), 2),
        (buchholz(found, lowest=2), 2),
        (buchholz(found, lowest=1, highest=1), 2),
        (adjusted_scores(found), 2),
        (sonneborn_berger(found), 4),
    )
    assert {
        number: tuple(_told(values)[number] / units for values, units in columns) for number in found.records
    } == SERVER


@pytest.mark.parametrize(
    ("lowest", "expected"),
    [
        (0, {1: 12.5, 2: 13, 3: 15.5, 4: 14, 5: 8.5, 7: 14.5, 8: 13.5, 10: 13, 11: 12.5, 16: 12.5}),
        (1, {1: 11, 2: 12, 3: 13, 5: 7.5, 7: 12.5, 8: 12, 10: 11.5, 11: 11, 13: 12, 15: 11, 16: 11}),
    ],
)
def test_fides_exercises_in_buchholz(lowest: int, expected: dict[int, float]) -> None:
    """The answers to Held's exercises 1 to 8, those to unplayed rounds as the rules of 2026 change them."""
    found = buchholz(field(SWISS_OF_5), lowest=lowest)
    assert {number: _told(found)[number] / 2 for number in expected} == expected


def test_fides_exercises_in_sonneborn_berger() -> None:
    """The answers to Held's exercise 12, for 4, 6 and 11 as the rules of 2026 change them."""
    expected = dict(
        zip(
            range(1, 17),
            (8, 9.5, 10.5, 9.25, 4.25, 6, 3.25, 5.25, 2.25, 1.5, 4.75, 4, 4.25, 4.5, 3.5, 7.25),
            strict=True,
        )
    )
    found = sonneborn_berger(field(SWISS_OF_5))
    assert {number: value / 4 for number, value in _told(found).items()} == expected


def test_in_a_round_robin_forfeits_count_against_the_scheduled_opponent() -> None:
    """The answers to Held's exercise 14, in which 5 forfeits against 6 without a game."""
    found = sonneborn_berger(field(ROUND_ROBIN, swiss=False))
    assert [_told(found)[number] / 4 for number in range(1, 7)] == [9.25, 6.25, 6.25, 4.25, 3.25, 2.25]


@pytest.mark.parametrize(("swiss", "expected"), [(False, 6 + 2), (True, 2 + 0)])
def test_only_in_a_swiss_does_a_cut_take_a_forfeit_before_the_lowest(swiss: bool, expected: int) -> None:
    """Where all pairings were fixed a forfeit counts as played, and the cut takes the weakest opponent."""
    games = [
        Meeting(1, 1, 2, (0, 2), 1, Kind.FORFEIT),
        Meeting(1, 3, 4, (2, 0)),
        Meeting(2, 1, 3, (2, 0)),
        Meeting(2, 2, 4, (2, 0)),
        Meeting(3, 1, 4, (2, 0)),
        Meeting(3, 2, 3, (2, 0)),
    ]
    found = Field.of([Entrant(number) for number in range(1, 5)], games, swiss=swiss)
    assert found.half_points == {1: 4, 2: 6, 3: 2, 4: 0}
    assert buchholz(found, lowest=1)[1] == expected


def _withdrawn() -> Field:
    """A round robin of five in which 5 left after a round; whoever should have met it had a bye."""
    games = [
        *((1, 2, 5, 2), (1, 3, 4, 1), (2, 1, 2, 2), (3, 1, 3, 2)),
        *((4, 2, 3, 2), (4, 1, 4, 1), (5, 4, 2, 2)),
    ]
    played = [Meeting(round_, one, other, (made, 2 - made)) for round_, one, other, made in games]
    byes = [Meeting(round_, number, None, (2, 0), 1, Kind.BYE) for round_, number in
            ((1, 1), (5, 1), (3, 2), (2, 3), (5, 3), (2, 4), (3, 4))]  # fmt: skip
    return Field.of([Entrant(number) for number in range(1, 6)], [*played, *byes], swiss=False)


def test_in_a_round_robin_rounds_without_an_opponent_add_nothing() -> None:
    """Sums of what opponents there were, and cuts that take all that an entrant has."""
    found = _withdrawn()
    scores = {number: made / 2 for number, made in found.half_points.items()}
    full = {number: value / 2 for number, value in _told(buchholz(found)).items()}
    assert full[5] == scores[2]
    assert full[1] == scores[2] + scores[3] + scores[4]
    assert full[2] == scores[5] + scores[1] + scores[3] + scores[4]
    assert buchholz(found, lowest=1)[5] == buchholz(found, lowest=5)[2] == 0
    assert _told(buchholz(found, lowest=1, highest=1))[1] / 2 == sorted((scores[2], scores[3], scores[4]))[1]


def test_pairings_of_several_games_weigh_by_what_was_made() -> None:
    """Two games a round: a drawn pairing against 3 points gives 3, and a whole bye is worth two games."""
    games = [
        Meeting(1, 1, 2, (3, 1), 2),
        Meeting(1, 3, None, (4, 0), 1, Kind.BYE),
        Meeting(2, 1, 3, (2, 2), 2),
        Meeting(2, 2, None, (4, 0), 1, Kind.BYE),
    ]
    found = Field.of([Entrant(1), Entrant(2), Entrant(3)], games, swiss=True)
    assert found.half_points == {1: 5, 2: 5, 3: 6}
    assert sonneborn_berger(found) == {1: 3 * 5 + 2 * 6, 2: 1 * 5 + 4 * 4, 3: 4 * 4 + 2 * 5}
    assert buchholz(found) == {1: 11, 2: 9, 3: 9}
