"""The kernel of random heap Nim, against games played plainly."""

from __future__ import annotations

from typing import Any

import pytest

from engines.games.heap_nim import HeapNim
from engines.games.l_game import LGame
from engines.kernels import Batch, find_kernel, heap_nim
from engines.strategies import StrategyError
from engines.stream import run_key
from tests.integration.engines.kernels.playing import check_cuts, check_same, check_seats, kernel_of, rows

RUN = run_key(11, 2)
GAMES = [
    HeapNim(),
    HeapNim(misere=True),
    HeapNim((1, 1, 1)),
    HeapNim((1, 1, 1, 1), misere=True),
    HeapNim((9, 1, 7, 2), misere=True),
    HeapNim((60, 50, 40)),  # too many positions for a table, as are those that follow
    HeapNim((1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
    HeapNim((1, 2, 3, 4, 5, 6, 7, 8, 9, 10), misere=True),
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_thousand_games_are_those_of_plain_play(game: HeapNim) -> None:
    """Every move and every result is that of the rules, the random player and the game's stream."""
    played = check_same(game, Batch(RUN, 0, 1000, keep_moves=True))
    assert {each.end for each in played} == {0}
    assert {each.winner for each in played} <= {0, 1}


@pytest.mark.parametrize("misere", [False, True])
def test_the_largest_heaps_are_drawn_from_as_in_plain_play(misere: bool) -> None:
    """Ten heaps of 500, the most that the rules allow, have 5,000 moves to draw from."""
    check_same(HeapNim((500,) * 10, misere=misere), Batch(RUN, 7, 20, keep_moves=True))


@pytest.mark.parametrize("game", [HeapNim(), HeapNim((60, 50, 40), misere=True)], ids=str)
@pytest.mark.parametrize("max_plies", [1, 2, 3, 5])
def test_a_ply_limit_draws_what_has_not_ended_by_then(game: HeapNim, max_plies: int) -> None:
    """Games are cut off by the limit, except those whose end comes with that very ply."""
    played = check_same(game, Batch(RUN, 0, 1000, max_plies=max_plies, keep_moves=True))
    assert max(len(each.moves) for each in played) == max_plies
    assert 2 in {each.end for each in played}


def test_repetition_draws_nothing_where_nothing_can_repeat() -> None:
    """A policy with repetition changes no game of Nim."""
    assert check_same(HeapNim(), Batch(RUN, 0, 100, repetition=2, keep_moves=True)) == rows(
        kernel_of(HeapNim()).play(Batch(RUN, 0, 100, keep_moves=True))
    )


@pytest.mark.parametrize("game", [HeapNim(), HeapNim((60, 50, 40))], ids=str)
def test_batches_may_be_cut_anywhere(game: HeapNim) -> None:
    """A game depends on its index and not on where its batch began; a batch may be empty."""
    check_cuts(game, Batch(RUN, 2**40, 400, keep_moves=True))


def test_seats_make_no_difference() -> None:
    """Swapping two equal players changes nothing: winners are seats."""
    check_seats(HeapNim(), Batch(RUN, 0, 200, keep_moves=True))


def test_both_ways_through_the_heaps_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of successors and counting the heaps off give the same games."""
    by_table = rows(kernel_of(HeapNim()).play(Batch(RUN, 0, 500, keep_moves=True)))
    monkeypatch.setattr(heap_nim, "LONGEST_TABLE", 0)
    assert rows(kernel_of(HeapNim()).play(Batch(RUN, 0, 500, keep_moves=True))) == by_table


@pytest.mark.parametrize("game", [HeapNim(), LGame()], ids=str)
def test_players_that_do_not_exist_are_refused(game: Any) -> None:
    """An unknown name is an error, not a missing kernel."""
    with pytest.raises(StrategyError, match="no player 'nobody'"):
        find_kernel(game, "random", "nobody")
