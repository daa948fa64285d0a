"""The judgement of Reversi positions: its patterns are read right, and it knows who stands better."""

from __future__ import annotations

from statistics import correlation

import pytest

from bots.reference.endgame import Endgame
from bots.reference.judge import MIX, Judge, instances, judge
from bots.reference.weights import COUNTS, STAGES, load
from engines.bitboards import bits, geometry, placements
from engines.games.reversed_reversi import SIZES, ReversedReversi, State
from engines.symmetry import moved, of_board
from tests.unit.bots.reference.questions import endings, walks


def patterns(judgement: Judge, size: int, state: State) -> int:
    """What the patterns are worth to the mover."""
    return judgement.patterns(state.own | state.opp << size * size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("fewest", [True, False])
def test_patterns_are_read_square_by_square(size: int, fewest: bool) -> None:
    """The regions' sums are those of a plain walk from every corner in both directions."""
    discs = size * size // 2
    judgement = judge(size, discs, fewest=fewest)
    stage = max(at for at in range(len(STAGES) - 1) if STAGES[at] <= 32)
    low, high = load(size, fewest=fewest)[stage : stage + 2]
    share = round(MIX * (32 - STAGES[stage]) / (STAGES[stage + 1] - STAGES[stage]))
    for state in list(walks(ReversedReversi(size), 2))[::5]:
        assert patterns(judgement, size, state) == sum(
            8 * ((MIX - share) * low.patterns[kind][index] + share * high.patterns[kind][index])
            for kind, index in plain(size, state)
        )


def plain(size: int, state: State) -> list[tuple[int, int]]:
    """Each pattern's number and index at each corner, read without any bit tricks."""
    board = [
        [int(state.own >> size * r + c & 1) + 2 * int(state.opp >> size * r + c & 1) for c in range(size)]
        for r in range(size)
    ]
    shapes = (
        (0, [(r, c) for r in range(3) for c in range(3)]),
        (1, [(r, c) for r in range(2) for c in range(5)]),
        (2, [(r, c) for r in range(1, 4) for c in range(1, 4)]),
    )
    found = []
    for turned in range(8):
        view = [list(row) for row in zip(*board, strict=True)] if turned & 4 else board
        view = view[::-1] if turned & 2 else view
        view = [row[::-1] for row in view] if turned & 1 else view
        for kind, squares in shapes:
            if kind == 1 or turned < 4:
                digits = [view[r][c] if r < size and c < size else 0 for r, c in squares]
                found.append((kind, sum(digit * 3**place for place, digit in enumerate(digits))))
    return found


@pytest.mark.parametrize("size", SIZES)
def test_turning_the_board_changes_no_value(size: int) -> None:
    """All eight views of a position are worth the same."""
    judgement = judge(size, size * size // 2, fewest=True)
    for own, opp, seat in list(walks(ReversedReversi(size), 1))[::6]:
        views = [State(moved(own, each), moved(opp, each), seat) for each in of_board(size)]
        assert len({patterns(judgement, size, view) for view in views}) == 1


@pytest.mark.parametrize("size", SIZES)
def test_every_square_of_a_region_is_in_its_mask(size: int) -> None:
    """Each side and each corner is a region, and together they hold the whole edge of the board."""
    judgement = judge(size, 20, fewest=True)
    both = 0
    for region, places in zip(judgement.regions, instances(size), strict=True):
        assert {square for place in places for square, _ in place.squares} == {
            1 << at for at in bits(region.mask & (1 << size * size) - 1)
        }
        both |= region.mask
    edge = {at for at in range(size * size) if at % size in (0, size - 1) or at // size in (0, size - 1)}
    assert edge <= set(bits(both & (1 << size * size) - 1))


@pytest.mark.parametrize("size", [6, 8])
@pytest.mark.parametrize("fewest", [True, False])
def test_it_foresees_the_result(size: int, fewest: bool) -> None:
    """With eight squares left, judgement and exact score go together."""
    game = ReversedReversi(size, reversed=fewest)
    judged, exact = [], []
    for state in endings(game, 20, empty=8):
        judgement = judge(size, size * size - 8, fewest=fewest)
        moves = placements(state.own, state.opp, geometry(size))
        judged.append(patterns(judgement, size, state) + counted(judgement, size, state))
        solver = Endgame(size, fewest=fewest)
        solver.deadline = float("inf")
        exact.append(solver.value(state.own, state.opp, moves, -100, 100))
    assert correlation(judged, exact) > 0.6


def counted(judgement: Judge, size: int, state: State) -> int:
    """What the counts are worth to the mover, from the engine's own rules."""
    own, opp, _ = state
    geo = geometry(size)
    empty = geo.full & ~(own | opp)
    tables = judgement.counts
    numbers = (
        placements(own, opp, geo).bit_count(),
        placements(opp, own, geo).bit_count(),
        beside(own, size, empty),
        beside(opp, size, empty),
    )
    assert len(numbers) == COUNTS
    return (
        sum(table[number] for table, number in zip(tables[:COUNTS], numbers, strict=True))
        + tables.parity[empty.bit_count() & 1]
    )


def beside(discs: int, size: int, empty: int) -> int:
    """How many empty squares lie next to a disc."""
    taken = [divmod(square, size) for square in bits(discs)]
    return sum(
        any(max(abs(square // size - row), abs(square % size - column)) == 1 for row, column in taken)
        for square in bits(empty)
    )
