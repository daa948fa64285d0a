"""Progressive scores, Koya, ratings of opponents, the Brightwell quotient and lots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.theory.pairing.contract import Entrant, Kind, Meeting
from arena.theory.standings.field import Field
from arena.theory.standings.plain import Discs, average_rating, brightwell, full_byes, koya, lots, progressive
from tests.unit.arena.theory.standings.published import (
    MANY_UNPLAYED,
    ROUND_ROBIN,
    SWISS_OF_5,
    SWISS_OF_9,
    field,
)

RATINGS = {number: 2200 - 50 * (number - 1) for number in range(1, 17)}
"""Those of Held's players."""


def _in_points(halves: Mapping[int, Any]) -> list[float]:
    return [halves[number] / 2 for number in sorted(halves)]


def test_fides_exercise_in_progressive_scores() -> None:
    """The answers to Held's exercise 32."""
    assert _in_points(progressive(field(SWISS_OF_5))) == [
        *(11, 13, 11, 11.5, 5, 6, 6, 8.5),
        *(2.5, 4, 5.5, 7, 7, 6, 7, 10.5),
    ]


def test_the_tie_break_servers_progressive_scores_and_koya() -> None:
    """PS and KS as the FIDE tie-break server prints them, with byes and forfeits."""
    found = field(MANY_UNPLAYED)
    assert _in_points(progressive(found)) == [
        *(18, 16, 19.5, 7, 20, 11, 12.5, 7, 19, 11.5, 14, 18.5, 5.5, 12.5, 8),
    ]
    assert _in_points(koya(found)) == [2.5, 2, 2, 0, 3.5, 0.5, 0.5, 0.5, 2.5, 1, 1.5, 1, 0.5, 0, 1]


def test_fides_exercise_in_the_koya_system() -> None:
    """The answers to Held's exercise 16."""
    assert _in_points(koya(field(ROUND_ROBIN, swiss=False))) == [2, 0.5, 0.5, 1, 0.5, 0]


def test_fides_exercise_in_average_ratings() -> None:
    """The answers to Held's exercise 17: only opponents who were played, a half rounded up."""
    found = average_rating(field(SWISS_OF_5), RATINGS)
    assert [found[number] for number in range(1, 17)] == [
        *(1820, 1880, 1940, 1888, 1690, 1813, 1760, 1730),
        *(1975, 1880, 1863, 2050, 1930, 1800, 1860, 1820),
    ]


def test_without_games_there_is_no_average_rating() -> None:
    """A bye and a forfeit are no game, whatever the format; nor is one against somebody unrated."""
    games = [Meeting(1, 1, 2, (2, 0), 1, Kind.FORFEIT), Meeting(1, 3, None, (2, 0), 1, Kind.BYE)]
    unrated = [Meeting(2, 1, 3, (2, 0))]
    found = Field.of([Entrant(1), Entrant(2), Entrant(3)], games + unrated, swiss=False)
    assert average_rating(found, {1: 10.5, 2: 5.0, 3: None}) == {1: None, 2: None, 3: 11}


def test_walkovers_of_a_pairing_that_was_begun_have_no_part_in_an_average_rating() -> None:
    """An opponent that left after one of four games weighs as much as another who was met once."""
    games = [Meeting(1, 1, 2, (8, 0), 4, unplayed=3), Meeting(2, 1, 3, (0, 2))]
    found = Field.of([Entrant(1), Entrant(2), Entrant(3)], games, swiss=False)
    assert average_rating(found, {1: 10.0, 2: 100.0, 3: 0.0}) == {1: 50, 2: 10, 3: 10}


def test_full_byes_are_won_games() -> None:
    """Held's 6 and 12 had a whole point without an opponent; 4 had half a one, and 9 both."""
    found = full_byes(field(SWISS_OF_5))
    assert {number: byes for number, byes in found.items() if byes} == {6: 1, 9: 1, 12: 1}


def test_a_full_bye_is_as_many_won_games_as_a_pairing_has() -> None:
    """Where two play twice, a bye for all points is two games won, and one for half of them none."""
    games = [
        Meeting(1, 1, 2, (3, 1), 2),
        Meeting(1, 3, None, (4, 0), 1, Kind.BYE),
        Meeting(1, 4, None, (2, 0), 1, Kind.HALF_BYE),
    ]
    found = Field.of([Entrant(number) for number in range(1, 5)], games, swiss=True)
    assert full_byes(found) == {1: 0, 2: 0, 3: 2, 4: 0}


