"""List scheduling of many resamples at once is that of each alone."""

from __future__ import annotations

import heapq

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.planning.scheduling import longest_stage, makespans

LISTS = st.lists(st.integers(0, 20), max_size=12)
few = settings(max_examples=60, deadline=None)


def _one(durations: list[int], workers: int, busy: list[int] | None = None) -> int:
    """When the last match ends, worker by worker with a heap."""
    free = list(busy or [0] * workers)
    heapq.heapify(free)
    for duration in durations:
        heapq.heapreplace(free, free[0] + duration)
    return max(free)


@few
@given(rows=st.lists(LISTS, min_size=1, max_size=4), workers=st.integers(1, 5), seed=st.integers(0, 99))
def test_every_resample_is_scheduled_by_itself(rows: list[list[int]], workers: int, seed: int) -> None:
    """All rows at once give what a heap gives for each, with workers that are free at different times."""
    width = max(map(len, rows))
    table = np.array([row + [0] * (width - len(row)) for row in rows], dtype=float).reshape(len(rows), width)
    busy = np.random.default_rng(seed).integers(0, 30, (len(rows), workers)).astype(float)
    found = makespans(table, workers, busy)
    assert found.tolist() == [_one(row, workers, [*b]) for row, b in zip(rows, busy.astype(int), strict=True)]
    assert makespans(table, workers).tolist() == [_one(row, workers) for row in rows]


@few
@given(durations=LISTS, workers=st.integers(1, 6))
def test_it_is_never_longer_with_more_workers_or_shorter_matches(durations: list[int], workers: int) -> None:
    """Within a stage list scheduling has no anomalies."""
    row = np.array([durations], dtype=float).reshape(1, len(durations))
    longer = makespans(row, workers)[0]
    assert makespans(row, workers + 1)[0] <= longer
    assert makespans(np.maximum(row - 1, 0), workers)[0] <= longer


@few
@given(durations=LISTS, workers=st.integers(1, 6))
def test_it_keeps_grahams_bounds(durations: list[int], workers: int) -> None:
    """It takes at least the mean load and the longest match, and at most the worst case."""
    row = np.array([durations], dtype=float).reshape(1, len(durations))
    found = makespans(row, workers)[0]
    longest = max(durations, default=0)
    assert max(sum(durations) / workers, longest) <= found <= longest_stage(len(durations), workers, longest)


def test_nothing_is_played_without_workers() -> None:
    """No workers, or a wrong number of those that are busy, is an error."""
    with pytest.raises(ValueError, match="one worker"):
        makespans(np.zeros((1, 1)), 0)
    with pytest.raises(ValueError, match="shape"):
        makespans(np.zeros((1, 1)), 2, np.zeros((1, 1)))
