"""Which printed figures belong to which games."""

from __future__ import annotations

import pytest

from arena.documents import circle_nim
from arena.documents.figures import printed


@pytest.mark.parametrize("table", circle_nim.ALGORITHM_TABLES, ids=lambda table: f"table-{table.number}")
def test_each_column_of_an_algorithm_is_found_by_its_player(table: circle_nim.AlgorithmTable) -> None:
    """Rows, algorithm and records find one column, whatever the seed, and its wins make its mean."""
    for column in table.columns:
        player = f"algo{table.algorithm}:{column.records}:7"
        (found,) = printed("circle_nim", {"rows": table.rows}, player, "random")
        assert (found.table, found.runs, found.mean) == (f"table-{table.number}", column.runs, column.mean)
        assert found.same_records
        assert found.games == 3000
        assert found.wins / found.games == pytest.approx(float(column.mean), abs=0.0011)


def test_random_play_is_found_in_both_tables() -> None:
    """Five rows stand in table 1 with four numbers of games, and in table 2 with one."""
    found = printed("circle_nim", {"rows": 5}, "random", "random")
    assert [(each.table, each.games) for each in found] == [
        *(("table-1", 5 * games) for games in (100, 1000, 10_000, 100_000)),
        ("table-2", 50_000),
    ]
    assert not any(each.same_records for each in found)
    assert found[0].wins == 237


@pytest.mark.parametrize(
    ("game", "params", "first", "second"),
    [
        ("heap_nim", {"heaps": [3, 4, 5]}, "random", "random"),
        ("circle_nim", {"rows": 7}, "random", "random"),
        ("circle_nim", {"rows": 6}, "algo1:100:0", "random"),
        ("circle_nim", {"rows": 5}, "algo1:500:0", "random"),
        ("circle_nim", {"rows": 5}, "algo1:100:0", "algo1:100:0"),
        ("circle_nim", {"rows": 5}, "perfect", "random"),
        ("circle_nim", {}, "random", "random"),
    ],
)
def test_other_games_are_printed_nowhere(
    game: str, params: dict[str, object], first: str, second: str
) -> None:
    """Another game, other rows, other records or other players find nothing."""
    assert printed(game, params, first, second) == ()
