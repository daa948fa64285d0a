"""Rounds of the FIDE Dutch system, against those of a program that FIDE has endorsed.

The tournaments are the test cases of bbpPairings (github.com/BieremaBoyzProgramming/bbpPairings, test/tests):
`dutch_2025_C5`, `dutch_2025_C9` and `issue_7`, a tournament of sixty with forfeits, whose fifteenth round it
pairs as below; its earlier rounds are pairings of an endorsed program too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.theory.pairing import dutch
from arena.theory.pairing.contract import Entrant, Kind, Meeting, Pairing
from arena.theory.pairing.formats import find_format
from arena.theory.pairing.record import Float, Record, records

POINTS = {"1": 2, "=": 1, "0": 0, "+": 2, "-": 0}
CELL = re.compile(r"(\d+)([wb])([10=+-])")

SIXTY = (Path(__file__).parent / "bbp_sixty.txt").read_text().splitlines()
"""A line for each entrant, a cell for each round: opponent, colour, result (+ and - without a game)."""

FIFTEENTH = """1-15 3-2 11-17 7-10 8-14 4-6 5-12 9-16 13-25 24-22 18-29 20-23 19-33 21-38 39-26 28-36 31-40
37-35 44-46 30-32 27-48 47-42 51-55 34-50 49-45 53-58 41-59 56-43 60-52 54-57"""


def _meetings(lines: list[str]) -> list[Meeting]:
    cells = [[CELL.fullmatch(cell) for cell in line.split()] for line in lines]
    meetings = []
    for number, row in enumerate(cells, start=1):
        for round_number, cell in enumerate(row, start=1):
            if cell and cell[2] == "w":
                other = int(cell[1])
                back = cells[other - 1][round_number - 1]
                assert back is not None
                assert back[1] == str(number)
                kind = Kind.FORFEIT if cell[3] in "+-" else Kind.PLAYED
                meetings.append(
                    Meeting(round_number, number, other, (POINTS[cell[3]], POINTS[back[3]]), 1, kind)
                )
    return meetings


def _playing(lines: list[str], number: int, absent: tuple[int, ...] = ()) -> list[Record]:
    found = records(range(1, len(lines) + 1), _meetings(lines), number)
    here = [each for each in found.values() if each.number not in absent]
    return sorted(here, key=lambda each: (-each.half_points, each.rank))


def test_a_round_of_sixty_is_the_endorsed_programs() -> None:
    """After fourteen rounds with forfeits, all thirty pairings and their colours are those of bbpPairings."""
    pairs = dutch.pair(_playing(SIXTY, 15), 15, 15, 2, odd_first=False)
    assert sorted(f"{first}-{second}" for first, second in pairs or ()) == sorted(FIFTEENTH.split())


@pytest.mark.parametrize("number", [1, 14])
def test_earlier_rounds_are_those_that_were_played(number: int) -> None:
    """The tournament's own first and fourteenth rounds come out, with all colours."""
    played = [(each.first, each.second) for each in _meetings(SIXTY) if each.round == number]
    found = dutch.pair(_playing(SIXTY, number), number, 15, 2, odd_first=False)
    assert sorted(found or ()) == sorted(played)


def test_criterion_c5_of_2025() -> None:
    """The downfloater leaves a bracket so that the one with the bye has as few points as possible."""
    lines = ["4w1 2b1", "5b1 1w0", "6w1 4b1", "1b0 3w0", "2w0 6b1", "3b0 5w0"]
    playing = _playing(lines, 3, absent=(4,))
    assert dutch.pair(playing, 3, 3, 2, odd_first=True) == [(1, 5), (3, 2), (6, None)]


def test_criterion_c9_of_2025() -> None:
    """Of those who may have the bye, it is not the one who has not played yet."""
    lines = ["3w1", "4b1", "1b0", "2w0", "0"]
    assert dutch.pair(_playing(lines, 2), 2, 3, 2, odd_first=True) == [(2, 1), (3, 5), (4, None)]


