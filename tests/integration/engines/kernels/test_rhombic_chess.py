"""The kernel of random rhombic chess, against games played plainly."""

from __future__ import annotations

import pytest

from engines.games.rhombic_chess import RhombicChess
from engines.kernels import Batch
from engines.stream import run_key
from tests.integration.engines.kernels.playing import check_cuts, check_same, check_seats

GAME = RhombicChess()
RUN = run_key(4, 4)


def test_a_thousand_games_are_those_of_plain_play() -> None:
    """Under the game's own policy every move and result agrees, and all three kinds of end come up."""
    played = check_same(GAME, Batch(RUN, 0, 1000, repetition=3, max_plies=500, keep_moves=True))
    assert {each.end for each in played} == {0, 1, 2}
    assert {each.winner for each in played} == {0, 1, -1}
    assert any(len(each.moves) == 10 for each in played), "a game ended with the last stone placed"


@pytest.mark.parametrize(
    ("repetition", "max_plies", "ends"),
    [
        (0, 500, {0, 2}),
        (0, 0, {0}),
        (2, 0, {0, 1}),
        (2, 20, {0, 1, 2}),
        (1000, 300, {0, 2}),
        (3, 1, {2}),
        (3, 9, {2}),
        (3, 10, {0, 2}),
        (2, 11, {0, 2}),
    ],
)
def test_every_draw_policy_is_kept(repetition: int, max_plies: int, ends: set[int]) -> None:
    """Repetition and ply limit, each alone, both and neither, draw the games that they draw in plain play.

    Limits up to ten plies draw while stones are still placed, or just when the last one is.
    """
    batch = Batch(RUN, 5000, 400, repetition=repetition, max_plies=max_plies, keep_moves=True)
    assert {each.end for each in check_same(GAME, batch)} == ends


def test_batches_may_be_cut_anywhere() -> None:
    """A game depends on its index and not on where its batch began; a batch may be empty."""
    check_cuts(GAME, Batch(RUN, 2**40, 400, repetition=3, max_plies=500, keep_moves=True))


def test_seats_make_no_difference() -> None:
    """Swapping two equal players changes nothing: winners are seats."""
    check_seats(GAME, Batch(RUN, 0, 100, repetition=3, max_plies=500, keep_moves=True))
