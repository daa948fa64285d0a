"""Tables of nothing but rounds."""

from __future__ import annotations

import random

import pytest

from arena.core.errors import InvalidError
from arena.theory.pairing.contract import Detail, Kind, Meeting
from arena.theory.standings.counted import GroupOrder, table_of_rounds
from arena.theory.standings.order import DEFAULT_ORDER, TIE_BREAKS
from engines.game import ScoreSense
from tests.unit.arena.theory.standings.published import MANY_UNPLAYED, ROUND_ROBIN, entrants, meetings

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


def _round_robin(
    *rows: tuple[int, int, int], **detail: dict[tuple[int, int], tuple[int, int]]
) -> list[Meeting]:
    """Meetings of one game each; a detail is that of a pair, or nothing for both."""
    return [
        Meeting(
            number,
            *(one, other, (half, 2 - half)),
            detail=Detail(
                (half == 2, half == 0),
                detail.get("scores", {}).get((one, other), (0, 0)),
                detail.get("wall_ns", {}).get((one, other), (0, 0)),
                played=1,
            ),
        )
        for number, (one, other, half) in enumerate(rows, 1)
    ]


CIRCLE = ((1, 2, 2), (2, 3, 2), (3, 1, 2))
SCORES = {(1, 2): (6, 4), (2, 3): (7, 3), (3, 1): (9, 1)}


@pytest.mark.parametrize(("sense", "best"), [("most", [3, 2, 1]), ("fewest", [1, 2, 3])])
def test_discs_decide_in_a_group_where_the_chain_has_them(sense: ScoreSense, best: list[int]) -> None:
    """Three who beat each other in a circle have the same points; own discs put them in order."""
    met = _round_robin(*CIRCLE, scores=SCORES)
    order = GroupOrder(DEFAULT_ORDER, sense)
    assert [order((1, 2, 3), met, seed) for seed in range(5)] == [best] * 5
    assert order((3, 2, 1), met[::-1], 0) == best


def test_time_decides_in_a_group_where_the_chain_has_it() -> None:
    """Who used the least is the first of those whom nothing else separates."""
    met = _round_robin(*CIRCLE, wall_ns={(1, 2): (5, 1), (2, 3): (1, 8), (3, 1): (2, 1)})
    order = GroupOrder(DEFAULT_ORDER, None)
    assert [order((1, 2, 3), met, seed) for seed in range(5)] == [[2, 1, 3]] * 5


def test_a_lot_ends_the_order_of_a_group() -> None:
    """Of four with equal points wins put who drew all last; among the others the seed decides."""
    met = _round_robin((1, 2, 1), (2, 3, 2), (1, 3, 1), (3, 4, 2), (2, 4, 0), (1, 4, 1))
    order = GroupOrder(("points", "wins", "average_rating"), None)
    assert order((1, 2, 3, 4), met, 5)[-1] == 1
    assert {order((1, 2, 3, 4), met, seed)[0] for seed in range(20)} == {2, 3, 4}
    assert order((4, 3, 2, 1), met[::-1], 5) == order((1, 2, 3, 4), met, 5)
    untold = [each._replace(detail=None) for each in met]
    assert order((1, 2, 3, 4), untold, 5) == order((1, 2, 3, 4), met, 5)


def test_wins_in_pairings_of_several_games_are_counted_one_by_one() -> None:
    """Two with 3 of 4 points: one won twice and lost once, the other drew twice between a win each."""
    level = Meeting(1, 1, 2, (4, 4), 4, detail=Detail((2, 2), (0, 0), (0, 0), 4))
    one = Meeting(2, 1, 3, (6, 2), 4, detail=Detail((3, 1), (0, 0), (0, 0), 4))
    other = Meeting(3, 2, 3, (6, 2), 4, detail=Detail((2, 0), (0, 0), (0, 0), 4))
    order = GroupOrder(("points", "wins"), None)
    assert [order((1, 2, 3), [level, one, other], seed)[0] for seed in range(5)] == [1] * 5


def test_means_order_a_group_whose_entrants_have_different_numbers_of_games() -> None:
    """Who came late and has not met one that had left is compared by the mean of a game, as in any table."""
    met = _round_robin((1, 2, 2), (1, 3, 2), (2, 3, 0), (1, 4, 0), (3, 4, 0))
    assert GroupOrder(("points",), None)((1, 2, 3, 4), met, 0)[0] == 4


def test_a_walkover_in_a_group_has_neither_discs_nor_time() -> None:
    """Three beat the fourth, one of them without a game: its discs are those of the two games it played."""
    circle = _round_robin(*CIRCLE, scores={(1, 2): (7, 3), (2, 3): (6, 4), (3, 1): (6, 4)})
    fourth = _round_robin((1, 4, 2), (2, 4, 2), scores={(1, 4): (8, 2), (2, 4): (8, 2)})
    unplayed = Meeting(9, 3, 4, (2, 0), 1, Kind.FORFEIT, detail=Detail((1, 0), (0, 0), (0, 0), 0))
    order = GroupOrder(("points", "discs"), "most")
    means = {1: (7 + 4 + 8) / 3, 2: (3 + 6 + 8) / 3, 3: (4 + 6) / 2}
    expected = sorted(means, key=lambda one: -means[one])
    assert order((1, 2, 3, 4), [*circle, *fourth, unplayed], 0) == [*expected, 4]
