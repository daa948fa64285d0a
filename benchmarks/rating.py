"""How long it takes to rate 1,000 bots from 1,000,000 results: `python -m benchmarks.rating`.

The time is that of a fit from pairs that are counted already. choix (`make bench` installs it) gets games
without draws and seats, ten times fewer, and both must find the same strengths.
"""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec

import numpy as np

from arena.theory.rating.counts import Counts, Ints
from arena.theory.rating.davidson import Model
from arena.theory.rating.fit import fit, maximise

BOTS = 1_000
RESULTS = 1_000_000
LIMIT_SECONDS = 0.5
ROUNDS = 5


def drawn(games: int, *, ties: bool, seed: int = 1) -> Counts:
    """So many results between bots whose strengths are normal with a deviation of 200 Elo."""
    random = np.random.default_rng(seed)
    strengths = random.normal(0, 200 * np.log(10) / 400, BOTS)
    first = random.integers(0, BOTS, games)
    second = (first + random.integers(1, BOTS, games)) % BOTS
    half = (strengths[first] - strengths[second] + (0.15 if ties else 0)) / 2
    weights = np.stack([np.exp(half), np.full(games, 0.4 if ties else 0), np.exp(-half)], axis=1)
    chances = weights.cumsum(axis=1) / weights.sum(axis=1, keepdims=True)
    ends = (random.random((games, 1)) > chances).sum(axis=1)
    outcomes: Ints = np.zeros((games, 3), dtype=np.int64)
    outcomes[np.arange(games), ends] = 1
    return Counts.of_arrays(BOTS, first, second, outcomes)


def main() -> int:
    """Print the times; 1 if the best fit took longer than it may."""
    counts = drawn(RESULTS, ties=True)
    fits, wholes = [], []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        maximise(Model(counts, seat=True, draws=True))
        fits.append(time.perf_counter() - began)
        began = time.perf_counter()
        fit(counts)
        wholes.append(time.perf_counter() - began)
    print(f"{BOTS:,} bots, {counts.games.sum():,} results in {len(counts.first):,} ordered pairs")
    print(f"fit                        {min(fits):.3f} s (median {np.median(fits):.3f} s)")
    print(f"with checks and errors     {min(wholes):.3f} s (median {np.median(wholes):.3f} s)")
    _against_choix()
    return min(fits) > LIMIT_SECONDS


def _against_choix() -> None:
    counts = drawn(RESULTS // 10, ties=False)
    began = time.perf_counter()
    ours = maximise(Model(counts, seat=False, draws=False))
    seconds = time.perf_counter() - began
    print(f"{RESULTS // 10:,} results          {seconds:.3f} s")
    if find_spec("choix") is None:
        print("choix is not installed (make bench installs it)")
        return
    import choix  # noqa: PLC0415 - only in the bench group

    games = [
        pair
        for first, second, (wins, _, losses) in zip(counts.first, counts.second, counts.outcomes, strict=True)
        for pair in [(int(first), int(second))] * int(wins) + [(int(second), int(first))] * int(losses)
    ]
    began = time.perf_counter()
    theirs = choix.opt_pairwise(BOTS, games)
    seconds = time.perf_counter() - began
    furthest = np.abs(theirs - theirs.mean() - ours).max()
    print(f"choix.opt_pairwise         {seconds:.3f} s; strengths differ by at most {furthest:.1e}")


if __name__ == "__main__":
    sys.exit(main())
