"""How many positions a second the rules go through, checked against published counts.

`python -m benchmarks.perft [--depth 8] [--size 8]`
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from engines.game import Game
from engines.games import find_game

PUBLISHED = (1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800)
"""Lines of play of length 0, 1, 2 … of 8x8 Reversi: Aart Bik, "Perft for Reversi", 2009, confirmed there by
Jonathan Kreuzer (http://www.aartbik.com/MISC/reversi.html). A pass is a ply; a game that ends earlier counts
once."""


def perft(game: Game[Any], state: Any, depth: int) -> int:
    """Lines of play of `depth` plies from `state`; the last ply is counted without being played."""
    if depth == 0:
        return 1
    moves = game.legal_moves(state)
    if depth == 1 or not moves:
        return len(moves) or 1
    return sum(perft(game, game.play(state, move), depth - 1) for move in moves)


def main() -> int:
    """Print a line a depth; 1 if a count differs from the published one."""
    parser = argparse.ArgumentParser(description="Count Reversi's lines of play and time the rules.")
    parser.add_argument("--depth", type=int, default=8, help="deepest count (8; 9 takes ten times as long)")
    parser.add_argument("--size", type=int, default=8, choices=(4, 6, 8, 10), help="the board's size (8)")
    options = parser.parse_args()
    game = find_game("reversed_reversi", {"size": options.size})
    wrong = 0
    print("depth        nodes  seconds    nodes/s  published")
    for depth in range(1, options.depth + 1):
        started = time.perf_counter()
        nodes = perft(game, game.initial(), depth)
        seconds = time.perf_counter() - started
        known = options.size == 8 and depth < len(PUBLISHED)
        verdict = ("as published" if nodes == PUBLISHED[depth] else "DIFFERENT") if known else "-"
        wrong += verdict == "DIFFERENT"
        print(f"{depth:5} {nodes:12} {seconds:8.2f} {nodes / seconds:10.0f}  {verdict}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
