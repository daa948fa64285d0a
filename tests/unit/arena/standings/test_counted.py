"""Tables of nothing but rounds."""

from __future__ import annotations

import random

import pytest

from arena.errors import InvalidError
from arena.pairing.contract import Meeting
from arena.standings.counted import order_in_group, table_of_rounds
from arena.standings.order import TIE_BREAKS
from tests.unit.arena.standings.published import MANY_UNPLAYED, ROUND_ROBIN, entrants, meetings

CHAIN = [name for name in TIE_BREAKS if name not in {"disc_difference", "discs", "brightwell", "time"}]


def test_the_tie_break_servers_ranks() -> None:
    """By points and Sonneborn-Berger the server ranks these so; 1, 2 and 12 have the same of both."""
    found = table_of_rounds(
        entrants(MANY_UNPLAYED), meetings(MANY_UNPLAYED), ["points", "sonneborn_berger"], swiss=True
    )
    ranks = {each.number: each.rank for each in found.standings}
    server = {5: 1, 9: 2, 11: 3, 3: 4, 10: 8, 14: 9, 7: 10, 6: 11, 4: 12, 15: 13, 8: 14, 13: 15}
    assert {number: ranks[number] for number in server} == server
    assert [ranks[number] for number in (1, 2, 12)] == [5, 5, 5]


def test_wins_are_the_tie_break_servers() -> None:
    """Games won at the board, by a forfeit of the other, and whole byes: WIN of the server."""
    found = table_of_rounds(entrants(MANY_UNPLAYED), meetings(MANY_UNPLAYED), ["wins"], swiss=True)
    wins = {each.number: each.tie_breaks[0] for each in found.standings}
    assert [wins[number] for number in range(1, 16)] == [2, 4, 2, 1, 3, 1, 2, 1, 2, 3, 4, 3, 1, 3, 2]


@pytest.mark.parametrize("swiss", [True, False])
def test_the_order_of_the_meetings_changes_nothing(swiss: bool) -> None:
    """However meetings and entrants are shuffled, the table is the same to the last byte."""
    games = MANY_UNPLAYED if swiss else ROUND_ROBIN
    known, played = entrants(games), list(meetings(games))
    ratings = {number: 100.0 / number for number in games}
    stream, tables = random.Random(5), set()
    for _ in range(20):
        stream.shuffle(known)
        stream.shuffle(played)
        names = CHAIN[:-1]
        tables.add(
            repr(table_of_rounds(known, played, ["points", *names[1:], "lot"], swiss=swiss, ratings=ratings))
        )
    assert len(tables) == 1


def test_what_rounds_do_not_tell_is_refused() -> None:
    """Discs and times are not in them; the error names what has to go."""
    with pytest.raises(InvalidError, match=r"do not tell discs, time; leave that out"):
        table_of_rounds([], [], ["points", "discs", "time"], swiss=True)


def test_a_group_is_ordered_by_what_rounds_tell_of_the_chain() -> None:
    """Of four with equal points wins put who drew all last; time is passed over, and the lot ends it."""
    rows = [(1, 2, 1), (2, 3, 2), (1, 3, 1), (3, 4, 2), (2, 4, 0), (1, 4, 1)]
    level = [Meeting(at, one, other, (half, 2 - half)) for at, (one, other, half) in enumerate(rows, 1)]
    by_wins = order_in_group(["points", "wins", "time"])
    assert by_wins((1, 2, 3, 4), level, 5)[-1] == 1
    assert {by_wins((1, 2, 3, 4), level, seed)[0] for seed in range(20)} == {2, 3, 4}
    assert by_wins((4, 3, 2, 1), level[::-1], 5) == by_wins((1, 2, 3, 4), level, 5)


def test_wins_of_pairings_with_several_games_are_passed_over() -> None:
    """Rounds do not tell them, so they cannot separate; the next tie-break does."""
    met = [Meeting(1, 1, 2, (1, 3), 2), Meeting(2, 1, 3, (4, 0), 2), Meeting(3, 2, 3, (2, 2), 2)]
    order = order_in_group(["points", "wins", "direct"])
    assert [order((1, 2, 3), met, seed) for seed in range(5)] == [[2, 1, 3]] * 5
