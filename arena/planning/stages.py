"""The stages of a tournament: what can be played at once, and after which everybody waits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from arena.planning.durations import Durations, Ints
from arena.planning.scheduling import Floats, longest_stage, makespans

TAIL = 1500
"""So many of a stage's last matches are scheduled one by one; those before keep all workers busy."""


class Stage(NamedTuple):
    """Matches that do not wait for each other.

    `last` are the last of them, a row a match with the places of both bots; `seats` says how many seats each
    bot has in those before.
    """

    last: Ints
    seats: Ints

    @property
    def matches(self) -> int:
        """How many there are."""
        return len(self.last) + int(self.seats.sum()) // 2


def stage_of(pairs: Iterable[tuple[int, int]], bots: int, tail: int = TAIL) -> Stage:
    """The stage of these matches between `bots` bots, in their order; only its end is ever held."""
    seats = np.zeros(bots, dtype=np.int64)
    last: list[tuple[int, int]] = []
    for pair in pairs:
        last.append(pair)
        if len(last) == 2 * tail:
            seats += _seats(last[:tail], bots)
            del last[:tail]
    early = max(0, len(last) - tail)
    seats += _seats(last[:early], bots)
    return Stage(np.array(last[early:], dtype=np.int64).reshape(-1, 2), seats)


def _seats(pairs: Sequence[tuple[int, int]], bots: int) -> Ints:
    return np.bincount(np.array(pairs, dtype=np.int64).ravel(), minlength=bots).astype(np.int64)


def joined(first: Stage, second: Stage) -> Stage:
    """Both as one stage, the matches of `first` before those of `second`."""
    if not second.seats.any():
        return Stage(np.concatenate([first.last, second.last]), first.seats)
    early = np.bincount(first.last.ravel(), minlength=len(first.seats))
    return Stage(second.last, first.seats + early + second.seats)


def completion(
    stages: Iterable[Stage], durations: Durations, workers: int, busy: Floats | None = None
) -> Floats:
    """When the last match of the last stage ends, a number a resample, in seconds.

    Each stage begins when the one before is over, the first as in `arena.planning.scheduling.makespans`.

    Raises:
        ValueError: there is no worker.
    """
    ends = np.zeros(durations.resamples)
    for stage in stages:
        ends = ends + _one(stage, durations, workers, busy)
        busy = None
    return ends if busy is None else busy.max(axis=1)


def _one(stage: Stage, durations: Durations, workers: int, busy: Floats | None) -> Floats:
    if stage.seats.any():
        early = durations.total(stage.seats)[:, None]
        level = early if busy is None else early + busy.sum(axis=1, keepdims=True)
        busy = np.repeat(level / workers, workers, axis=1)
    return makespans(durations.of(stage.last), workers, busy)


def worst(stages: Iterable[Stage], workers: int, longest: float) -> float:
    """How long the stages take where every match is as long as it can be, in seconds."""
    return sum(longest_stage(stage.matches, workers, longest) for stage in stages)
