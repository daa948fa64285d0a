"""Circle Nim's kernels against plain play."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.games.circle_nim import CircleNim
from engines.kernels import Batch, find_kernel
from engines.kernels.circle_nim_collecting import collect
from engines.strategies import StrategyError
from engines.strategies.record_sets import RecordSet
from engines.strategies.records import WORTH_KEEPING, make, records
from tests.integration.engines.kernels.playing import check_same, kernel_of, rows

RUN = 0xC1BC1E << 40 | 77
ALGORITHMS = ("algo1:1", "algo1:300:4", "algo2:1", "algo2:300:4", "algo3:1", "algo3:300:4")
UNEVEN = "algo2:9/400:4", "algo3:400/9:4"


@pytest.mark.parametrize("size", range(2, 8))
def test_random_games_are_those_of_plain_play(size: int) -> None:
    """1,000 games of each triangle, move by move."""
    check_same(CircleNim(size), Batch(RUN, 0, 1000, keep_moves=True))


@pytest.mark.parametrize("size", range(2, 8))
@pytest.mark.parametrize("player", ALGORITHMS)
def test_algorithms_play_as_they_do_plainly(size: int, player: str) -> None:
    """Against the random player from both seats, move by move, starting at an odd index."""
    check_same(CircleNim(size), Batch(RUN, 2**40 + 1, 200, swap=True, keep_moves=True), player, "random")


@pytest.mark.parametrize("player", UNEVEN)
def test_either_kind_has_its_number_of_records(player: str) -> None:
    """Algorithms with more records of one kind, against the random player from both seats, as plainly."""
    check_same(CircleNim(4), Batch(RUN, 2**40 + 1, 200, swap=True, keep_moves=True), player, "random")


@pytest.mark.parametrize("first", ALGORITHMS[1::2])
@pytest.mark.parametrize("second", ["random", *ALGORITHMS[1::2]])
def test_each_algorithm_meets_each(first: str, second: str) -> None:
    """1,000 games of five rows a pair, move by move, with and without exchanging seats."""
    for swap in (True, False):
        check_same(CircleNim(5), Batch(RUN, 500, 500, swap=swap, keep_moves=True), first, second)


@pytest.mark.parametrize("players", [("random", "random"), ("algo3:50", "random")])
def test_the_ply_limit_draws_as_in_plain_play(players: tuple[str, str]) -> None:
    """Limits around the length of games: an end at the very limit counts as one by the rules."""
    ends = {}
    for limit in range(1, 11):
        batch = Batch(RUN, 0, 100, swap=True, max_plies=limit, keep_moves=True)
        ends[limit] = {played.end for played in check_same(CircleNim(4), batch, *players)}
    assert (ends[1], ends[5], ends[10]) == ({2}, {0, 2}, {0})


@pytest.mark.parametrize("players", [("random", "random"), ("algo2:100", "algo3:70:1")])
def test_batches_can_be_cut_anywhere(players: tuple[str, str]) -> None:
    """A game depends on its index alone, and not on the batch in which it is played."""
    kernel = kernel_of(CircleNim(5), *players)
    whole = rows(kernel.play(Batch(RUN, 3, 40, swap=True, keep_moves=True)))
    parts = [
        rows(kernel.play(Batch(RUN, start, stop - start, swap=True, keep_moves=True)))
        for start, stop in ((3, 4), (4, 4), (4, 21), (21, 43))
    ]
    assert [game for part in parts for game in part] == whole


@pytest.mark.parametrize("size", range(2, 8))
def test_compiled_records_are_the_plain_ones(size: int) -> None:
    """Both seats, won and lost, byte by byte."""
    for which in (RecordSet(size, 0, True, 500, 3), RecordSet(size, 1, False, 77, 2**53 - 1)):
        assert collect(which).tobytes() == make(which).packed


def test_many_records_are_compiled_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond some thousands they are made by the kernel, once for all processes: the same as made slowly."""
    monkeypatch.setenv("ARENA_TABLES_DIR", str(tmp_path))
    which = RecordSet(3, 1, True, WORTH_KEEPING, 1)
    assert records(which).packed == make(which).packed
    assert [path.name.rpartition("-")[0] for path in tmp_path.glob("*.table")] == [
        f"circle_nim-records-1-won-{WORTH_KEEPING}-1"
    ]


def test_other_players_have_no_kernel() -> None:
    """An algorithm and a player that chooses by position play plainly; a wrong one is refused."""
    assert find_kernel(CircleNim(3), "algo1:10", "perfect") is None
    with pytest.raises(StrategyError, match="records"):
        find_kernel(CircleNim(3), "random", "algo1:0")
