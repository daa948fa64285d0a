"""What it costs to have games played on workers: the same simulations here and through the broker.

    python -m benchmarks.on_workers [--rounds N] [--seconds S]

An arena with two workers is started in a temporary folder. Each simulation is played in turns by
`arena simulate`'s own runner with two jobs, and as an experiment on the two workers, and has to come to the
same numbers. Compared are games by wall clock and, because a busy machine gives both sides of a ratio
different shares of itself, by processor time: everything that an arena's processes use, from the API to the
recorder, is counted against it.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from arena.client.http import ArenaClient
from arena.core.folder import DataFolder
from arena.core.running import read_state
from arena.experiments.simulations import make_spec, strategy_player
from arena.supervisor.launch import free_port
from engines.games import find_game
from workers.simulation.contract import SimulationSpec, Tally
from workers.simulation.runner import simulate

WORKERS = 2
FIRST_GUESS = 200_000


class Work(NamedTuple):
    """A simulation, by its name in the table."""

    name: str
    game: str
    params: dict[str, Any]
    first: str
    second: str


WORKS = (
    Work("heap Nim, kernel-free", "heap_nim", {}, "random", "xor"),
    Work("heap Nim, kernel", "heap_nim", {}, "random", "random"),
    Work("circle Nim, kernel with records", "circle_nim", {"rows": 5}, "algo3:1000", "random"),
)


class Cost(NamedTuple):
    """What a run took: seconds by the clock and of all processors together."""

    wall: float
    cpu: float


@contextlib.contextmanager
def running_arena() -> Iterator[tuple[ArenaClient, DataFolder]]:
    """An arena with its workers, in a folder that is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as root:
        folder = DataFolder.at(Path(root) / "arena")
        environment = {**os.environ, "ARENA_DATA_DIR": str(folder.root)}
        arena = Path(sys.executable).with_name("arena")
        up = [arena, "up", "--port", str(free_port("127.0.0.1")), "--workers", str(WORKERS)]
        subprocess.run(up, env=environment, check=True, capture_output=True)
        try:
            state = read_state(folder)
            assert state is not None
            with ArenaClient(state.url, folder.admin_token.read_text().strip()) as client:
                yield client, folder
        finally:
            subprocess.run([arena, "down"], env=environment, check=False, capture_output=True)


def spec_of(work: Work, games: int, seed: int) -> SimulationSpec:
    """The simulation of so many games."""
    game = find_game(work.game, work.params)
    players = strategy_player(work.first, game), strategy_player(work.second, game)
    return make_spec(game, players, games=games, seed=seed)


def play_here(spec: SimulationSpec) -> tuple[Tally, Cost]:
    """Played by two jobs of this process."""
    wall, cpu = time.monotonic(), _own_cpu()
    tally = simulate(spec, jobs=WORKERS).tally
    return tally, Cost(time.monotonic() - wall, _own_cpu() - cpu)


def _own_cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def play_there(
    client: ArenaClient, folder: DataFolder, work: Work, spec: SimulationSpec
) -> tuple[Tally, Cost]:
    """Played by the arena's workers."""
    plan = {"game": work.game, "params": work.params, "first": work.first, "second": work.second}
    wall, cpu = time.monotonic(), _arenas_cpu(folder)
    number = client.create_experiment(plan | {"games": spec.games, "seed": spec.seed}).id
    *_, over = client.watch_experiment(number)
    cost = Cost(time.monotonic() - wall, _arenas_cpu(folder) - cpu)
    assert over.state == "finished", over
    return client.experiment_results(number).result.tally, cost


def _arenas_cpu(folder: DataFolder) -> float:
    state = read_state(folder)
    assert state is not None
    used = [psutil.Process(child.pid).cpu_times() for child in state.children if child.pid]
    return sum(each.user + each.system for each in used)


def games_for(work: Work, seconds: float) -> int:
    """So many games that each core works about that long here; what has to be compiled is, on the way."""
    play_here(spec_of(work, FIRST_GUESS, 0))
    games, busy = FIRST_GUESS, _busy(work, FIRST_GUESS)
    while busy < seconds / 4:
        games = int(games * min(8, max(2, seconds / 2 / busy)))
        busy = _busy(work, games)
    return int(games * seconds / busy)


def _busy(work: Work, games: int) -> float:
    return play_here(spec_of(work, games, 0))[1].cpu / WORKERS


def measure(client: ArenaClient, folder: DataFolder, work: Work, rounds: int, seconds: float) -> None:
    """Print what the rounds come to."""
    games = games_for(work, seconds)
    play_there(client, folder, work, spec_of(work, games, 0))
    here, there = list[Cost](), list[Cost]()
    for seed in range(1, rounds + 1):
        spec = spec_of(work, games, seed)
        told, cost = play_here(spec)
        here.append(cost)
        counted, cost = play_there(client, folder, work, spec)
        there.append(cost)
        assert told == counted, "the workers come to other numbers"
    local, remote = (statistics.median(games / each.wall for each in costs) for costs in (here, there))
    wall = statistics.median(one.wall / other.wall for one, other in zip(here, there, strict=True))
    cpu = statistics.median(one.cpu / other.cpu for one, other in zip(here, there, strict=True))
    print(f"{work.name}: {games:,} games; here {local:,.0f}/s, on workers {remote:,.0f}/s;", end=" ")
    print(f"workers ÷ here {wall:.2f} by the clock, {cpu:.2f} by processor time")


def main() -> int:
    """Measure every simulation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="turns of each simulation")
    parser.add_argument("--seconds", type=float, default=20, help="length of one run")
    options = parser.parse_args()
    with running_arena() as (client, folder):
        for work in WORKS:
            measure(client, folder, work, options.rounds, options.seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
