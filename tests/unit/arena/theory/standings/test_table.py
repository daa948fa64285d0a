"""The leaderboard's order."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.theory.standings.crosstable import Cell, crosstable
from arena.theory.standings.direct import Met, direct_encounter
from arena.theory.standings.table import Row, Rules, table
from arena.theory.standings.tally import Tally
from engines.game import ScoreSense


def _row(number: int, **total: int) -> Row:
    """An entry with these totals; all of its games were played if nothing else is said."""
    played = total.pop("played", total.get("games", 0))
    return Row(number * 10, number, f"bot{number}", 1, "team", Tally(played=played, **total))


def _rules(met: Met | None = None, sense: ScoreSense | None = "fewest", **rules: Any) -> Rules:
    return Rules(direct=lambda tied: direct_encounter(tied, met or {}), score_sense=sense, **rules)


def _order(rows: list[Row], met: Met | None = None, **rules: Any) -> list[tuple[int, int]]:
    return [(each.rank, each.number) for each in table(rows, _rules(met, **rules)).standings]


def test_points_decide_first() -> None:
    """More points win, whatever the discs and the time say."""
    rows = [_row(1, half_points=3, score_own=0), _row(2, half_points=4, score_own=99, wall_ns=10**12)]
    assert _order(rows) == [(1, 2), (2, 1)]


def test_direct_encounter_decides_before_discs() -> None:
    """Of two with equal points the one that won between them is first, although it has more discs."""
    rows = [_row(1, half_points=4, score_own=5), _row(2, half_points=4, score_own=50)]
    assert _order(rows, {(1, 2): (1, 2), (2, 1): (3, 2)}) == [(1, 2), (2, 1)]


def test_direct_encounter_counts_all_that_are_tied_and_nobody_else() -> None:
    """Among three tied ones their games with each other count; those with a fourth do not."""
    rows = [_row(number, half_points=6) for number in (1, 2, 3)] + [_row(4, half_points=2)]
    made = {(1, 2): 2, (2, 1): 0, (2, 3): 2, (3, 2): 0, (3, 1): 1, (1, 3): 1, (3, 4): 2, (2, 4): 2}
    found = table(rows, _rules({pair: (half_points, 1) for pair, half_points in made.items()})).standings
    assert [(each.number, each.direct) for each in found] == [(1, 3), (2, 2), (3, 1), (4, None)]


def test_direct_encounter_comes_where_the_chain_has_it() -> None:
    """After the discs it compares only those whom points and discs leave tied."""
    rows = [_row(1, half_points=4, score_own=6), *(_row(n, half_points=4, score_own=7) for n in (2, 3))]
    met = {(2, 1): (2, 1), (1, 2): (0, 1), (3, 2): (2, 1), (2, 3): (0, 1)}
    found = table(rows, _rules(met, order=("points", "discs", "direct"))).standings
    assert [(each.rank, each.number, each.direct) for each in found] == [(1, 1, None), (2, 3, 2), (3, 2, 0)]


@pytest.mark.parametrize(("sense", "first"), [("fewest", 1), ("most", 2), (None, 2)])
def test_discs_are_read_as_the_game_says(sense: ScoreSense | None, first: int) -> None:
    """Fewest or most own discs as the game has it; where scores say nothing, time decides at once."""
    rows = [_row(1, score_own=5, wall_ns=200), _row(2, score_own=6, wall_ns=100)]
    assert _order(rows, sense=sense)[0] == (1, first)


@pytest.mark.parametrize(("sense", "shown"), [("fewest", -3.0), ("most", 3.0), (None, 0.0)])
def test_the_difference_of_discs_is_that_to_the_better(sense: ScoreSense | None, shown: float) -> None:
    """More own discs than others' are an advantage or none, as the game says."""
    (line,) = table(
        [_row(1, score_own=8, score_other=5)], _rules(sense=sense, order=("disc_difference",))
    ).standings
    assert line.tie_breaks == (shown,)


