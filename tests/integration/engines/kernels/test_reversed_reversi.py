"""Compiled Reversi against the plain rules."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from engines.game import Game
from engines.games import find_game
from engines.games.reversed_reversi import ReversedReversi
from engines.kernels import Batch, Playouts, find_kernel
from engines.kernels.reversed_reversi import RandomReversi
from engines.strategies import StrategyError
from engines.stream import run_key
from tests.integration.engines.kernels.playing import check_same, kernel_of

RUN = run_key(11, 4)
ARRAYS = ("winners", "plies", "scores", "ends", "moves")

ELSEWHERE = """
import json
from engines.games import find_game
from engines.kernels import Batch, find_kernel
from engines.kernels.arithmetic import PDEP

kernel = find_kernel(find_game("reversed_reversi"), "random", "random")
played = kernel.play(Batch({run}, 0, 1000, keep_moves=True))
print(json.dumps([PDEP, played.winners.tolist(), played.moves.tolist()]))
"""


def reversi(size: int = 8, *, fewest: bool = True) -> Game[Any]:
    """Reversi on `size` by `size` squares."""
    return find_game("reversed_reversi", {"size": size, "reversed": fewest})


def listed(playouts: Playouts) -> list[Any]:
    """All that a batch says, to be compared."""
    return [getattr(playouts, name).tolist() for name in ARRAYS]


@pytest.mark.parametrize("fewest", [True, False])
@pytest.mark.parametrize("size", [4, 6, *(pytest.param(size, marks=pytest.mark.long) for size in (8, 10))])
def test_a_thousand_games_are_the_same_move_by_move(size: int, fewest: bool) -> None:
    """Every size under both rules: moves with passes, winners, plies and discs are those of the rules."""
    games = check_same(reversi(size, fewest=fewest), Batch(RUN, 5, 1000, keep_moves=True))
    assert {game.winner for game in games} == {-1, 0, 1}
    assert any(size * size in game.moves for game in games)


@pytest.mark.parametrize("size", [4, 8])
@pytest.mark.parametrize("limit", [1, 2, 8, 9, 10, 11, 12, 13, 57, 58, 59, 60, 61, 62, 63])
def test_a_ply_limit_draws_where_the_match_would(size: int, limit: int) -> None:
    """A limit before the end, on a pass, at the very end or after it draws the games that it should."""
    check_same(reversi(size), Batch(RUN, 0, 200, repetition=3, max_plies=limit, keep_moves=True))


def test_limits_fall_on_passes_and_on_last_moves() -> None:
    """Among the games tested above are some that pass at a limit, and some whose last move is at one."""
    played = kernel_of(reversi()).play(Batch(RUN, 0, 200, keep_moves=True))
    assert played.moves is not None
    passes = {ply for row in played.moves.tolist() for ply, move in enumerate(row) if move == 64}
    assert passes & {57, 58, 59, 60}
    assert {59, 60, 61} <= set(played.plies.tolist())


@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 40])
def test_a_batch_of_any_size_has_the_same_games(count: int) -> None:
    """Fewer games than lanes, as many, and more: game by game what one large batch has."""
    kernel = kernel_of(reversi())
    large = kernel.play(Batch(RUN, 0, 100))
    small = kernel.play(Batch(RUN, 30, count))
    for name in ARRAYS[:-1]:
        assert getattr(small, name).tolist() == getattr(large, name)[30 : 30 + count].tolist()


def test_seats_make_no_difference_between_equal_players() -> None:
    """Swapped seats give the same games, since both players are the same."""
    kernel = kernel_of(reversi())
    batch = Batch(RUN, 0, 100, keep_moves=True)
    assert listed(kernel.play(batch)) == listed(kernel.play(replace(batch, swap=True)))


def test_games_in_lanes_and_one_by_one_are_the_same() -> None:
    """Both compiled ways play the same 20,000 games on 8x8 squares."""
    game = ReversedReversi()
    batch = Batch(RUN, 2**52, 20_000, keep_moves=True)
    in_lanes, one_by_one = (RandomReversi(game, in_lanes=way).play(batch) for way in (True, False))
    assert listed(in_lanes) == listed(one_by_one)


def test_a_processor_without_pdep_plays_the_same_games() -> None:
    """Compiled for the plainest processor of this kind, with none of its extensions, games stay the same."""
    environment = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    command = [sys.executable, "-c", ELSEWHERE.format(run=RUN)]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=800)
    pdep, winners, moves = json.loads(said.stdout)
    here = kernel_of(reversi()).play(Batch(RUN, 0, 1000, keep_moves=True))
    assert here.moves is not None
    assert not pdep
    assert winners == here.winners.tolist()
    assert moves == here.moves.tolist()


def test_a_rectangle_has_no_kernel() -> None:
    """It is played by the plain rules; a player that there is not is refused all the same."""
    game = ReversedReversi(6, rows=4)
    assert find_kernel(game, "random", "random") is None
    with pytest.raises(StrategyError, match="no player 'algo1'"):
        find_kernel(game, "random", "algo1")


def test_only_random_players_have_a_kernel() -> None:
    """A player that Reversi does not have is refused, not played as something else."""
    with pytest.raises(StrategyError, match="no player 'algo1'"):
        find_kernel(reversi(), "random", "algo1")
