"""How long exact solutions take, compiled: beside C, and a start of Reversi by one process and by two.

    python -m benchmarks.solving [--rounds N] [--rows N ...] [--tree COLUMNS ROWS [--tree-rounds N]]

The L-Game and circle Nim begin with nothing: positions, their moves, and the values with their distances.
Quoted are medians, and the median of the ratios within a round; numbers of won, lost and drawn positions
must be equal. What the games have no parameter for (the other convention, discs that must or cannot move,
eight rows) is solved in C alone.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from statistics import median

import numpy as np
import numpy.typing as npt

from benchmarks.peers import MissingPeerError
from benchmarks.peers.programs import built
from engines.games.circle_nim import MAX_ROWS, circle, lines, symmetries
from engines.solvers import l_game_positions, rhombic_positions
from engines.solvers.forward import solve_sets
from engines.solvers.oracle import decoded
from engines.solvers.retrograde import Graph, solve
from engines.stream import Stream
from engines.symmetry import moved

MAX_TIMES_C = 3
MIN_SPEEDUP = 1.8
"""How many times as fast two processes are to solve a start as one."""
CHECKED, CIRCLES_CHECKED = 200, 14
"""Sets that are solved again by plain recursion, and how many circles each has."""
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
    seconds, won, lost, drawn, *_ = said.split()
    return float(seconds), (int(won), int(lost), int(drawn))


def l_game(program: Path, rounds: int) -> bool:
    """Print how long it takes, and what its variants come to; whether the target is met."""
    ours(l_game_positions.graph_of)
    both = [(ours(l_game_positions.graph_of), in_c(program)) for _ in range(rounds)]
    assert len({counts for each in both for _, counts in each}) == 1
    times = median(one / other for (one, _), (other, _) in both)
    mine, theirs = (median(each[side][0] for each in both) for side in (0, 1))
    print(f"L-Game, compiled      {1000 * mine:8.1f} ms  {both[0][0][1]}")
    print(f"L-Game, C             {1000 * theirs:8.1f} ms")
    print(f"L-Game, times C       {times:8.2f}     (at most {MAX_TIMES_C})")
    for discs, last in product(("may", "must", "never"), ("loses", "wins")):
        words = [str(program), "1", discs, last]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
        won, lost, drawn, longest, code = map(int, said[1:])
        start = "drawn" if not code else "won" if code % 2 else "lost"
        print(
            f"L-Game, a disc {discs} be moved, whoever cannot move {last}: {won:,} won, {lost:,} lost,"
            f" {drawn:,} drawn, at most {longest} plies; the start is {start}"
        )
    return times <= MAX_TIMES_C


def circle_nim(rows: int, last: str, program: Path) -> bool:
    """Print what all sets of circles come to where taking the last one `last`, and how long it takes.

    Sets with some circles are solved again by plain recursion, and the game as it is by the arena's solver;
    whether all is the same.
    """
    circles, (masks, texts, _) = circle(rows, 0), lines(rows)
    full, stream = (1 << circles) - 1, Stream("circle nim", rows, CHECKED)
    few = [_some(stream, circles) for _ in range(CHECKED)]
    asked = [full, *(full ^ mask for mask in masks), *few]
    said = subprocess.run(
        [program, str(rows), last],
        input="".join(f"{each}\n" for each in asked),
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    seconds, lost = float(said[0]), int(said[1])
    won = [word == "1" for word in said[2:]]

    @cache
    def plain(left: int) -> bool:
        if not left:
            return last == "loses"
        return any(mask & left == mask and not plain(left ^ mask) for mask in masks)

    same = [plain(left) for left in few] == won[-CHECKED:]
    told = f"C {seconds:.2f} s"
    if rows <= MAX_ROWS and last == "loses":
        started = time.process_time()
        codes = solve_sets(circles, masks)
        told = f"arena {time.process_time() - started:.2f} s, {told}"
        same &= counted(codes)[1] == lost
        same &= [decoded(int(codes[left])).result > 0 for left in asked] == won
    turns = symmetries(rows)
    first = dict[int, str]()
    for mask, text, leaves_won in zip(masks, texts, won[1:], strict=False):
        if not leaves_won:
            first.setdefault(min(moved(mask, turn) for turn in turns), text)
    print(
        f"circle Nim, {rows} rows, the last one {last}: the {'first' if won[0] else 'second'} player wins"
        f" ({' '.join(first.values()) or 'no first move'}); {full + 1 - lost:,} sets won, {lost:,} lost;"
        f" {told}; {'the same' if same else 'DIFFERENT'}",
        flush=True,
    )
    return same


def _some(stream: Stream, circles: int) -> int:
    """A set of at most `CIRCLES_CHECKED` circles."""
    left = 0
    for _ in range(CIRCLES_CHECKED):
        left |= 1 << stream.choice(range(circles))
    return left


def tree(columns: int, rows: int, rounds: int) -> bool:
    """Print how long `arena solve` takes for a start by one process and by two; whether the target is met."""
    ratios, more, values, board = [], [], set[int](), f"Reversi, {columns} by {rows}"
    for _ in range(rounds):
        seconds, nodes = [], []
        for jobs in (1, 2):
            words = ["solve", "reversed_reversi", "--size", str(columns), "--param", f"rows={rows}", "--json"]
            program = [sys.executable, "-c", "from arena.cli import main; main()"]
            command = [*program, *words, "--jobs", str(jobs)]
            started = time.perf_counter()
            told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            seconds.append(time.perf_counter() - started)
            nodes.append(told["nodes"])
            values.add(told["value"])
            print(
                f"{board}, jobs {jobs}: value {told['value']}, {told['leaves']:,} leaves,"
                f" {told['nodes']:,} positions, {seconds[-1]:.1f} s by the clock",
                flush=True,
            )
        ratios.append(seconds[0] / seconds[1])
        more.append(nodes[1] / nodes[0])
    assert len(values) == 1
    print(
        f"{board}: two processes {median(ratios):.2f} times as fast as one (at least {MIN_SPEEDUP}),"
        f" {median(more):.3f} of its positions"
    )
    return median(ratios) >= MIN_SPEEDUP


def main() -> int:
    """Print a line a game; 1 if a target is missed or two solutions differ."""
    parser = argparse.ArgumentParser(description="Time exact solutions.")
    parser.add_argument("--rounds", type=int, default=30, help="how often both solve the L-Game (30)")
    most = MAX_ROWS + 1
    parser.add_argument(
        "--rows",
        type=int,
        nargs="*",
        choices=range(2, most + 1),
        default=[5, 6, 7],
        help=f"of circle Nim (5 6 7); {most} takes minutes and 3.7 GB",
    )
    parser.add_argument(
        "--tree", type=int, nargs=2, metavar=("COLUMNS", "ROWS"), help="a start of Reversi to solve twice"
    )
    parser.add_argument("--tree-rounds", type=int, default=1, help="how often that is (1)")
    options = parser.parse_args()
    rounds = options.rounds
    with tempfile.TemporaryDirectory() as folder:
        try:
            programs = [built(name, Path(folder)) for name in ("l_game_solve", "circle_nim_solve")]
        except MissingPeerError as error:
            print(error)
            return 1
        met = l_game(programs[0], rounds)
        solve_sets(1, [1])
        for rows, last in product(options.rows, ("loses", "wins")):
            met &= circle_nim(rows, last, programs[1])
    ours(rhombic_positions.graph_of)
    others = [ours(rhombic_positions.graph_of) for _ in range(max(1, rounds // 5))]
    print(f"rhombic chess         {1000 * median(seconds for seconds, _ in others):8.1f} ms  {others[0][1]}")
    if options.tree:
        columns, tall = options.tree
        met &= tree(columns, tall, options.tree_rounds)
    return int(not met)


if __name__ == "__main__":
    sys.exit(main())
