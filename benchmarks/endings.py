"""How long Reversi's endings and circle Nim's tables take, everything compiled, in seconds of processor time.

    python -m benchmarks.endings [--positions N] [--empty N]

Endings are of random games on 8 by 8 squares, so that the same positions come every time. The longest must be
solved in seconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from engines.games.circle_nim import CircleNim, lines
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.endgame import empty_squares, solve_endgame
from engines.solvers.forward import solve_sets
from engines.stream import Stream

LONGEST_SECONDS = 10
ROWS = (5, 6, 7)


def seconds_of(work: Callable[[], object]) -> float:
    """Processor time that a call takes."""
    started = time.process_time()
    work()
    return time.process_time() - started


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


def main() -> int:
    """Print a line a rule set and a triangle; 1 if an ending took too long."""
    parser = argparse.ArgumentParser(description="Time endings of Reversi and tables of circle Nim.")
    parser.add_argument("--positions", type=int, default=50, help="endings by each rule (50)")
    parser.add_argument("--empty", type=int, default=16, help="empty squares (16)")
    options = parser.parse_args()
    longest = 0.0
    for fewest in (False, True):
        game = ReversedReversi(8, reversed=fewest)
        chosen = list(positions(game, options.positions, options.empty))
        solve_endgame(game, chosen[0])
        times = [seconds_of(partial(solve_endgame, game, state)) for state in chosen]
        longest = max(longest, *times)
        told = f"median {median(times):.2f} s, longest {max(times):.2f} s"
        print(f"{options.empty} empty squares, {'fewest' if fewest else 'most'} discs win: {told}")
    for rows in ROWS:
        circles = CircleNim(rows).circles
        seconds = seconds_of(partial(solve_sets, circles, lines(rows).masks))
        print(f"circle Nim, {rows} rows: {1 << circles:,} positions in {seconds:.2f} s")
    return int(longest > LONGEST_SECONDS)


if __name__ == "__main__":
    raise SystemExit(main())
