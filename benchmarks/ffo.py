"""The FFO endgame test suite, numbers 40 to 59, by the arena's search for Reversi and by Edax."""

from __future__ import annotations

import re
import struct
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from engines.games.reversed_reversi import ReversedReversi
from engines.solvers.reversi_search import Search

BOARDS = {
    40: ("X", "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------", 38, "a2"),
    41: ("X", "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O-", 0, "h4"),
    42: ("X", "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO--", 6, "g2"),
    43: ("O", "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX-", -12, "g3 c7"),
    44: ("O", "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX--", -14, "d2 b8"),
    45: ("X", "---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO--", 6, "b2"),
    46: ("X", "---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O-", -8, "b3"),
    47: ("O", "-OOOOO----OOOO---OOOOX--XXXXXX---OXOOX--OOOXOX----OOXX----XXXX--", 4, "g2"),
    48: ("O", "-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX-", 28, "f6"),
    49: ("X", "--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O---", 16, "e1"),
    50: ("X", "----X-----XXX----OOOXOOO-OOOXOOO-OXOXOXO-OOXXOOO--OOXO----O--O--", 10, "d8"),
    51: ("O", "----O-X------X-----XXXO-OXXXXXOO-XXOOXOOXXOXXXOO--OOOO-O----OO--", 6, "e2 a3"),
    52: ("O", "---X-------OX--X--XOOXXXXXXOXXXXXXXOOXXXXXXOOOXX--XO---X--------", 0, "a3"),
    53: ("X", "----OO-----OOO---XXXXOOO--XXOOXO-XXXXXOO--OOOXOO--X-OX-O-----X--", -2, "d8"),
    54: ("X", "--OOO---XXOO----XXXXOOOOXXXXOX--XXXOXX--XXOOO------OOO-----O----", -2, "c7"),
    55: ("O", "--------X-X------XXXXOOOOOXOXX--OOOXXXX-OOXXXX--O-OOOX-----OO---", 0, "g6 b7 e2 g4"),
    56: ("O", "--XXXXX---XXXX---OOOXX---OOXOX---OXXXXX-OOOOOXO----OXX----------", 2, "h5"),
    57: ("X", "-------------------XXOOO--XXXOOO--XXOXOO-OOOXXXO--OXOO-O-OOOOO--", -10, "a6"),
    58: ("X", "--XOOO----OOO----OOOXOO--OOOOXO--OXOXXX-OOXXXX----X-XX----------", 4, "g1"),
    59: ("X", "-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X", 64, "h4 g8 e8"),
}
"""Who is to move, the board, its value and the best moves, as published in the magazine of the Fédération
Française d'Othello and, with the values of all moves, with Edax's source (`problem/fforum-40-59.obf`)."""

EDAX_ENTRY = 24
"""Bytes of a position in Edax's main table."""
EDAX_WEIGHTS = 61 * 114_364
"""The weights of 16 bits in an evaluation file of Edax."""
SAID = re.compile(r"^ *1\|.*", re.MULTILINE)
SUMMARY = re.compile(r": (\d+) nodes in .*\(cpu = *([0-9:.]+)\)")


class Ending(NamedTuple):
    """The mover's discs, the other side's, the value for the mover, and the best moves."""

    own: int
    opp: int
    value: int
    best: frozenset[int]

    @property
    def empty(self) -> int:
        """How many squares are empty."""
        return 64 - (self.own | self.opp).bit_count()


class Solved(NamedTuple):
    """What was found of an ending: value, best move, positions searched, and seconds of processor time."""

    value: int
    move: int
    nodes: int
    seconds: float


def _read(mover: str, board: str, value: int, best: str) -> Ending:
    other = "XO"[mover == "X"]
    own, opp = (sum(1 << at for at, found in enumerate(board) if found == side) for side in (mover, other))
    game = ReversedReversi()
    return Ending(own, opp, value, frozenset(game.move_from_text(move) for move in best.split()))


PUBLISHED = {number: _read(*row) for number, row in BOARDS.items()}


def here(number: int, memory: int) -> Solved:
    """Solve it by the arena's search with a table of so many bytes, empty at first."""
    ending = PUBLISHED[number]
    search, started = Search(8, 8, reversed=False, memory=memory), time.process_time()
    found = search.solve(ending.own, ending.opp, -64, 64)
    assert found.low == found.high
    assert found.move is not None
    return Solved(found.low, found.move, found.nodes, time.process_time() - started)


class Edax:
    """The program at `program`, with the evaluation in the file `weights`, and a table of `memory` bytes.

    Without `weights`, which are no part of Edax's source, all of them are 0: it still finds the values, and
    searches more positions for them.
    """

    def __init__(self, program: Path, weights: Path | None, memory: int, folder: Path) -> None:
        self._weights = weights.resolve() if weights else folder / "eval.dat"
        if weights is None:
            header = struct.pack("=IIIIId", 0x45444158, 0x4556414C, 3, 2, 5, 0.0)
            self._weights.write_bytes(header + bytes(2 * EDAX_WEIGHTS))
        bits = (memory // EDAX_ENTRY).bit_length() - 1
        self._words = [str(program.resolve()), "-eval-file", str(self._weights), "-h", str(bits)]
        self._words += ["-l", "60", "-n", "1", "-verbose", "1", "-book-usage", "off"]
        self._folder = folder

    def solve(self, number: int) -> Solved:
        """Solve it in a process of its own and with one thread.

        Raises:
            RuntimeError: it says something else than a solution.
        """
        mover, board, *_ = BOARDS[number]
        with tempfile.NamedTemporaryFile("w", suffix=".obf", dir=self._folder) as problem:
            problem.write(f"{board} {mover};\n")
            problem.flush()
            words = [*self._words, "-solve", problem.name]
            done = subprocess.run(words, cwd=self._folder, capture_output=True, text=True, check=False)
        line, summary = SAID.search(done.stdout), SUMMARY.search(done.stdout)
        if line is None or summary is None:
            raise RuntimeError(f"Edax does not solve FFO {number}: {(done.stderr or done.stdout)[-300:]}")
        said = line[0].split("|")[1].split()
        seconds = 0.0
        for part in summary[2].split(":"):
            seconds = 60 * seconds + float(part)
        return Solved(
            int(said[1]), ReversedReversi().move_from_text(said[5].lower()), int(summary[1]), seconds
        )


def published(numbers: list[int], memory: int, edax: Edax | None) -> bool:
    """Print a line an ending; whether all have the published values, and best moves that are among those."""
    right = True
    for number in numbers:
        ending, told = PUBLISHED[number], []
        for name, solved in (("", here(number, memory)), *((("Edax ", edax.solve(number)),) if edax else ())):
            same = solved.value == ending.value and solved.move in ending.best
            right &= same
            rate = solved.nodes / max(solved.seconds, 1e-6) / 1e6
            told.append(
                f"{name}{solved.nodes:,} positions, {solved.seconds:.1f} s, {rate:.1f} M/s"
                f"{'' if same else f', DIFFERENT: {solved.value:+}'}"
            )
        print(f"FFO {number}, {ending.empty} empty, {ending.value:+}: {'; '.join(told)}", flush=True)
    return right