def _discs(found: Field, own: dict[int, int], **more: Any) -> Discs:
    """Discs of games that were all played, with nobody gone, on a board of 64 squares."""
    told: dict[str, Any] = {"against_left": {}, "left": (), "unplayed": (), "half": 32}
    return Discs(own, **{"played": dict.fromkeys(found.records, 1)} | told | more)


def test_in_few_rounds_the_brightwell_quotient_is_the_discs() -> None:
    """Below eight rounds nothing is added."""
    discs, found = dict.fromkeys(range(1, 17), 100) | {3: 90}, field(SWISS_OF_5)
    assert brightwell(found, _discs(found, discs)) == discs


def test_in_few_rounds_a_bye_is_no_game_without_discs() -> None:
    """Who played four games of five has the mean of these; who played none has nothing."""
    found = field(SWISS_OF_5)
    played = dict.fromkeys(found.records, 5) | {6: 4, 12: 0}
    quotients = brightwell(found, _discs(found, dict.fromkeys(found.records, 100), played=played))
    assert (quotients[1], quotients[6], quotients[12]) == (20, 25, None)


def test_the_brightwell_quotient_by_hand() -> None:
    """Of nine rounds: discs, 6 a point of each opponent, and half a board and 6 for each own point of a bye.

    Number 6 has 6 points and a bye; its eight opponents have 4 + 6.5 + 4 + 4.5 + 6 + 6 + 6 + 4.5 points.
    Number 3 meets the same 2 as somebody who left: 32 and 6 * 6.5 in place of that game's 20 discs and of
    6 * 6 for the points of 2.
    """
    found = field(SWISS_OF_9)
    discs = dict.fromkeys(found.records, 300)
    whole = _sums(found, _discs(found, discs))
    assert whole[6] == 300 + 6 * 41.5 + 32 + 6 * 6
    without = _sums(found, _discs(found, discs, against_left={3: 20}, left={2}))
    assert without[3] - whole[3] == -20 - 36 + 32 + 6 * 6.5
    assert without[6] - whole[6] == 32 + 36 - 36


def _sums(found: Field, discs: Discs) -> dict[int, Any]:
    return dict(brightwell(found, discs))


def test_a_game_that_was_not_played_counts_as_a_bye() -> None:
    """Number 9 beat 11 without a game: half a board and 6 a point of its own 3.5, not of the other's 4.

    11 forfeited that game and has nothing for it, neither discs nor the 6 for each of the other's points.
    """
    found = field(SWISS_OF_9)
    discs = dict.fromkeys(found.records, 300)
    whole = _sums(found, _discs(found, discs))
    idle = [(9, 11, 2), (11, 9, 0)]
    without = _sums(found, _discs(found, discs, unplayed=idle))
    points = {number: found.half_points[number] / 2 for number in (9, 11)}
    assert without[9] - whole[9] == 32 + 6 * points[9] - 6 * points[11]
    assert without[11] - whole[11] == -6 * points[9]
    gone = _sums(found, _discs(found, discs, left={11}, unplayed=idle))
    assert gone[9] - whole[9] == 32 + 6 * points[9] - 6 * points[11]


def test_who_was_not_there_has_no_part_of_a_board() -> None:
    """A round that somebody asked to miss for no point adds nothing; nor does one before it joined."""
    games = [Meeting(number, 1, 2, (2, 0)) for number in range(1, 9)]
    away = [Meeting(8, 3, None, (0, 0), 1, Kind.ZERO_BYE)]
    found = Field.of([Entrant(1), Entrant(2), Entrant(3, joined=8)], games + away, swiss=True)
    discs = _discs(found, {1: 400, 2: 112, 3: 0})
    assert brightwell(found, discs) == {1: 400, 2: 112 + 6 * 8 * 8, 3: 0}


def test_lots_follow_from_the_seed_and_the_number_alone() -> None:
    """The same lot in whatever company, another one by another seed."""
    assert lots([1, 2, 3], 7)[2] == lots([2], 7)[2] != lots([2], 8)[2]
    assert len(set(lots(range(1000), 7).values())) == 1000