@pytest.mark.parametrize(
    ("better", "worse", "pair"),
    [
        ([1, -1], [1, -1], (2, 1)),
        ([-1, 1], [-1, 1], (1, 2)),
        ([1, -1, -1], [-1, 1, -1], (2, 1)),
        ([1, -1, 1], [-1, 1, -1, 1], (1, 2)),
        ([-1, 1], [1, -1, 1], (2, 1)),
        ([], [1], (2, 1)),
        ([], [-1], (1, 2)),
        ([], [], (1, 2)),
    ],
)
def test_who_has_more_points_has_its_colour(
    better: list[int], worse: list[int], pair: tuple[int, int]
) -> None:
    """Article 5.2: both wishes, the stronger, another one than last time, then the higher ranked's."""
    playing = [
        Record(2, 2, 4, seats=better, floats=[Float.NONE] * 4),
        Record(1, 1, 2, seats=worse, floats=[Float.NONE] * 4),
    ]
    assert dutch.pair(playing, 5, 9, 2, odd_first=True) == [pair]


def test_a_downfloater_is_chosen_by_the_colours_of_its_bracket() -> None:
    """Of three with as many points the two meet whose colours fit, not the first two."""
    seats = {1: [1, -1, 1], 2: [-1, 1, -1], 3: [1, -1, 1], 4: [-1, 1, -1]}
    playing = [Record(at, at, 2 if at < 4 else 0, seats=seats[at], floats=[Float.NONE] * 3) for at in seats]
    assert dutch.pair(playing, 4, 9, 2, odd_first=True) == [(2, 1), (4, 3)]


def test_the_bye_leaves_the_others_their_equals() -> None:
    """Criterion C9 comes after the points of the pairs: 3 missed no round, but 4 cannot meet 5 again."""
    none = [Float.NONE]
    playing = [
        Record(1, 1, 2, {6}, [1], none, played=1),
        Record(2, 2, 2, {7}, [-1], none, played=1),
        Record(3, 3, 0, {8}, [-1], none, played=1),
        Record(4, 4, 0, {5}, [-1], none, free=True, played=1),
        Record(5, 5, 0, {4}, [1], none),
    ]
    found = dutch.pair(playing, 2, 5, 2, odd_first=True) or []
    assert {frozenset(pair) for pair in found} == {frozenset(pair) for pair in ((1, 2), (3, 4), (5, None))}


def test_who_floats_leaves_the_best_next_bracket_that_lets_all_be_paired() -> None:
    """Criterion C8 looks no further than at what lets all be paired: 6 floats, so that 2 meets 7 and not 1.

    These are the pairs of bbpPairings and of Gacrux.
    """
    lines = [
        "5w1 2b1 8w1 6b1 3w1",
        "6b1 1w0 3b= 5w1 4b1",
        "7w0 4b1 2w= 8b1 1b0",
        "8b= 3w0 6b0 7b1 2w0",
        "1b0 6w= 7w1 2b0 8w1",
        "2w0 5b= 4w1 1w0 7b1",
        "3b1 8w0 5b0 4w0 6w0",
        "4w= 7b1 1b0 3w0 5b0",
    ]
    pairs = dutch.pair(_playing(lines, 6), 6, 6, 2, odd_first=True)
    assert pairs == [(4, 1), (2, 7), (3, 5), (8, 6)]


