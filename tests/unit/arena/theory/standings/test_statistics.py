"""One entry's numbers, and the audit of seats and openings."""

from __future__ import annotations

from itertools import permutations

import pytest

from arena.theory.standings.balance import balance
from arena.theory.standings.statistics import Game, numbers_of
from arena.theory.standings.tally import WALKOVER, Tally
from arena.theory.statistics.intervals import wilson
from arena.theory.statistics.superiority import likelihood_of_superiority

WON = Tally(games=1, half_points=2, wins=1, score_own=10, score_other=6, wall_ns=5)
LOST = Tally(games=1, losses=1, score_own=6, score_other=10, wall_ns=9)
GAMES = [
    Game(1, 20, 0, 1, WON, None),
    Game(2, 20, 1, 1, LOST, None),
    Game(3, 30, 0, 2, LOST, "timeout"),
    Game(4, 30, 1, 2, LOST, WALKOVER, played=False),
    Game(5, 40, 1, 0, WON, None, played=False),
]


def test_totals_are_split_by_opponent_seat_and_opening() -> None:
    """Each split adds up; what was decided without a game is in no seat and no opening."""
    found = numbers_of(GAMES)
    assert found.total == WON + LOST + LOST + LOST + WON
    assert found.opponents == {20: WON + LOST, 30: LOST + LOST, 40: WON}
    assert found.seats == [WON + LOST, LOST]
    assert found.openings == {1: WON + LOST, 2: LOST}
    assert found.faults == {"timeout": 1, WALKOVER: 1}
    assert found.longest_ns == 9


def test_the_order_of_the_games_never_matters() -> None:
    """Every permutation of the games gives the same numbers, in the same order."""
    whole = numbers_of(GAMES)
    for order in permutations(GAMES):
        found = numbers_of(order)
        assert found == whole
        assert list(found.opponents) == list(whole.opponents)
        assert list(found.openings) == list(whole.openings)


def test_the_first_seats_share_with_its_interval() -> None:
    """Without draws it is Wilson's; an opening whose interval leaves out a half is told, and no other."""
    openings = [(1, 18, 0, 2), (2, 5, 0, 5), (3, 0, 0, 0)]
    found = balance([(1, 0, 23, 0, 7), (2, 1, 23, 0, 7)], openings)
    assert found.total.counts == (23, 0, 7)
    assert {number: share.games for number, share in found.openings.items()} == {1: 20, 2: 10}
    one, two = found.openings[1], found.openings[2]
    assert one.estimate is not None
    assert one.estimate.mean == 0.9
    assert one.estimate.interval == wilson(18, 20)
    assert [share.lopsided for share in (one, two, found.total)] == [True, False, True]


def test_draws_count_a_half_and_one_beginning_is_one_opening() -> None:
    """Of two draws and a win the first seat made two thirds, from the only beginning that there is."""
    found = balance([(1, 0, 1, 2, 0), (2, 1, 1, 2, 0)])
    assert found.total.counts == (1, 2, 0)
    assert found.total.estimate is not None
    assert found.total.estimate.mean == pytest.approx(2 / 3)
    assert found.openings == {0: found.total}


def test_everybodys_seats() -> None:
    """Games in both seats by entry, and the widest difference."""
    found = balance([(2, 1, 3, 0, 0), (1, 0, 2, 1, 1), (2, 0, 0, 0, 1), (1, 1, 0, 5, 0), (3, 0, 0, 0, 0)])
    assert found.seats == {1: (4, 5), 2: (1, 3), 3: (0, 0)}
    assert found.widest == 2
    assert found.total.counts == (2, 1, 2)


def test_before_the_first_game_there_is_no_share() -> None:
    """No estimate, no opening, and nothing lopsided."""
    found = balance([(1, 0, 0, 0, 0)])
    assert found.total.estimate is None
    assert not found.total.lopsided
    assert not found.openings


@pytest.mark.parametrize(
    ("wins", "losses", "likely"),
    [(0, 0, 0.5), (1, 0, 0.75), (0, 1, 0.25), (3, 0, 0.9375), (10, 10, 0.5), (10, 5, 0.894943)],
)
def test_the_likelihood_of_superiority(wins: int, losses: int, likely: float) -> None:
    """By hand 1 - 2**-(n + 1) after n wins alone; 10 to 5 is P(X <= 10) for 16 fair coins."""
    assert likelihood_of_superiority(wins, losses) == likely
    assert likelihood_of_superiority(losses, wins) == pytest.approx(1 - likely, abs=1e-6)


def test_negative_counts_are_refused() -> None:
    """The error names both numbers."""
    with pytest.raises(ValueError, match="-1 wins and 2 losses"):
        likelihood_of_superiority(-1, 2)
