"""The compiled search for Reversi: called from Python beside itself in a program of C, and published endings.

    python -m benchmarks.searching [--positions N] [--empty N] [--numbers N ...] [--memory BYTES]

Prints positions searched a second of processor time from Python and in C, in turns, over the same endings of
random games, and what published endings take; 1 if values, or the positions searched, are not the same.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.endings import positions
from benchmarks.peers.programs import built
from engines.games.reversed_reversi import ReversedReversi, State
from engines.solvers.reversi_search import Search

BOARDS = {
    40: ("X", "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------", 38, "a2"),
    41: ("X", "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O-", 0, "h4"),
    42: ("X", "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO--", 6, "g2"),
    43: ("O", "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX-", -12, "g3 c7"),
    44: ("O", "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX--", -14, "d2 b8"),
    45: ("X", "---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO--", 6, "b2"),
}
"""The FFO endgame test suite, numbers 40 to 45: who is to move, the board, its value and the best moves, as
published by G. Andersson and, with the values of all moves, by R. Delorme with Edax
(`problem/fforum-40-59.obf`)."""


def _read(mover: str, board: str, value: int, best: str) -> tuple[int, int, int, frozenset[int]]:
    other = "XO"[mover == "X"]
    own, opp = (sum(1 << at for at, found in enumerate(board) if found == side) for side in (mover, other))
    game = ReversedReversi()
    return own, opp, value, frozenset(game.move_from_text(move) for move in best.split())


PUBLISHED = {number: _read(*row) for number, row in BOARDS.items()}
"""The mover's discs, the other side's, the value and the best moves of each."""


def searched(search: Search, states: list[State]) -> tuple[list[tuple[int, int]], float]:
    """Value and positions searched of each state, and the seconds of processor time."""
    started = time.process_time()
    found = [search.solve(state.own, state.opp, -64, 64) for state in states]
    return [(each.low, each.nodes) for each in found], time.process_time() - started


def searched_in_c(
    program: Path, reverse: bool, memory: int, states: list[State]
) -> tuple[list[tuple[int, int]], float]:
    """The same in the C program."""
    command = [program, "8", "8", str(int(reverse)), str(memory)]
    lines = "".join(f"{state.own} {state.opp}\n" for state in states)
    told = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.split("\n")
    rows = [line.split() for line in told if line]
    return [(int(row[0]), int(row[2])) for row in rows], sum(float(row[3]) for row in rows)


def compare(program: Path, options: argparse.Namespace) -> bool:
    """Print a line a rule; whether both searched the same."""
    same = True
    for reverse in (False, True):
        states = list(positions(ReversedReversi(8, reverse), options.positions, options.empty))
        search = Search(8, 8, reversed=reverse, memory=options.memory)
        here, seconds = searched(search, states)
        there, seconds_in_c = searched_in_c(program, reverse, options.memory, states)
        nodes = sum(count for _, count in here)
        rule, each = "fewest" if reverse else "most", nodes / len(states)
        print(
            f"{len(states)} endings, {options.empty} empty, {rule} discs win: {each:,.0f} positions each,"
            f" {nodes / seconds / 1e6:.1f} M/s from Python, {nodes / seconds_in_c / 1e6:.1f} M/s in C",
            flush=True,
        )
        same &= here == there
    return same


def published(numbers: list[int], memory: int) -> bool:
    """Print a line a published ending; whether all have the published values."""
    right = True
    for number in numbers:
        own, opp, value, best = PUBLISHED[number]
        search, started = Search(8, 8, reversed=False, memory=memory), time.process_time()
        found = search.solve(own, opp, -64, 64)
        right &= found.low == found.high == value and found.move in best
        empty, seconds = 64 - (own | opp).bit_count(), time.process_time() - started
        print(
            f"FFO {number}, {empty} empty: {found.low:+}, {found.nodes:,} positions, {seconds:.1f} s",
            flush=True,
        )
    return right


def main() -> int:
    """Measure; 1 if anything differs."""
    parser = argparse.ArgumentParser(description="Time the compiled search for Reversi.")
    parser.add_argument("--positions", type=int, default=50, help="endings by each rule (50)")
    parser.add_argument("--empty", type=int, default=16, help="squares (16)")
    parser.add_argument("--numbers", type=int, nargs="*", default=list(PUBLISHED), help="published endings")
    parser.add_argument("--memory", type=int, default=1 << 28, help="bytes of the table (256 MiB)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = built("reversi_search", Path(folder), ("-O3",))
        same = compare(program, options)
    return int(not (published(options.numbers, options.memory) and same))


if __name__ == "__main__":
    raise SystemExit(main())
