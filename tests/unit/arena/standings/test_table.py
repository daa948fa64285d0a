"""The leaderboard's order."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.standings.crosstable import Cell, crosstable
from arena.standings.table import HalfPoints, Row, rank
from arena.standings.tally import Tally, tally
from engines.game import ScoreSense
from workers.contract import FaultCode, Forfeit, MatchResult, Seat, SeatUse


def _row(number: int, **total: int) -> Row:
    return Row(number * 10, number, f"bot{number}", 1, "team", Tally(**total))


def _order(rows: list[Row], met: HalfPoints | None = None, sense: ScoreSense | None = "fewest") -> list[Any]:
    return [(each.rank, each.number) for each in rank(rows, met or {}, sense)]


def test_points_decide_first() -> None:
    """More points win, whatever the discs and the time say."""
    rows = [_row(1, half_points=3, score_own=0), _row(2, half_points=4, score_own=99, wall_ns=10**12)]
    assert _order(rows) == [(1, 2), (2, 1)]


def test_direct_encounter_decides_before_discs() -> None:
    """Of two with equal points the one that won between them is first, although it has more discs."""
    rows = [_row(1, half_points=4, score_own=5), _row(2, half_points=4, score_own=50)]
    assert _order(rows, {(10, 20): 1, (20, 10): 3}) == [(1, 2), (2, 1)]


def test_direct_encounter_counts_all_that_are_tied_and_nobody_else() -> None:
    """Among three tied ones their games with each other count; those with a fourth do not."""
    rows = [_row(number, half_points=6) for number in (1, 2, 3)] + [_row(4, half_points=2)]
    met = {(10, 20): 2, (20, 30): 2, (30, 10): 1, (10, 30): 1, (30, 40): 2, (20, 40): 2}
    standings = rank(rows, met, "fewest")
    assert [(each.number, each.direct) for each in standings] == [(1, 3), (2, 2), (3, 1), (4, None)]


def test_direct_encounter_is_not_recomputed_for_those_still_tied() -> None:
    """Two that remain tied after it are separated by discs, not by their own game."""
    rows = [_row(1, half_points=6, score_own=9), _row(2, half_points=6, score_own=8), _row(3, half_points=6)]
    met = {(10, 20): 2, (20, 30): 2, (30, 10): 0, (20, 10): 0, (30, 20): 0, (10, 30): 0}
    assert [each.number for each in rank(rows, met, "fewest")] == [2, 1, 3]


@pytest.mark.parametrize(("sense", "first"), [("fewest", 1), ("most", 2), (None, 2)])
def test_discs_are_read_as_the_game_says(sense: ScoreSense | None, first: int) -> None:
    """Fewest or most own discs as the game has it; where scores say nothing, time decides at once."""
    rows = [_row(1, score_own=5, wall_ns=200), _row(2, score_own=6, wall_ns=100)]
    assert rank(rows, {}, sense)[0].number == first


def test_least_time_is_the_last_tie_break() -> None:
    """With everything else equal, less thinking is better."""
    assert _order([_row(1, wall_ns=2), _row(2, wall_ns=1)]) == [(1, 2), (2, 1)]


def test_equal_entries_share_a_rank() -> None:
    """What nothing separates has one rank, is shown by number, and the next rank counts them both."""
    rows = [_row(3), _row(1, half_points=2), _row(2, half_points=2)]
    assert _order(rows) == [(1, 1), (1, 2), (3, 3)]


ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=7
).map(
    lambda found: [
        _row(number, half_points=points, score_own=score, wall_ns=wall)
        for number, (points, score, wall) in enumerate(found, start=1)
    ]
)


@given(ROWS, st.randoms(use_true_random=False), st.sampled_from(["fewest", "most", None]))
def test_the_order_of_the_rows_never_matters(rows: list[Row], random: Any, sense: ScoreSense | None) -> None:
    """Shuffled entries give the same leaderboard, every entry is on it, and ranks never fall."""
    met = {(a.entry, b.entry): random.randint(0, 2) for a, b in permutations(rows, 2)}
    standings = rank(rows, met, sense)
    shuffled = rows[:]
    random.shuffle(shuffled)
    assert rank(shuffled, met, sense) == standings
    assert sorted(each.entry for each in standings) == sorted(row.entry for row in rows)
    assert [each.rank for each in standings] == sorted(each.rank for each in standings)
    assert [each.points for each in standings] == sorted((each.points for each in standings), reverse=True)


def _result(winner: Seat | None, *losers: Seat) -> MatchResult:
    forfeits = tuple(
        Forfeit(seat=seat, code=FaultCode.CRASH, ply=0, detail="gone", expected="ready") for seat in losers
    )
    seats = (SeatUse(wall_ns=5), SeatUse(wall_ns=7))
    return MatchResult(
        match="1", winner=winner, reason="crash", score=(10, 6), forfeits=forfeits, seats=seats
    )


def test_a_win_gives_two_half_points() -> None:
    """The winner's and the loser's tallies, each with its own score and time."""
    won, lost = tally(_result(1), 1), tally(_result(1), 0)
    assert won == Tally(games=1, half_points=2, wins=1, score_own=6, score_other=10, wall_ns=7)
    assert lost == Tally(games=1, losses=1, score_own=10, score_other=6, wall_ns=5)


def test_a_draw_gives_a_half_point_each() -> None:
    """Without a winner and without a forfeit it is a draw."""
    assert [tally(_result(None), seat).half_points for seat in (0, 1)] == [1, 1]
    assert tally(_result(None), 0).draws == 1


def test_a_double_forfeit_is_two_losses() -> None:
    """When both forfeit nobody has a point, and each has a loss and a forfeit."""
    both = [tally(_result(None, 0, 1), seat) for seat in (0, 1)]
    assert [(each.half_points, each.draws, each.losses, each.forfeits) for each in both] == [(0, 0, 1, 1)] * 2


def test_the_crosstable_follows_the_leaderboard() -> None:
    """Rows and columns are in the order of the ranks; the diagonal is empty; who has not met has no games."""
    rows = [_row(1, half_points=1), _row(2, half_points=3), _row(3)]
    standings = rank(rows, {}, "fewest")
    table = crosstable(standings, {(10, 20): (1, 2), (20, 10): (3, 2)})
    assert [each.number for each in table.standings] == [2, 1, 3]
    assert table.cells == (
        (None, Cell(1.5, 2), Cell(0, 0)),
        (Cell(0.5, 2), None, Cell(0, 0)),
        (Cell(0, 0), Cell(0, 0), None),
    )