def test_two_that_float_so_that_all_can_be_paired_do_not_meet_then() -> None:
    """3 and 4 could meet, but 9 needs 3 and only 4 may have the bye: as bbpPairings and Gacrux pair it."""
    lines = [
        "5b1 4w1 2b0 7w1 3w=",
        "6w1 9b1 1w1 3b0 4w1",
        "7b= 5w1 8b1 2w1 1b=",
        "8w1 1b0 6w1 9b1 2b0",
        "1w0 3b0 bye 8w0 9b1",
        "2b0 7w= 4b0 bye 8b1",
        "3w= 6b= 9w1 1b0 bye",
        "4b0 bye 3w0 5b1 6w0",
        "bye 2w0 7b0 4w0 5w0",
    ]
    byes = [
        Meeting(at, number, None, (2, 0), kind=Kind.BYE)
        for number, line in enumerate(lines, start=1)
        for at, cell in enumerate(line.split(), start=1)
        if cell == "bye"
    ]
    playing = [*records(range(1, 10), [*_meetings(lines), *byes], 6).values()]
    pairs = dutch.pair(playing, 6, 7, 2, odd_first=False)
    assert pairs == [(7, 2), (3, 9), (8, 1), (6, 5), (4, None)]


def test_who_was_never_paired_has_no_number_for_the_first_colour() -> None:
    """2 does not play in round 1, so 3 is the second of those who count: it has the other colour than 1."""
    entrants = [Entrant(1), Entrant(2, absent=(1,)), *(Entrant(number) for number in range(3, 6))]
    fmt = find_format("swiss_dutch", {"first_colour": "first"})
    assert fmt.next_round(entrants, (), 1, 0) == (Pairing(1, 4), Pairing(5, 3))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(Kind.BYE, [(4, 2), (3, 5)]), (Kind.FULL_BYE, [(2, 4), (5, 3)]), (Kind.HALF_BYE, [(2, 4), (5, 3)])],
)
def test_a_bye_that_somebody_asked_for_is_no_pairing(kind: Kind, expected: list[tuple[int, int]]) -> None:
    """Who only had a full point by request and is away counts for no first colour, as in bbpPairings.

    Nobody has played yet, so that numbers decide; who was given the bye of the odd one out has one.
    """
    entrants = [Entrant(1, absent=(2,)), *(Entrant(number) for number in range(2, 6))]
    meetings = [
        Meeting(1, 1, None, (1 if kind is Kind.HALF_BYE else 2, 0), kind=kind),
        Meeting(1, 2, 3, (2, 0), kind=Kind.FORFEIT),
        Meeting(1, 4, 5, (2, 0), kind=Kind.FORFEIT),
    ]
    fmt = find_format("swiss_dutch", {"first_colour": "first", "rounds": 3})
    found = fmt.next_round(entrants, meetings, 2, 0)
    assert found == tuple(Pairing(*pair) for pair in expected)


def test_the_first_colour_is_an_option() -> None:
    """In round 1 the upper half meets the lower half, and odd numbers have the colour that was asked for."""
    entrants = [Entrant(number) for number in range(1, 7)]
    for colour, wanted in (("first", [(1, 4), (5, 2), (3, 6)]), ("second", [(4, 1), (2, 5), (6, 3)])):
        fmt = find_format("swiss_dutch", {"first_colour": colour})
        assert fmt.next_round(entrants, (), 1, 0) == tuple(Pairing(*pair) for pair in wanted)


def test_where_the_rules_leave_no_way_the_round_is_paired_all_the_same() -> None:
    """Four who have all met play a fourth round: with repeats, as there is nothing else."""
    fmt = find_format("swiss_dutch", {"rounds": 4})
    entrants = [Entrant(number) for number in range(1, 5)]
    lines = ["4w1 3b1 2w1", "3b1 4w1 1b0", "2w0 1w0 4b1", "1b0 2b0 3w0"]
    assert dutch.pair(_playing(lines, 4), 4, 4, 2, odd_first=True) is None
    pairings = fmt.next_round(entrants, _meetings(lines), 4, 0) or ()
    assert sorted(each for pairing in pairings for each in (pairing.first, pairing.second or 0)) == [
        1,
        2,
        3,
        4,
    ]


def test_more_than_it_can_pair_are_refused() -> None:
    """Who has too many entrants is told of the other Swiss before anything was played."""
    with pytest.raises(ValueError, match="choose swiss"):
        find_format("swiss_dutch").check(201)
    find_format("swiss").check(201)
