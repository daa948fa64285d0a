"""How long Reversi's endings take, beside a plain alpha-beta in C, and circle Nim's tables: processor time.

    python -m benchmarks.endings [--positions N] [--empty N ...] [--rule fewest|most] [--without-c-from N]

Endings are of random games on 8 by 8 squares, so that the same positions come every time. Both solve each of
them in turn, and must find the same score; 1 if they do not.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from benchmarks.peers.programs import built
from engines.games.circle_nim import CircleNim, lines
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.endgame import empty_squares, solve_endgame
from engines.solvers.forward import solve_sets
from engines.stream import Stream

ROWS = (5, 6, 7)


def positions(game: ReversedReversi, count: int, empty: int) -> Iterator[State]:
    """Positions with `empty` empty squares and a choice of moves, from random games."""
    stream = Stream("endings", count, empty)
    while count:
        state = game.initial()
        while empty_squares(game, state) > empty and game.outcome(state) is None:
            state = game.play(state, stream.choice(game.legal_moves(state)))
        if len(game.legal_moves(state)) > 1:
            count -= 1
            yield state


Solve = Callable[[State], tuple[int, float]]
"""The mover's score of a position, and the seconds that it took."""


def here(game: ReversedReversi) -> Solve:
    """The arena's solver."""

    def solve(state: State) -> tuple[int, float]:
        started = time.process_time()
        margin = solve_endgame(game, state).margin
        return margin, time.process_time() - started

    return solve


def in_c(game: ReversedReversi, program: subprocess.Popen[str]) -> Solve:
    """The C program, which measures itself."""
    sign = -1 if game.reversed else 1

    def solve(state: State) -> tuple[int, float]:
        assert program.stdin
        assert program.stdout
        program.stdin.write(f"{state.own} {state.opp}\n")
        program.stdin.flush()
        score, seconds = program.stdout.readline().split()
        return sign * int(score), float(seconds)

    return solve


def measure(game: ReversedReversi, count: int, empty: int, solvers: dict[str, Solve]) -> bool:
    """Print a line a solver; whether all found the same scores."""
    solved = [[solve(state) for solve in solvers.values()] for state in positions(game, count, empty)]
    same = all(len({score for score, _ in each}) == 1 for each in solved)
    rule = "fewest" if game.reversed else "most"
    for number, name in enumerate(solvers):
        times = [each[number][1] for each in solved]
        told = f"median {median(times):.3f} s, worst {max(times):.2f} s"
        print(f"{count} endings, {empty} empty, {rule} discs win, {name:6} {told}", flush=True)
    if len(solvers) > 1:
        print(f"  the scores are {'the same' if same else 'DIFFERENT'}", flush=True)
    return same


def main() -> int:
    """Measure; 1 if the two solvers differ anywhere."""
    parser = argparse.ArgumentParser(description="Time endings of Reversi, beside a plain C program.")
    parser.add_argument("--positions", type=int, default=100, help="endings of each kind (100)")
    parser.add_argument("--empty", type=int, nargs="+", default=[16, 18, 20], help="squares (16 18 20)")
    parser.add_argument("--rule", choices=("fewest", "most"), help="only where so many discs win")
    parser.add_argument("--without-c-from", type=int, default=65, help="leave C out from so many on")
    options = parser.parse_args()
    same = True
    with tempfile.TemporaryDirectory() as folder:
        program = built("endings", Path(folder))
        for fewest in (False, True) if options.rule is None else (options.rule == "fewest",):
            game = ReversedReversi(8, reversed=fewest)
            words = [str(program), "-1" if fewest else "1"]
            with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
                for empty in options.empty:
                    solvers = {"arena": here(game)}
                    if empty < options.without_c_from:
                        solvers["C"] = in_c(game, peer)
                    same &= measure(game, options.positions, empty, solvers)
                assert peer.stdin
                peer.stdin.close()
    for rows in ROWS:
        circles, masks = CircleNim(rows).circles, lines(rows).masks
        started = time.process_time()
        solve_sets(circles, masks)
        seconds = time.process_time() - started
        print(f"circle Nim, {rows} rows: {1 << circles:,} positions in {seconds:.2f} s")
    return int(not same)


if __name__ == "__main__":
    raise SystemExit(main())
