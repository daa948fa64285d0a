"""The arena's search for Reversi beside a plain C program of the same algorithm, and published endings.

    python -m benchmarks.kernel [--empty N ...] [--positions N] [--rule fewest|most] [--numbers N ...]
                                [--memory BYTES] [--edax PROGRAM [--edax-weights FILE]]

Endings are of random games on 8 by 8 squares, so that the same positions come every time. Each is solved by
either, in turns, each with a table that it keeps; both must find the same values. Times are of the
processor. With `--edax` the published endings are solved by that program too, compiled from its source.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.ffo import PUBLISHED, Edax, published
from benchmarks.peers import MissingPeerError
from benchmarks.peers.programs import built
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.endgame import empty_squares
from engines.solvers.reversi_search import Search
from engines.stream import Stream

MIN_RATE = 0.7
"""The share of the C program's positions a second that the arena's search is to reach."""
MAX_NODES = 1.2
"""How many times the C program's positions it may search."""


class Found(NamedTuple):
    """The mover's value of a position, the positions searched for it, and seconds of processor time."""

    value: int
    nodes: int
    seconds: float


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


def here(state: State, search: Search) -> Found:
    """Solve it by the arena's search."""
    started = time.process_time()
    found = search.solve(state.own, state.opp, -64, 64)
    return Found(found.low, found.nodes, time.process_time() - started)


def in_c(state: State, program: subprocess.Popen[str]) -> Found:
    """Have it solved by the C program, which measures itself."""
    assert program.stdin
    assert program.stdout
    program.stdin.write(f"{state.own} {state.opp}\n")
    program.stdin.flush()
    value, nodes, seconds = program.stdout.readline().split()
    return Found(int(value), int(nodes), float(seconds))


def compare(game: ReversedReversi, states: list[State], program: Path, memory: int) -> bool:
    """Print how both solve them; whether the values are the same and the targets met."""
    words = [str(program), "-1" if game.reversed else "1", str(memory)]
    search = Search(8, 8, reversed=game.reversed, memory=memory)
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        both = [(here(state, search), in_c(state, peer)) for state in states]
        assert peer.stdin
        peer.stdin.close()
    rule, empty = "fewest" if game.reversed else "most", empty_squares(game, states[0])
    print(f"{len(states)} endings, {empty} empty, {rule} discs win")
    rates, nodes = [], []
    for name, found in zip(("arena", "C"), zip(*both, strict=True), strict=True):
        nodes.append(sum(each.nodes for each in found))
        times = [each.seconds for each in found]
        rates.append(nodes[-1] / max(sum(times), 1e-9))
        print(
            f"  {name:6} median {median(times):.3f} s, worst {max(times):.2f} s,"
            f" {nodes[-1] / len(states):,.0f} positions each, {rates[-1] / 1e6:.1f} M/s"
        )
    same = all(mine.value == theirs.value for mine, theirs in both)
    rate, more = rates[0] / rates[1], nodes[0] / nodes[1]
    met = rate >= MIN_RATE and more <= MAX_NODES
    print(
        f"  of C's positions a second {rate:.2f} (at least {MIN_RATE}), of its positions {more:.3f}"
        f" (at most {MAX_NODES}): {'met' if met else 'MISSED'};"
        f" values {'the same' if same else 'DIFFERENT'}",
        flush=True,
    )
    return same and met


def main() -> int:
    """Measure; 1 if values differ or a target is missed."""
    parser = argparse.ArgumentParser(description="Time the compiled search for Reversi.")
    parser.add_argument("--positions", type=int, default=5, help="endings of each kind (5)")
    parser.add_argument(
        "--empty", type=int, nargs="*", default=[16, 18, 20, 22], help="squares (16 18 20 22)"
    )
    parser.add_argument("--rule", choices=("fewest", "most"), help="only where so many discs win")
    numbers = range(40, 50)
    parser.add_argument(
        "--numbers",
        type=int,
        nargs="*",
        choices=PUBLISHED,
        default=numbers,
        help="published endings (40 to 49)",
    )
    parser.add_argument("--memory", type=int, default=1 << 28, help="bytes of a table (256 MiB)")
    parser.add_argument("--edax", type=Path, help="the program Edax")
    parser.add_argument("--edax-weights", type=Path, help="its evaluation, eval.dat (without: all 0)")
    options = parser.parse_args()
    for file in (options.edax, options.edax_weights):
        if file is not None and not file.is_file():
            parser.error(f"there is no file {file}")
    met = True
    with tempfile.TemporaryDirectory() as folder:
        try:
            program = built("endings", Path(folder))
        except MissingPeerError as error:
            print(error)
            return 1
        for fewest in (False, True) if options.rule is None else (options.rule == "fewest",):
            game = ReversedReversi(8, reversed=fewest)
            for empty in options.empty:
                states = list(positions(game, options.positions, empty))
                met &= compare(game, states, program, options.memory)
        weights = options.edax_weights
        edax = Edax(options.edax, weights, options.memory, Path(folder)) if options.edax else None
        met &= published(list(options.numbers), options.memory, edax)
    return int(not met)


if __name__ == "__main__":
    raise SystemExit(main())
