"""The documents' figures as they were copied: sums and means that must fit, and slips that are theirs."""

from __future__ import annotations

import statistics
from decimal import Decimal

from arena.documents import circle_nim, heap_nim, l_game, reversed_reversi, rhombic_chess


def test_means_of_the_algorithms_tables_follow_from_their_runs() -> None:
    """All 36 printed means are those of the three printed runs, so no run was copied wrongly by much."""
    for table in circle_nim.ALGORITHM_TABLES:
        for column in table.columns:
            mean = statistics.mean(map(Decimal, column.runs))
            assert abs(mean - Decimal(column.mean)) <= Decimal("0.0005"), (table.number, column)


def test_tables_3_to_11_are_all_there() -> None:
    """Nine tables: every algorithm with five, four and three rows, four columns each."""
    found = [(table.number, table.algorithm, table.rows) for table in circle_nim.ALGORITHM_TABLES]
    expected = [(3 + at, 1 + at // 3, 5 - at % 3) for at in range(9)]
    assert found == expected
    assert all(
        tuple(column.records for column in table.columns) == circle_nim.RECORDS
        for table in circle_nim.ALGORITHM_TABLES
    )


def test_only_one_mean_of_tables_1_and_2_does_not_follow() -> None:
    """Of the eight columns only that of 1000 games has a mean that its runs do not give."""
    wrong = [
        column.games
        for column in (*circle_nim.TABLE_1, *circle_nim.TABLE_2)
        if abs(statistics.mean(map(Decimal, column.runs)) - Decimal(column.mean)) > Decimal("0.00005")
    ]
    assert wrong == [1000]


def test_every_run_of_random_play_is_a_whole_number_of_games() -> None:
    """A printed rate times its games is a whole number: no digit is missing."""
    for column in (*circle_nim.TABLE_1, *circle_nim.TABLE_2):
        assert all((Decimal(run) * column.games) % 1 == 0 for run in column.runs)


def test_the_l_game_histograms_add_up_to_the_printed_sums() -> None:
    """36736 positions with a mean of 88.89 following ones, 12288 of them WinNodes."""
    assert sum(l_game.HISTOGRAM) == l_game.POSITIONS == 2 * l_game.POSITIONS_A_SIDE
    assert sum(l_game.WIN_NODE_HISTOGRAM) == l_game.WIN_NODES == 2 * l_game.WIN_NODES_A_SIDE
    children = sum(a * b for a, b in zip(l_game.CHILDREN, l_game.HISTOGRAM, strict=True))
    assert f"{children / l_game.POSITIONS:.2f}" == l_game.MEAN_CHILDREN
    assert sum(l_game.ROUNDS) == 2 * l_game.SPECIAL_A_SIDE == 16 * l_game.SPECIAL_UP_TO_SYMMETRY


def test_the_rows_of_rhombic_chess_add_up() -> None:
    """In every row won, lost and drawn positions are all positions."""
    assert [row.stones for row in rhombic_chess.ROWS] == list(range(10, -1, -1))
    assert all(row.positions == row.wins + row.losses + row.draws for row in rhombic_chess.ROWS)


def test_the_worked_example_of_heap_nim_is_one_move() -> None:
    """The heaps before and after differ in the heap named, which then holds what the hint leaves."""
    before, after = list(heap_nim.HEAPS), list(heap_nim.HEAPS_AFTER)
    assert after[heap_nim.HEAP - 1] == heap_nim.LEFT
    before[heap_nim.HEAP - 1] = heap_nim.LEFT
    assert before == after


def test_the_reversi_results_are_of_full_boards() -> None:
    """Both results have 64 discs, and the opening is 8 by 8 with two discs a side and four marked squares."""
    assert all(sum(each.discs for each in result.entrants) == 64 for result in reversed_reversi.RESULTS)
    squares = [value for row in reversed_reversi.OPENING for value in row]
    assert len(squares) == 64
    assert [squares.count(value) for value in (1, 2, 3)] == [2, 2, 4]
