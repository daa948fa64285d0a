"""How long an exact solution takes, everything compiled: the L-Game beside a C program, in turns.

    python -m benchmarks.solving [--rounds N]

Both begin with nothing: positions, their moves, and the values with their distances. Quoted are the medians,
and the median of the ratios within a round; numbers of won, lost and drawn positions must be equal.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt

from benchmarks.peers.programs import HERE, OPTIONS
from engines.solvers import l_game_positions, rhombic_positions
from engines.solvers.retrograde import Graph, solve

MAX_TIMES_C = 3
Counts = tuple[int, int, int]


def counted(codes: npt.NDArray[np.uint8]) -> Counts:
    """How many positions are won, lost and drawn."""
    won, drawn = int((codes % 2 == 1).sum()), int((codes == 0).sum())
    return won, len(codes) - won - drawn, drawn


def ours(graph_of: Callable[[], Graph]) -> tuple[float, Counts]:
    """Seconds of processor time of one solution, and what it counts."""
    started = time.process_time()
    codes = solve(graph_of())
    return time.process_time() - started, counted(codes)


def in_c(program: Path) -> tuple[float, Counts]:
    """The same by the program in C; its second solution, as ours was warm too."""
    said = subprocess.run([program, "2"], check=True, capture_output=True, text=True).stdout.split("\n")[1]
    seconds, *counts = said.split()
    won, lost, drawn = map(int, counts)
    return float(seconds), (won, lost, drawn)


def main() -> int:
    """Print a line a game; 1 if the L-Game's target is missed."""
    parser = argparse.ArgumentParser(description="Time exact solutions.")
    parser.add_argument("--rounds", type=int, default=30, help="how often both solve the L-Game (30)")
    rounds = parser.parse_args().rounds
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        print("C: no gcc and no cc here; install one")
        return 1
    ours(l_game_positions.graph_of)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "l_game_solve"
        subprocess.run([compiler, *OPTIONS, "-o", program, HERE / "l_game_solve.c"], check=True)
        mine, theirs = [], []
        for _ in range(rounds):
            mine.append(ours(l_game_positions.graph_of))
            theirs.append(in_c(program))
    assert {counts for _, counts in mine} == {counts for _, counts in theirs}
    times = median(one / other for (one, _), (other, _) in zip(mine, theirs, strict=True))
    print(f"L-Game, compiled      {1000 * median(seconds for seconds, _ in mine):8.1f} ms  {mine[0][1]}")
    print(f"L-Game, C             {1000 * median(seconds for seconds, _ in theirs):8.1f} ms")
    print(f"L-Game, times C       {times:8.2f}     (at most {MAX_TIMES_C})")
    ours(rhombic_positions.graph_of)
    others = [ours(rhombic_positions.graph_of) for _ in range(max(1, rounds // 5))]
    print(f"rhombic chess         {1000 * median(seconds for seconds, _ in others):8.1f} ms  {others[0][1]}")
    return int(times > MAX_TIMES_C)


if __name__ == "__main__":
    sys.exit(main())
