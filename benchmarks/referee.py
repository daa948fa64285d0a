"""What the referee costs: microseconds a ply against a bare pipe, and matches a second.

    python -m benchmarks.referee [--rounds N] [--fastchess PROGRAM]

Everything is measured in one run, in turns, on one core that the referee and the bots share, and quoted as
medians. The bots are written in C and answer at once (`first_move.c`), so what is left is the referee. Then
they are also frozen between their turns, by signals to every process of theirs. With `--fastchess`, that
manager of chess games (https://github.com/Disservin/fastchess, compiled by whoever measures) has its turns in
the same run, with an engine that answers at once too (`peers/uci_line.c`).
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
from workers.core.contract import BotRef, GameSpec, Limits, MatchSpec, TimeControl
from workers.play.clock import Clock
from workers.play.match import SessionPool, play_match
from workers.sandbox.confinement import Command, Confined, Startable
from workers.sandbox.probe import Probe, clock_of
from workers.sandbox.process_group import ProcessGroup

GAME = "reversed_reversi"
HERE = Path(__file__).parent

MANAGER_TURNS = 5
MANAGER_GAMES = 100
MANAGER_WARM_UP = 4
MANAGER_PLIES = 84  # of a game of `peers/uci_line.c`


def compile_bot(folder: Path, source: str = "first_move.c") -> str:
    """Compile a bot into `folder` and return the program's path."""
    program = folder / Path(source).stem
    compiler = shutil.which("cc") or "gcc"
    subprocess.run([compiler, "-O2", "-o", program, HERE / source], check=True)
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
        probe = Probe(clock_of(process.pid))
        process.probe = lambda: probe  # type: ignore[method-assign]  # nor is it looked at whether it sleeps
        return process


class Fastchess:
    """A manager of chess games, and what a ply costs it, from the end of its first games on."""

    def __init__(self, program: str, engine: str) -> None:
        self._command = [str(Path(program).resolve())]
        for name in ("a", "b"):
            self._command += ["-engine", f"cmd={engine}", f"name={name}"]
        self._command += ["-each", "tc=600+1", "-maxmoves", str(MANAGER_PLIES // 2), "-concurrency", "1"]
        self._command += ["-rounds", str(MANAGER_GAMES // 2), "-games", "2"]
        self._folder = Path(engine).parent  # it writes a file where it runs

    def per_ply(self) -> float:
        """Microseconds a ply."""
        with subprocess.Popen(self._command, cwd=self._folder, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            ends = [
                time.perf_counter()
                for line in process.stdout
                if line.startswith("Finished game ") and line.endswith("{Draw by adjudication}\n")
            ]
        if len(ends) != MANAGER_GAMES:
            raise SystemExit(f"fastchess played {len(ends)} of {MANAGER_GAMES} games to the end")
        plies = (MANAGER_GAMES - MANAGER_WARM_UP) * MANAGER_PLIES
        return (ends[-1] - ends[MANAGER_WARM_UP - 1]) * 1e6 / plies


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


def per_ply(rounds: int, program: str, manager: Fastchess | None) -> None:
    """Print the microseconds a ply of the bare pipe, the referee and the manager, measured in turns."""
    command = (program, "-r")
    lines, matches = typical_lines(), specs(20)
    bare = BarePipe((program,))
    pools = {"referee": SessionPool(Unfreezing()), "freezing": SessionPool(ProcessGroup())}
    found: dict[str, list[float]] = {"pipe": [], **{name: [] for name in pools}}
    managed = []
    for number in range(rounds):
        if manager and number % -(-rounds // MANAGER_TURNS) == 0:
            managed.append(manager.per_ply())
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
    if managed:
        print(f"fastchess: {statistics.median(managed):.1f} µs ({min(managed):.1f} to {max(managed):.1f})")


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
    parser.add_argument("--fastchess", metavar="PROGRAM", help="also measure this manager of chess games")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        program = compile_bot(Path(folder))
        manager = None
        if options.fastchess:
            manager = Fastchess(options.fastchess, compile_bot(Path(folder), "peers/uci_line.c"))
        per_ply(options.rounds, program, manager)
        per_second(options.rounds, program)


if __name__ == "__main__":
    main()
