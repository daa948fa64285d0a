"""How long matches take that so many workers play: each takes the next match of the list when it is free.

That is list scheduling (R. L. Graham, *Bounds on Multiprocessing Timing Anomalies*, SIAM Journal on Applied
Mathematics 17, 1969). The matches of a stage do not wait for each other, so there are no anomalies in it:
with more workers or shorter matches it never takes longer.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


def makespans(durations: Floats, workers: int, busy: Floats | None = None) -> Floats:
    """When the last match ends, for every row of `durations`.

    `durations` has a row a resample and a column a match, in the order of the list, in seconds; `busy`, where
    given, a row a resample and a column for each of the `workers`, which begins when that is over.

    Raises:
        ValueError: there is no worker, or `busy` is not of that shape.
    """
    rows, matches = durations.shape
    if workers < 1:
        raise ValueError("matches need one worker or more")
    if busy is not None and busy.shape != (rows, workers):
        raise ValueError(f"busy has the shape {busy.shape}, not {(rows, workers)}")
    free = np.zeros((rows, workers)) if busy is None else busy.copy()
    every = np.arange(rows)
    for match in range(matches):
        free[every, np.argmin(free, axis=1)] += durations[:, match]
    return np.asarray(free.max(axis=1), dtype=np.float64)


def longest_stage(matches: int, workers: int, longest: float) -> float:
    """How long so many matches take where every one is as long as it can be, in seconds."""
    return -(-matches // workers) * longest
