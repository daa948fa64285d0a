"""How many positions a second a search gets from the rules that are copied beside bots.

`python -m benchmarks.rules`: every line of play from where each game begins, as many plies as take a moment,
each position made and its legal moves listed; beside it rules of Reversi as one writes them first.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bots.sdk.libraries import LANGUAGES, library
from engines.games import find_game

PLIES = {
    "reversed_reversi": (6, 9, 8),
    "heap_nim": (6, 8, 7),
    "circle_nim": (3, 4, 4),
    "l_game": (2, 3, 3),
    "rhombic_chess": (5, 6, 6),
}
"""Of each game, in the order of the languages."""

TOOLS = {"python": sys.executable, "cpp": shutil.which("g++"), "javascript": shutil.which("node")}

PYTHON = """
import json, sys, time
from rules import State

def count(state, plies):
    moves = state.legal_moves()
    return 1 + (sum(count(state.play(move), plies - 1) for move in moves) if plies else 0)

params, plies = json.loads(sys.argv[1]), int(sys.argv[2])
started = time.process_time()
positions = count(State.initial(params), plies)
print(positions, time.process_time() - started)
"""

JAVASCRIPT = """
const { State } = require("./rules.js");

function count(state, plies) {
  let positions = 1;
  const moves = state.legalMoves();
  if (plies) for (const move of moves) positions += count(state.play(move), plies - 1);
  return positions;
}

const [params, plies] = [JSON.parse(process.argv[2]), Number(process.argv[3])];
const started = process.cpuUsage();
const positions = count(State.initial(params), plies);
const { user, system } = process.cpuUsage(started);
console.log(positions, (user + system) / 1e6);
"""

CPP = """
#include "rules.hpp"
#include <cstdio>
#include <ctime>
using namespace GAME;

long count(const State& state, int plies) {
    long positions = 1;
    auto moves = state.legal_moves();
    if (plies) for (Move move : moves) positions += count(state.play(move), plies - 1);
    return positions;
}

int main(int, char** words) {
    auto started = std::clock();
    long positions = count(State::initial(words[1]), std::atoi(words[2]));
    std::printf("%ld %f", positions, double(std::clock() - started) / CLOCKS_PER_SEC);
}
"""

NAIVE = """
LINES = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]

class State:
    def __init__(self, board, side):
        self.board, self.side = board, side

    @staticmethod
    def initial(params):
        board = [["." for _ in range(8)] for _ in range(8)]
        board[3][3] = board[4][4] = "X"
        board[3][4] = board[4][3] = "O"
        return State(board, "X")

    def turned(self, row, column, side):
        if self.board[row][column] != ".":
            return []
        found = []
        for down, right in LINES:
            line, r, c = [], row + down, column + right
            while 0 <= r < 8 and 0 <= c < 8 and self.board[r][c] not in (".", side):
                line.append((r, c))
                r, c = r + down, c + right
            if line and 0 <= r < 8 and 0 <= c < 8 and self.board[r][c] == side:
                found += line
        return found

    def places(self, side):
        return [(row, column) for row in range(8) for column in range(8) if self.turned(row, column, side)]

    def legal_moves(self):
        other = "O" if self.side == "X" else "X"
        return self.places(self.side) or ([None] if self.places(other) else [])

    def play(self, move):
        other = "O" if self.side == "X" else "X"
        board = [list(row) for row in self.board]
        if move:
            for row, column in [move, *self.turned(*move, self.side)]:
                board[row][column] = self.side
        return State(board, other)
"""


def measured(folder: Path, language: str, game: str, plies: int) -> tuple[int, float]:
    """The positions that were made, and the seconds of processor time that it took."""
    if language == "python":
        command = [str(TOOLS[language]), _put(folder / "count.py", PYTHON)]
    elif language == "javascript":
        command = [str(TOOLS[language]), _put(folder / "count.js", JAVASCRIPT)]
    else:
        source = _put(folder / "count.cpp", CPP.replace("GAME", game))
        build = [str(TOOLS[language]), "-std=gnu++20", "-O2", "-o", str(folder / "count"), source]
        subprocess.run(build, check=True)
        command = [str(folder / "count")]
    params = json.dumps(find_game(game).params, separators=(",", ":"))
    done = subprocess.run([*command, params, str(plies)], capture_output=True, text=True, check=True)
    positions, seconds = done.stdout.split()
    return int(positions), float(seconds)


def _put(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def _print(game: str, what: str, positions: int, seconds: float) -> None:
    print(f"{game:17} {what:11} {positions:10} {seconds:8.2f} {positions / seconds:13,.0f}", flush=True)


def main() -> int:
    """A line a game and a language; languages without their tools are left out."""
    print("game              rules        positions  seconds   positions/s")
    for game, plies in PLIES.items():
        for language, deep in zip(LANGUAGES, plies, strict=True):
            if not TOOLS[language]:
                continue
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                for file, data in library(game, language).items():
                    (folder / file).write_bytes(data)
                _print(game, LANGUAGES[language], *measured(folder, language, game, deep))
                if game == "reversed_reversi" and language == "python":
                    (folder / "rules.py").write_text(NAIVE)
                    _print(game, "naive", *measured(folder, language, game, deep))
    return 0


if __name__ == "__main__":
    sys.exit(main())
