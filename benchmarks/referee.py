"""What the referee costs: microseconds a ply against a bare pipe, and matches a second.

    python -m benchmarks.referee [--rounds N] [--fastchess PROGRAM]

Everything is measured in one run, in turns, on one core that the referee and the bots share, and quoted as
medians: by the clock, and by the processor time of all that takes part, which other work on that core does
not lengthen so much. The bots are written in C and answer at once (`first_move.c`), so what is left is the
referee. Then they are also kept from computing between their turns, without a sandbox and in the best that
works here. With `--fastchess`, that manager of chess games (https://github.com/Disservin/fastchess, compiled
by whoever measures) has its turns in the same run, with an engine that answers at once too
(`peers/uci_line.c`).
"""

from __future__ import annotations

import argparse
import functools
import os
import select
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from bots.protocol.messages import encode
from engines.games import find_game
from engines.openings import balanced_openings
from workers.core.contract import BotRef, GameSpec, Limits, MatchSpec, TimeControl
from workers.play.clock import Clock
from workers.play.kept import SessionPool
from workers.play.match import play_match
from workers.sandbox import tree
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


class Cost(NamedTuple):
    """Microseconds a ply, by the clock and of processor time."""

    wall: float
    processor: float


def used_by(pids: Iterable[int]) -> int:
    """The processor time of processes, in nanoseconds."""
    return sum(time.clock_gettime_ns(clock_of(pid)) for pid in pids)


def cost(play: Callable[[], int]) -> Cost:
    """What each of the plies costs that `play` plays and counts, with processes that run already."""
    pids = tree.descendants(os.getpid())
    others = used_by(pids)
    own, start = time.process_time_ns(), time.perf_counter_ns()
    plies = play()
    wall, own = time.perf_counter_ns() - start, time.process_time_ns() - own
    return Cost(wall / plies / 1000, (own + used_by(pids) - others) / plies / 1000)


def median(costs: list[Cost]) -> Cost:
    """The middle one of each."""
    return Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))


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

    def ask(self, lines: list[bytes]) -> int:
        """Send each line to the bots in turn and wait for the answer; the number of lines."""
        for number, line in enumerate(lines):
            _, stdin, stdout, poller = self._bots[number % 2]
            os.write(stdin, line)
            poller.poll()
            os.read(stdout, 65536)
        return len(lines)

    def close(self) -> None:
        """End the bots."""
        for process, *_ in self._bots:
            process.communicate()


class Unfreezing(ProcessGroup):
    """Lets bots run between their turns, and minds it no more than whether they sleep."""

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        """Start a bot that is never frozen, and taken to sleep."""
        process = super().launch(program, limits, writable=writable)
        process.freeze = process.stop = process.thaw = lambda: None  # type: ignore[method-assign]  # that is what is left out
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

    def per_ply(self) -> Cost:
        """What a ply costs."""
        ends: list[tuple[float, int]] = []
        with subprocess.Popen(self._command, cwd=self._folder, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            for line in process.stdout:
                if not (line.startswith("Finished game ") and line.endswith("{Draw by adjudication}\n")):
                    continue
                measured = len(ends) in (MANAGER_WARM_UP - 1, MANAGER_GAMES - 1)
                used = used_by({process.pid} | tree.descendants(process.pid)) if measured else 0
                ends.append((time.perf_counter(), used))
        if len(ends) != MANAGER_GAMES:
            raise SystemExit(f"fastchess played {len(ends)} of {MANAGER_GAMES} games to the end")
        plies = (MANAGER_GAMES - MANAGER_WARM_UP) * MANAGER_PLIES
        (first, used_first), (last, used_last) = ends[MANAGER_WARM_UP - 1], ends[-1]
        return Cost((last - first) * 1e6 / plies, (used_last - used_first) / 1000 / plies)


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
    """Print what a ply costs the bare pipe, the referee and the manager, measured in turns."""
    command = (program, "-r")
    lines, matches = typical_lines(), specs(20)
    bare = BarePipe((program,))
    pools = {
        "referee": SessionPool(Unfreezing()),
        "and no bot computes between its turns": SessionPool(ProcessGroup()),
        "the same in a sandbox": SessionPool(),
    }

    def play(pool: SessionPool, number: int) -> int:
        spec = matches[number % len(matches)]
        return sum(move.asked for move in play_match(spec, (command, command), pool=pool).moves)

    for pool in pools.values():
        play(pool, 0)
    found: dict[str, list[Cost]] = {}
    for number in range(rounds):
        if manager and number % -(-rounds // MANAGER_TURNS) == 0:
            found.setdefault("fastchess", []).append(manager.per_ply())
        found.setdefault("bare pipe", []).append(cost(lambda: bare.ask(lines)))
        for name, pool in pools.items():
            found.setdefault(name, []).append(cost(functools.partial(play, pool, number)))
    bare.close()
    for pool in pools.values():
        pool.close()
    rival = median(found["fastchess"]) if manager else median(found["bare pipe"])
    print(f"{'a ply, in µs':38} {'by the clock':>18} {'processor time':>18}")
    for name, costs in found.items():
        wall, processor = median(costs)
        ratios = wall / rival.wall, processor / rival.processor
        print(f"{name:38} {wall:9.1f} ({ratios[0]:5.2f}) {processor:9.1f} ({ratios[1]:5.2f})")
    print(f"(in brackets: {'fastchess' if manager else 'the bare pipe'} is 1)")


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
