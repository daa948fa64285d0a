"""How long pairing takes, and what it holds in memory: `python -m benchmarks.pairing`.

Each Swiss plays some rounds with random results among strengths that differ; the slowest round counts. The
round robins are streamed, every round made and forgotten. Every line runs in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from random import Random

from arena.theory.pairing.contract import Entrant, Kind, Meeting, Pairing
from arena.theory.pairing.format import Planned
from arena.theory.pairing.formats import find_format
from arena.theory.pairing.schedule import expand

SWISS = {"swiss": (1_000, 10, 10.0), "swiss_dutch": (40, 7, 10.0), "swiss_dutch:200": (200, 2, 600.0)}
"""Entrants, rounds, and the processor seconds that a round may take."""

STREAMED = {"round_robin": (1_000, 1), "double_round_robin": (1_000, 2)}
"""Entrants and cycles."""

LIMIT_MEGABYTES = 5.0


def main() -> int:
    """Print all; 1 if anything took more than it may."""
    if len(sys.argv) > 1:
        return measured(sys.argv[1])
    return max(
        subprocess.call([sys.executable, "-m", "benchmarks.pairing", name]) for name in (*SWISS, *STREAMED)
    )


def measured(name: str) -> int:
    """Print one line; 1 if it took more than it may."""
    if name in SWISS:
        entrants, rounds, limit = SWISS[name]
        slowest = max(swiss(name.partition(":")[0], entrants, rounds))
        print(
            f"{name:<20}{entrants:>6,} entrants {slowest:9.2f} s the slowest of {rounds} rounds", flush=True
        )
        return slowest > limit
    entrants, _ = STREAMED[name]
    games, seconds, peak = streamed(name, entrants)
    print(
        f"{name:<20}{entrants:>6,} entrants {seconds:9.2f} s for {games:,} games, at most {peak:.2f} MB held"
    )
    return peak > LIMIT_MEGABYTES


def swiss(name: str, entrants: int, rounds: int) -> list[float]:
    """The processor seconds that each round took."""
    fmt, chance = find_format(name, {"rounds": rounds}), Random(1)
    known = [Entrant(number) for number in range(1, entrants + 1)]
    meetings: list[Meeting] = []
    seconds = []
    for number in range(1, rounds + 1):
        began = time.process_time()
        pairings = fmt.next_round(known, meetings, number, 7)
        seconds.append(time.process_time() - began)
        meetings += [_met(number, each, entrants, chance) for each in pairings or ()]
    return seconds


def streamed(name: str, entrants: int) -> tuple[int, float, float]:
    """Games, processor seconds, and megabytes at most, of a whole schedule that nobody keeps.

    Memory is measured in a second pass, as that takes longer.
    """
    known = [Entrant(number) for number in range(1, entrants + 1)]
    began = time.process_time()
    games = _count(name, known)
    seconds = time.process_time() - began
    tracemalloc.start()
    _count(name, known)
    return games, seconds, tracemalloc.get_traced_memory()[1] / 1e6


def _count(name: str, known: list[Entrant]) -> int:
    fmt = find_format(name)
    assert isinstance(fmt, Planned)
    return sum(1 for number, pairings in fmt.rounds(known) for _ in expand(pairings, number))


def _met(number: int, pairing: Pairing, entrants: int, chance: Random) -> Meeting:
    if pairing.second is None:
        return Meeting(number, pairing.first, None, (2, 0), 1, Kind.BYE)
    better = 1 / (1 + 10 ** (3 * (pairing.first - pairing.second) / entrants))
    half = 1 if chance.random() < 0.1 else 2 * (chance.random() < better)
    return Meeting(number, pairing.first, pairing.second, (half, 2 - half))


if __name__ == "__main__":
    sys.exit(main())
