"""How long a tournament will take: resampled, and at worst."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from arena.pairing.format import Format
from arena.planning.durations import Durations, Evidence
from arena.planning.rehearsal import Situation, by_chance, depends_on_results, level, stages
from arena.planning.scheduling import Floats
from arena.planning.stages import Stage, completion, worst

RESAMPLES = 200
REHEARSALS = 20
"""How often a format whose length depends on results is rehearsed at most; these share the resamples."""

REHEARSED = 600
"""Entrants of all rehearsals together: of many the mean is the same, and each takes longer."""

CONFIDENCE = 0.9
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


class Crew(NamedTuple):
    """So many workers, and for how long no match may take more than `longest` seconds."""

    workers: int
    longest: float


def forecast(
    fmt: Format,
    now: Situation,
    bots: Sequence[int | None],
    evidence: Evidence,
    crew: Crew,
) -> Forecast:
    """The forecast for a tournament that begins now; `bots` are its entrants' ids, where known.

    Raises:
        FormatError: the format cannot be played by so many.
        EndlessError: it has no end.
    """
    random = np.random.default_rng(SEED)
    chances, most = rehearsed(fmt, now._replace(entrants=tuple(now.entrants)))
    ends = []
    for found in chances:
        durations = Durations(evidence, bots, crew.longest, RESAMPLES // len(chances), random)
        ends.append(completion(found, durations, crew.workers))
    counts = [_total(found) for found in chances]
    extent = fmt.extent(len(now.entrants))
    least = min(counts) if extent is None else extent.games_least
    return Forecast(
        matches=Range(least, float(np.mean(counts)), _total(most)),
        rounds=len(most),
        span=Span.of(np.concatenate(ends)),
        worst=worst(most, crew.workers, crew.longest),
    )


class Rehearsed(NamedTuple):
    """The stages with results by chance, several times, and with results that make the most of them."""

    by_chance: tuple[tuple[Stage, ...], ...]
    most: tuple[Stage, ...]


@lru_cache(maxsize=32)
def rehearsed(fmt: Format, now: Situation) -> Rehearsed:
    """The stages of a tournament, whoever plays and however long it takes; `now` must be hashable.

    Raises:
        FormatError: the format cannot be played by so many.
        EndlessError: it has no end.
    """
    random = np.random.default_rng(SEED)
    chance = by_chance(random)
    count = rehearsals_of(fmt, len(now.entrants))
    found = tuple(tuple(stages(fmt, now, chance, random)) for _ in range(count))
    return Rehearsed(found, tuple(stages(fmt, now, level, random)) if depends_on_results(fmt) else found[0])


def rehearsals_of(fmt: Format, count: int) -> int:
    """How often a format is rehearsed with so many entrants."""
    return max(2, min(REHEARSALS, REHEARSED // max(1, count))) if depends_on_results(fmt) else 1


def mean_match(bots: Sequence[int | None], evidence: Evidence, crew: Crew) -> float:
    """The mean duration of a match between these bots, in seconds."""
    random = np.random.default_rng(SEED)
    durations = Durations(evidence, bots, crew.longest, RESAMPLES, random)
    pairs = random.integers(max(1, len(bots)), size=(RESAMPLES, 2))
    return float(durations.of(pairs).mean())


def _total(found: Iterable[Stage]) -> int:
    return sum(stage.matches for stage in found)


def rest_of(
    rehearse: Callable[[np.random.Generator], Sequence[Stage]],
    bots: Sequence[int | None],
    evidence: Evidence,
    crew: Crew,
    *,
    running: Sequence[tuple[int, int, float]] = (),
    rehearsals: int = 1,
) -> Span:
    """How long it still takes: what `rehearse` finds is left, after matches that are `running`.

    Each of these is told by the places of its bots and for how many seconds it has been going on.
    """
    random = np.random.default_rng(SEED)
    ends = []
    for _ in range(rehearsals):
        left = rehearse(random)
        durations = Durations(evidence, bots, crew.longest, RESAMPLES // rehearsals, random)
        ends.append(completion(left, durations, crew.workers, _busy(durations, running, crew.workers)))
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
