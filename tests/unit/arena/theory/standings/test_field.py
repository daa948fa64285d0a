"""Everybody's rounds."""

from __future__ import annotations

from itertools import permutations

from arena.theory.pairing.contract import Entrant, Kind, Meeting
from arena.theory.standings.field import Field, Round
from arena.theory.standings.opponents import adjusted_scores, buchholz
from arena.theory.standings.plain import full_byes


def test_rounds_before_joining_and_after_leaving_were_missed() -> None:
    """In a Swiss tournament they are voluntarily unplayed; a pairing that is not finished is no round yet."""
    games = [Meeting(1, 1, 2, (2, 0)), Meeting(2, 1, 3, (1, 1)), Meeting(3, 1, 4, (2, 0))]
    entrants = [Entrant(1), Entrant(2, left=3), Entrant(3, joined=2), Entrant(4)]
    found = Field.of(entrants, games, swiss=True)
    assert [row.number for row in found.records[2]] == [1, 3]
    assert found.records[2][1] == Round(3, None, 0, 1, played=False, voluntary=True)
    assert [(row.number, row.voluntary) for row in found.records[3]] == [(1, True), (2, False)]
    assert [row.number for row in found.records[4]] == [3]
    assert adjusted_scores(found) == {1: 5, 2: 1, 3: 1, 4: 0}
    assert buchholz(found)[1] == 1 + 1 + 0
    assert all(not row.voluntary for row in Field.of(entrants, games, swiss=False).records[2])


def test_only_games_make_a_direct_encounter_in_a_swiss_tournament() -> None:
    """A forfeit without a game is left out there, and counts where all pairings were fixed."""
    games = [Meeting(1, 2, 1, (2, 0), 1, Kind.FORFEIT), Meeting(2, 1, 2, (3, 1), 2)]
    entrants = [Entrant(1), Entrant(2)]
    assert Field.of(entrants, games, swiss=True).met() == {(1, 2): (3, 2), (2, 1): (1, 2)}
    assert Field.of(entrants, games, swiss=False).met() == {(1, 2): (3, 3), (2, 1): (3, 3)}


def test_a_bye_is_worth_a_whole_pairing_while_the_others_still_play() -> None:
    """Of five games each pairing has one was played: the bye stands for five, and so do absences."""
    games = [Meeting(1, 1, 2, (2, 0)), Meeting(1, 3, None, (10, 0), 5, Kind.BYE)]
    found = Field.of([Entrant(1), Entrant(2), Entrant(3), Entrant(4, joined=2)], games, swiss=True, games=5)
    assert [found.records[number][0].games for number in (1, 3, 4)] == [1, 5, 5]
    assert full_byes(found) == {1: 0, 2: 0, 3: 5, 4: 0}


def test_the_order_of_the_meetings_never_matters() -> None:
    """Every permutation of meetings and entrants gives the same field."""
    games = [
        Meeting(1, 1, 2, (2, 0)),
        Meeting(1, 3, None, (2, 0), 1, Kind.BYE),
        Meeting(2, 2, 3, (1, 1)),
        Meeting(2, 1, None, (0, 0), 1, Kind.ZERO_BYE),
    ]
    entrants = [Entrant(3), Entrant(1), Entrant(2)]
    fields = [Field.of(entrants[::-1], order, swiss=True) for order in permutations(games)]
    assert all(found == Field.of(entrants, games, swiss=True) for found in fields)


def test_a_forfeit_at_the_end_stays_lost_to_the_opponents() -> None:
    """Only byes that somebody asked for are drawn to the others after the last round it played (16.3.2)."""
    games = [
        Meeting(1, 1, 2, (2, 0)),
        Meeting(2, 1, 2, (0, 2), 1, Kind.FORFEIT),
        Meeting(3, 1, None, (0, 0), 1, Kind.ZERO_BYE),
    ]
    assert adjusted_scores(Field.of([Entrant(1), Entrant(2)], games, swiss=True))[1] == 2 + 0 + 1
