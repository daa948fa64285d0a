"""Games recorded in columns, beside the kernel that plays them: `python -m benchmarks.columns [--rounds N]`.

On one core, in turns: the kernel alone, which notes the moves of its games as a recording needs them, the
same without noting moves, and `arena simulate`'s way of recording, a part of Parquet a row a game and a row a
ply, with everything counted, encoded, compressed and written. Quoted are medians of processor time and of the
ratios within a round; the games are the same ones, so the sums of plies must be equal.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pyarrow as pa

from engines.games import find_game
from engines.kernels import Batch, Kernel, find_kernel
from engines.stream import run_key
from workers.core.contract import GameSpec, Policy
from workers.play.policy import policy_of
from workers.simulation.chunks import play_chunk
from workers.simulation.compiled import AT_ONCE
from workers.simulation.contract import RowOf, SimulatedPlayer, SimulationSpec
from workers.simulation.parts import Parts

SEED = 3
TARGET = 0.25
"""The share of the kernel's speed that recording is to reach."""

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("heap_nim", {"heaps": [3, 4, 5]}),
    ("circle_nim", {"rows": 5}),
    ("l_game", {}),
    ("rhombic_chess", {}),
    ("reversed_reversi", {"size": 8}),
)


class Cost(NamedTuple):
    """Processor seconds, plies, and bytes written."""

    seconds: float
    plies: int
    written: int = 0


def alone(kernel: Kernel, batch: Batch, games: int) -> Cost:
    """The kernel, called for as many games at once as a simulation does."""
    plies, started = 0, time.process_time()
    for start in range(0, games, AT_ONCE):
        played = kernel.play(replace(batch, start=start, count=min(AT_ONCE, games - start)))
        plies += int(played.plies.sum())
    return Cost(time.process_time() - started, plies)


def recorded(spec: SimulationSpec, row: RowOf) -> Cost:
    """A part with all its games."""
    with tempfile.TemporaryDirectory() as folder:
        parts, started = Parts(Path(folder), row), time.process_time()
        (block,) = play_chunk(spec, 0, spec.games, cut=0, parts=parts)
        seconds = time.process_time() - started
        return Cost(seconds, block.tally.plies, parts.path(0).stat().st_size)


def measure(name: str, params: dict[str, Any], rounds: int, seconds: float) -> bool:
    """Print a line a way; whether recording reaches its share of the kernel's speed."""
    game = find_game(name, params)
    kernel = find_kernel(game, "random", "random")
    assert kernel is not None
    policy = policy_of(game, Policy())
    draws = {"repetition": policy.repetition or 0, "max_plies": policy.max_plies or 0}
    batch = Batch(run_key(SEED, 0), 0, 0, keep_moves=True, **draws)
    alone(kernel, batch, 1000)
    few = alone(kernel, batch, 20_000).seconds / 20_000
    games = max(AT_ONCE, int(seconds / few) // AT_ONCE * AT_ONCE)
    spec = SimulationSpec(
        game=GameSpec(name=name, params=game.params),
        players=(SimulatedPlayer(name="random", strategy="random"),) * 2,
        games=games,
        seed=SEED,
        policy=policy,
        record_games=True,
    )
    ways: dict[str, Callable[[], Cost]] = {
        "kernel": partial(alone, kernel, batch, games),
        "kernel, moves not noted": partial(alone, kernel, replace(batch, keep_moves=False), games),
        "a row a game": partial(recorded, spec, RowOf.GAME),
        "a row a ply": partial(recorded, spec, RowOf.PLY),
    }
    recorded(spec.model_copy(update={"games": 1000}), RowOf.PLY)  # compiles
    told = [{way: play() for way, play in ways.items()} for _ in range(rounds)]
    print(f"{name} {params}: {games:,} games", flush=True)
    met = True
    for way in ways:
        costs = [each[way] for each in told]
        assert {cost.plies for cost in costs} == {told[0]["kernel"].plies}
        plies = costs[0].plies
        rate = median(plies / cost.seconds for cost in costs)
        ratios = [each[base].seconds / each[way].seconds for base in list(ways)[:2] for each in told]
        first, second = median(ratios[:rounds]), median(ratios[rounds:])
        size = f", {costs[0].written / plies:.2f} bytes a ply" if costs[0].written else ""
        print(f"  {way:24}{rate / 1e6:8.1f} M plies/s  {first:5.2f}  {second:5.2f}{size}")
        met &= first >= TARGET
    print(f"  recording at least {TARGET} of the kernel: {'met' if met else 'MISSED'}")
    return met


def main() -> int:
    """Measure every game; 1 if one misses the target."""
    parser = argparse.ArgumentParser(description="Recording games in columns, beside the kernels.")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (5)")
    parser.add_argument("--seconds", type=float, default=0.5, help="what the kernel takes, about (0.5)")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    print("after the speed: of the kernel's, and of its speed where it notes no moves")
    met = [measure(*each, options.rounds, options.seconds) for each in GAMES]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
