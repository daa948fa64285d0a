"""What the sandbox costs: the start of a bot, and each of its moves, at every level that this host gives.

    python -m benchmarks.sandbox [--rounds N]

All figures of one run are taken in turns, on one core, and quoted as medians. The start is that of a Python
program until its first line has come, beside the same program started by nothing but `subprocess`. The
moves are those of a bot in C and one in Python that both take the first legal move, beside the same bots as
process groups.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.referee import compile_bot, specs
from workers.core.contract import Limits
from workers.core.settings import get_settings
from workers.play.kept import SessionPool
from workers.play.match import play_match
from workers.sandbox.confinement import Command, Confinement
from workers.sandbox.levels import NONE, available_levels, find_confinement

PLAIN = "plain"

FIRST_MOVE = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": "arena/1", "name": "first", "version": "1", "reusable": True}
    elif message["type"] == "move":
        answer = {"type": "move", "id": message["id"], "move": message["legal"][0]}
    else:
        continue
    print(json.dumps(answer), flush=True)
"""


def plain_start(command: Command) -> float:
    """Start a program without any ado, and wait for its first line; the seconds until that."""
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        return time.perf_counter() - begun


def start_in(confinement: Confinement, command: Command) -> Callable[[], float]:
    """Start a program in a confinement, wait for its first line, and end it; the seconds until that line."""

    def run() -> float:
        begun = time.perf_counter()
        process = confinement.launch(command, Limits())
        os.read(process.stdout, 100)
        took = time.perf_counter() - begun
        process.destroy()
        return took

    return run


def starts(rounds: int) -> None:
    """Print the milliseconds until a Python program's first line; plain is without the options of bots."""
    python = tuple(shlex.split(get_settings().bot_python))
    program = ("-c", "print('ready', flush=True)")
    plain, command = (python[0], *program), (*python, *program)
    ways = {level: start_in(find_confinement(level), command) for level in (NONE, *available_levels())}
    ways = {PLAIN: partial(plain_start, plain), "with the same options": partial(plain_start, command)} | ways
    took: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            took[name].append(way())
    medians = {name: statistics.median(seconds) for name, seconds in took.items()}
    print(f"a Python program's start: {medians.pop(PLAIN) * 1e3:.1f} ms")
    for name, median in medians.items():
        print(f"  {name}: {median * 1e3:.1f} ms, {median / statistics.median(took[PLAIN]):.2f} times that")


def moves(rounds: int, language: str, command: Command) -> None:
    """Print the microseconds a ply between two reused bots, at each level."""
    levels = (NONE, *available_levels())
    pools = {level: SessionPool(find_confinement(level)) for level in levels}
    took: dict[str, list[float]] = {level: [] for level in levels}
    matches = specs(20)
    for number in range(rounds):
        for level, pool in pools.items():
            begun = time.perf_counter_ns()
            result = play_match(matches[number % len(matches)], (command, command), pool=pool)
            asked = sum(move.asked for move in result.moves)
            took[level].append((time.perf_counter_ns() - begun) / asked / 1000)
    for pool in pools.values():
        pool.close()
    usual = statistics.median(took[NONE])
    print(f"a ply of bots in {language}, as process groups: {usual:.1f} µs")
    for level in levels[1:]:
        median = statistics.median(took[level])
        print(f"  {level}: {median:.1f} µs, {median / usual:.2f} times that")


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=40)
    rounds = parser.parse_args().rounds
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "first_move.py"
        script.write_text(FIRST_MOVE)
        python = tuple(shlex.split(get_settings().bot_python))
        starts(rounds)
        moves(rounds, "C", (compile_bot(Path(folder)), "-r"))
        moves(rounds, "Python", (*python, str(script)))


if __name__ == "__main__":
    main()
