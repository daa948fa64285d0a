"""How long a tournament will take: resampled, and at worst."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from arena.core.terms import CONFIDENCE
from arena.planning.durations import Durations, DurationSample
from arena.planning.monte_carlo import Progress, by_chance, depends_on_results, level, stages
from arena.planning.scheduling import Floats
from arena.planning.stages import Stage, completion, worst
from arena.theory.pairing.format import Format

RESAMPLES = 200
REHEARSALS = 20
"""How often a format whose length depends on results is simulated at most; these share the resamples."""

REHEARSED = 600
"""Entrants of all runs together: of many the mean is the same, and each takes longer."""

SEED = 20_260_101
"""What resamples are drawn from: the same question has the same answer."""


class Range(NamedTuple):
    """A number that depends on how games end: the least, the mean, and the most."""

    least: int
    expected: float
    most: int


class Span(NamedTuple):
    """Seconds: the mean over the resamples, and the interval that holds `CONFIDENCE` of them."""

    expected: float
    low: float
    high: float

    @classmethod
    def of(cls, ends: Floats) -> Span:
        """The mean and the interval of resampled seconds."""
        outside = (1 - CONFIDENCE) / 2
        low, high = np.quantile(ends, (outside, 1 - outside))
        return cls(float(ends.mean()), float(low), float(high))


@dataclass(frozen=True)
class Forecast:
    """How many matches there are in how many stages, and how long they take.

    `worst` is where every match is as long as it can be and a bracket goes on as long as it can, in seconds.
    """

    matches: Range
    rounds: int
    span: Span
    worst: float


class Resources(NamedTuple):
    """So many workers, and for how long no match may take more than `longest` seconds."""

    workers: int
    longest: float


def forecast(
    fmt: Format,
    now: Progress,
    bots: Sequence[int | None],
    evidence: DurationSample,
    resources: Resources,
) -> Forecast:
    """The forecast for a tournament that begins now; `bots` are its entrants' ids, where known.

    Raises:
        FormatError: the format cannot be played by so many.
        EndlessError: it has no end.
    """
    random = np.random.default_rng(SEED)
    chances, most = simulated(fmt, now._replace(entrants=tuple(now.entrants)))
    ends = []
    for run in chances:
        durations = Durations(evidence, bots, resources.longest, RESAMPLES // len(chances), random)
        ends.append(completion(run, durations, resources.workers))
    counts = [_total(run) for run in chances]
    extent = fmt.extent(len(now.entrants)) if depends_on_results(fmt) else None
    least = min(counts) if extent is None else extent.games_least
    return Forecast(
        matches=Range(least, float(np.mean(counts)), _total(most)),
        rounds=len(most),
        span=Span.of(np.concatenate(ends)),
        worst=worst(most, resources.workers, resources.longest),
    )


class Runs(NamedTuple):
    """The stages with results by chance, several times, and with results that make the most of them."""

    by_chance: tuple[tuple[Stage, ...], ...]
    most: tuple[Stage, ...]


@lru_cache(maxsize=32)
def simulated(fmt: Format, now: Progress) -> Runs:
    """The stages of a tournament, whoever plays and however long it takes; `now` must be hashable.

    Raises:
        FormatError: the format cannot be played by so many.
        EndlessError: it has no end.
    """
    random = np.random.default_rng(SEED)
    chance = by_chance(random)
    count = runs_of(fmt, len(now.entrants))
    chances = tuple(tuple(stages(fmt, now, chance, random)) for _ in range(count))
    return Runs(chances, tuple(stages(fmt, now, level, random)) if depends_on_results(fmt) else chances[0])


def runs_of(fmt: Format, count: int) -> int:
    """How often a format is simulated with so many entrants."""
    return max(2, min(REHEARSALS, REHEARSED // max(1, count))) if depends_on_results(fmt) else 1


def mean_match(bots: Sequence[int | None], evidence: DurationSample, resources: Resources) -> float:
    """The mean duration of a match between these bots, in seconds."""
    random = np.random.default_rng(SEED)
    durations = Durations(evidence, bots, resources.longest, RESAMPLES, random)
    pairs = random.integers(max(1, len(bots)), size=(RESAMPLES, 2))
    return float(durations.of(pairs).mean())


def _total(run: Iterable[Stage]) -> int:
    return sum(stage.matches for stage in run)


def rest_of(
    simulate: Callable[[np.random.Generator], Sequence[Stage]],
    bots: Sequence[int | None],
    evidence: DurationSample,
    resources: Resources,
    *,
    running: Sequence[tuple[int, int, float]] = (),
    runs: int = 1,
) -> Span:
    """How long it still takes: what `simulate` finds is left, after matches that are `running`.

    Each of these is told by the places of its bots and for how many seconds it has been going on.
    """
    random = np.random.default_rng(SEED)
    ends = []
    for _ in range(runs):
        left = simulate(random)
        durations = Durations(evidence, bots, resources.longest, RESAMPLES // runs, random)
        ends.append(
            completion(left, durations, resources.workers, _busy(durations, running, resources.workers))
        )
    return Span.of(np.concatenate(ends))


def _busy(durations: Durations, running: Sequence[tuple[int, int, float]], workers: int) -> Floats:
    """When each worker is free; with more matches running than workers, the first ones end first."""
    pairs = np.array([pair[:2] for pair in running], dtype=np.int64).reshape(-1, 2)
    left = np.sort(durations.left(pairs, np.array([pair[2] for pair in running], dtype=np.float64)), axis=1)
    busy = np.zeros((durations.resamples, workers))
    for match in range(len(running)):
        worker = match % workers
        busy[:, worker] = left[:, match] + (busy[:, worker] if match >= workers else 0)
    return busy
