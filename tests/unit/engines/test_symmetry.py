"""Symmetries as permutations: groups of eight, or four, that keep the board."""

from __future__ import annotations

import pytest

from engines.symmetry import Permutation, moved, of_board


def after(one: Permutation, other: Permutation) -> Permutation:
    """The permutation `one` after `other`."""
    return tuple(one[place] for place in other)


@pytest.mark.parametrize("size", [2, 3, 4, 8])
def test_a_square_has_a_group_of_eight(size: int) -> None:
    """Eight different ones, the identity first, closed under doing one after another."""
    found = of_board(size)
    assert len(set(found)) == 8
    assert found[0] == tuple(range(size * size))
    assert {after(one, other) for one in found for other in found} == set(found)


@pytest.mark.parametrize(("columns", "rows"), [(2, 3), (6, 4), (5, 7)])
def test_a_rectangle_has_a_group_of_four(columns: int, rows: int) -> None:
    """Four different ones, the identity first, closed; a corner goes to each corner."""
    found = of_board(columns, rows)
    last = columns * rows - 1
    assert len(set(found)) == 4
    assert found[0] == tuple(range(last + 1))
    assert {after(one, other) for one in found for other in found} == set(found)
    assert {each[0] for each in found} == {0, columns - 1, last - columns + 1, last}


@pytest.mark.parametrize("size", [3, 4])
def test_neighbours_stay_neighbours(size: int) -> None:
    """Squares that share a side do so afterwards."""
    for each in of_board(size):
        for square in range(size * size):
            for step in (1, size):
                if (step == 1 and square % size == size - 1) or square + step >= size * size:
                    continue
                rows, columns = zip(*(divmod(each[at], size) for at in (square, square + step)), strict=True)
                assert abs(rows[0] - rows[1]) + abs(columns[0] - columns[1]) == 1


def test_a_board_is_moved_square_by_square() -> None:
    """The eight images of one knight's jump from the corner of 3 by 3 squares."""
    images = {moved(0b000_100_001, each) for each in of_board(3)}
    assert len(images) == 8
    assert {image.bit_count() for image in images} == {2}
    assert moved(0, of_board(3)[5]) == 0
