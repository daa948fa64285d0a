"""What the referee costs: microseconds a ply against a bare pipe, and matches a second.

    python -m benchmarks.referee [--rounds N]

Everything is measured in one run, in turns, on one core that the referee and the bots share, and quoted as
medians. The bots are written in C and answer at once (`first_move.c`), so what is left is the referee. Then
they are also frozen between their turns, by signals to every process of theirs.
"""

from __future__ import annotations

import argparse
import os
import select
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from bots.protocol.messages import encode
from engines.games import find_game
from engines.openings import balanced_openings
from workers.clock import Clock
from workers.confinement import Command, Confined, Startable
from workers.contract import BotRef, GameSpec, Limits, MatchSpec, TimeControl
from workers.match import SessionPool, play_match
from workers.sandbox.process_group import ProcessGroup

GAME = "reversed_reversi"
HERE = Path(__file__).parent


def compile_bot(folder: Path) -> str:
    """Compile `first_move.c` and return the program's path."""
    program = folder / "first_move"
    compiler = shutil.which("cc") or "gcc"
    subprocess.run([compiler, "-O2", "-o", program, HERE / "first_move.c"], check=True)
    return str(program)


def specs(count: int) -> list[MatchSpec]:
    """Matches that differ, so that no cache helps more than it would in a tournament."""
    openings = balanced_openings(find_game(GAME), count, 4, seed=1)
    bots = (BotRef(name="a"), BotRef(name="b"))
    return [MatchSpec(match="bench", game=GameSpec(name=GAME), bots=bots, opening=o) for o in openings]


class BarePipe:
    """The same bots asked by nothing but write, poll and read: the floor for any referee in Python."""

    def __init__(self, command: Command) -> None:
        self._bots = []
        for _ in range(2):
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
            assert process.stdin is not None
            assert process.stdout is not None
            poller = select.poll()
            poller.register(process.stdout, select.POLLIN)
            self._bots.append((process, process.stdin.fileno(), process.stdout.fileno(), poller))

    def ask(self, lines: list[bytes]) -> None:
        """Send each line to the bots in turn and wait for the answer."""
        for number, line in enumerate(lines):
            _, stdin, stdout, poller = self._bots[number % 2]
            os.write(stdin, line)
            poller.poll()
            os.read(stdout, 65536)

    def close(self) -> None:
        """End the bots."""
        for process, *_ in self._bots:
            process.communicate()


class Unfreezing(ProcessGroup):
    """Lets bots run between their turns."""

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Start a bot that is never frozen."""
        process = super().launch(program, limits, writable=writable)
        process.freeze = process.thaw = lambda: None  # type: ignore[method-assign]  # that is what is left out
        return process


def typical_lines() -> list[bytes]:
    """Requests of the size that a game has half-way."""
    game = find_game(GAME)
    state, history = game.initial(), []
    for _ in range(30):
        move = game.legal_moves(state)[0]
        state = game.play(state, move)
        history.append(game.move_to_text(move))
    legal = [game.move_to_text(move) for move in game.legal_moves(state)]
    request = {
        "type": "move",
        "id": 123_456_789,
        "ply": len(history),
        "state": game.state_to_json(state),
        "legal": legal,
        "history": history,
        "time": Clock(TimeControl()).shown(),
    }
    return [encode(request)] * 60


def per_ply(rounds: int, program: str) -> None:
    """Print the microseconds a ply of the bare pipe and of the referee, measured in turns."""
    command = (program, "-r")
    lines, matches = typical_lines(), specs(20)
    bare = BarePipe((program,))
    pools = {"referee": SessionPool(Unfreezing()), "freezing": SessionPool(ProcessGroup())}
    found: dict[str, list[float]] = {"pipe": [], **{name: [] for name in pools}}
    for number in range(rounds):
        start = time.perf_counter_ns()
        bare.ask(lines)
        found["pipe"].append((time.perf_counter_ns() - start) / len(lines) / 1000)
        for name, pool in pools.items():
            start = time.perf_counter_ns()
            result = play_match(matches[number % len(matches)], (command, command), pool=pool)
            asked = sum(move.asked for move in result.moves)
            found[name].append((time.perf_counter_ns() - start) / asked / 1000)
    bare.close()
    for pool in pools.values():
        pool.close()
    pipe, referee, freezing = (statistics.median(times) for times in found.values())
    best = [statistics.quantiles(times, n=10)[0] for times in found.values()]
    print(f"a ply: bare pipe {pipe:.1f} µs, referee {referee:.1f} µs, ratio {referee / pipe:.2f}")
    print(f"frozen between turns: {freezing:.1f} µs, {freezing - referee:.1f} µs more")
    print("the best tenth: {:.1f}, {:.1f} and {:.1f} µs".format(*best))


def per_second(rounds: int, program: str) -> None:
    """Print the matches a second with processes started anew for each match, and reused."""
    matches = specs(20)
    for label, command, pool in (
        ("new processes", (program,), None),
        ("reused processes", (program, "-r"), SessionPool(ProcessGroup())),
    ):
        start = time.perf_counter()
        for number in range(rounds):
            match = matches[number % len(matches)]
            play_match(match, (command, command), pool=pool, confinement=ProcessGroup())
        print(f"matches a second, {label}: {rounds / (time.perf_counter() - start):.0f}")
        if pool:
            pool.close()


def main() -> None:
    """Run both measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        program = compile_bot(Path(folder))
        per_ply(rounds, program)
        per_second(rounds, program)


if __name__ == "__main__":
    main()
