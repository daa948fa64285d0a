"""Counting how often games come to their positions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from engines.kernels.arithmetic import U64
from engines.kernels.repetition import next_floor, times_seen
from engines.stream import Stream


@pytest.mark.parametrize("most", [2, 3, 50, 1000])
def test_every_game_is_counted_on_its_own(most: int) -> None:
    """In every game, also after the counts ran out, each count is that of a dictionary."""
    stream, counts, floor = Stream("repetition", most), np.zeros(8, np.uint16), U64(65_300)
    floors = []
    for _ in range(200):
        floor = U64(next_floor(counts, floor, U64(most)))
        floors.append(floor)
        seen: Counter[int] = Counter()
        while max(seen.values(), default=0) < min(most, 20):
            position = stream.below(8)
            seen[position] += 1
            assert times_seen(counts, position, floor) == seen[position]
    assert 0 in floors, "the counts ran out at least once"


def test_as_many_counts_fit_as_a_game_may_ask_for() -> None:
    """Positions are counted up to `most` in the last game before the counts run out, and in the next."""
    counts, most = np.zeros(1, np.uint16), U64(1000)
    floor = U64(2**16 - 1 - 2 * 1000)
    for expected in (2**16 - 1 - 1000, 0):
        floor = U64(next_floor(counts, floor, most))
        assert floor == expected
        assert [times_seen(counts, 0, floor) for _ in range(1000)] == list(range(1, 1001))