def test_no_zero_is_negative() -> None:
    """A difference that is nothing to a thousandth, from below, is shown as nothing from above is."""
    rows = [_row(1, games=4000, score_own=1), _row(2, games=3000, score_other=1)]
    found = table(rows, _rules(order=("disc_difference",))).standings
    assert [str(line.tie_breaks[0]) for line in found] == ["0.0", "0.0"]


def test_least_time_is_the_last_tie_break() -> None:
    """With everything else equal, less thinking is better."""
    assert _order([_row(1, wall_ns=2), _row(2, wall_ns=1)]) == [(1, 2), (2, 1)]


def test_equal_entries_share_a_rank() -> None:
    """What nothing separates has one rank, is shown by number, and the next rank counts them both."""
    rows = [_row(3), _row(1, half_points=2), _row(2, half_points=2)]
    assert _order(rows) == [(1, 1), (1, 2), (3, 3)]


def test_a_lot_separates_everybody_and_follows_from_its_seed() -> None:
    """The same seed gives the same order, lowest lot first; another one can give another order."""
    rows = [_row(number) for number in range(1, 9)]
    orders = {seed: _order(rows, order=("points", "lot"), seed=seed) for seed in (1, 2)}
    assert [rank for rank, _ in orders[1]] == list(range(1, 9))
    assert orders[1] == _order(rows[::-1], order=("points", "lot"), seed=1) != orders[2]
    drawn = table(rows, _rules(order=("points", "lot"), seed=1)).standings
    assert [each.tie_breaks[1] for each in drawn] == sorted(each.tie_breaks[1] for each in drawn)  # type: ignore[type-var]  # no lot is None


def test_what_was_counted_elsewhere_decides_and_is_shown_in_points() -> None:
    """Quarter points of Sonneborn-Berger are told in points; who has no value comes last."""
    rows = [_row(number) for number in (1, 2, 3)]
    counted = {"sonneborn_berger": {1: 13, 2: 14, 3: None}}
    found = table(rows, _rules(order=("sonneborn_berger",), counted=counted)).standings
    assert [(each.number, each.tie_breaks) for each in found] == [(2, (3.5,)), (1, (3.25,)), (3, (None,))]


def test_byes_count_as_wins_beside_the_games() -> None:
    """One game won and a whole bye are two wins."""
    rows = [_row(1, wins=1), _row(2, wins=2)]
    assert _order(rows, order=("wins",), counted={"wins": {1: 1}}) == [(1, 1), (1, 2)]


def test_means_decide_where_numbers_of_games_differ() -> None:
    """Two of three is behind one of one by the mean of a game, and the table says that means decided."""
    rows = [_row(1, games=3, half_points=4, score_own=30), _row(2, games=1, half_points=2, score_own=11)]
    found = table(rows, _rules(means=True))
    assert found.means == ("points", "discs", "time")
    assert [(each.number, each.points, each.tie_breaks[0]) for each in found.standings] == [
        (2, 1.0, 1.0),
        (1, 2.0, 0.667),
    ]
    assert table(rows, _rules()).means == ("discs", "time")
    assert _order(rows) == [(1, 1), (2, 2)]
    same = table([_row(1, games=3), _row(2, games=3)], _rules(means=True))
    assert not same.means


@pytest.mark.parametrize(
    ("sense", "step", "best"),
    [
        *(("fewest", "discs", 1), ("most", "discs", 2)),
        *(("fewest", "disc_difference", 1), ("most", "disc_difference", 2)),
        *(("fewest", "time", 1), ("most", "time", 1)),
    ],
)
def test_a_bye_is_no_game_with_nothing_in_it(sense: ScoreSense, step: str, best: int) -> None:
    """In a Swiss one won twice, with 11 discs to 9 in 30 s, the other once, with 7 to 5 in 20 s, and a bye.

    By a game these are 5.5 and 7 discs, differences of 1 and 2, and 15 and 20 s; whole sums say otherwise.
    """
    rows = [
        _row(1, games=2, half_points=4, score_own=11, score_other=9, wall_ns=30),
        replace(_row(2, games=1, half_points=4, score_own=7, score_other=5, wall_ns=20), byes=2),
    ]
    found = table(rows, _rules(sense=sense, order=("points", step)))
    assert found.means == (step,)
    assert [(each.rank, each.number) for each in found.standings] == [(1, best), (2, 3 - best)]


def test_a_game_that_nobody_played_has_neither_discs_nor_time() -> None:
    """Of three games one was a walkover: the discs are those of two; who played none comes last."""
    rows = [
        _row(1, games=3, played=2, score_own=12),
        _row(2, games=3, played=3, score_own=15),
        _row(3, games=3, played=0),
    ]
    found = table(rows, _rules(sense="fewest", order=("discs",), means=True))
    assert [(each.number, each.tie_breaks) for each in found.standings] == [
        (2, (5.0,)),
        (1, (6.0,)),
        (3, (None,)),
    ]


def test_means_leave_out_what_was_no_game() -> None:
    """Half a point of a bye is no part of the mean; without games there is no mean, and the last place."""
    rows = [replace(_row(1, games=2, half_points=3), byes=1), _row(2), _row(3, games=1)]
    found = table(rows, _rules(means=True, order=("points",))).standings
    assert [(each.number, each.tie_breaks) for each in found] == [(1, (0.5,)), (3, (0.0,)), (2, (None,))]


def test_tiers_come_before_the_chain() -> None:
    """Who went further in a bracket is ahead, whatever the points."""
    rows = [_row(1, half_points=9), _row(2, half_points=1), _row(3, half_points=2)]
    assert _order(rows, tiers={1: 1, 2: 0, 3: 1}) == [(1, 2), (2, 1), (3, 3)]


ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 1), st.integers(1, 2)),
    min_size=1,
    max_size=7,
).map(
    lambda found: [
        _row(number, half_points=points, score_own=score, wall_ns=wall, games=games)
        for number, (points, score, wall, games) in enumerate(found, start=1)
    ]
)


@given(
    rows=ROWS,
    random=st.randoms(use_true_random=False),
    sense=st.sampled_from(["fewest", "most", None]),
    order=st.permutations(["points", "direct", "discs", "disc_difference", "wins", "time"]),
    means=st.booleans(),
)
def test_the_order_of_the_rows_never_matters(rows: list[Row], random: Any, **rules: Any) -> None:
    """Shuffled entries give the same leaderboard by any chain, every entry is on it, ranks never fall."""
    met = {(a.number, b.number): (random.randint(0, 2), 1) for a, b in permutations(rows, 2)}
    found = table(rows, _rules(met, **rules | {"order": tuple(rules["order"])}))
    shuffled = rows[:]
    random.shuffle(shuffled)
    assert table(shuffled, _rules(met, **rules | {"order": tuple(rules["order"])})) == found
    assert sorted(each.entry for each in found.standings) == sorted(row.entry for row in rows)
    ranks = [each.rank for each in found.standings]
    assert ranks == sorted(ranks)
    assert all(ranks.index(rank) + 1 == rank for rank in ranks)


def test_the_crosstable_follows_the_leaderboard() -> None:
    """Rows and columns are in the order of the ranks; the diagonal is empty; who has not met has no games."""
    rows = [_row(1, half_points=1), _row(2, half_points=3), _row(3)]
    standings = table(rows, _rules()).standings
    found = crosstable(standings, {(1, 2): (1, 2), (2, 1): (3, 2)})
    assert [each.number for each in found.standings] == [2, 1, 3]
    assert found.cells == (
        (None, Cell(1.5, 2), Cell(0, 0)),
        (Cell(0.5, 2), None, Cell(0, 0)),
        (Cell(0, 0), Cell(0, 0), None),
    )
