"""The strength of `strong` against players that are not its authors', at equal processor time.

    python -m benchmarks.strength OPPONENT [--games N] [--size N] [--rule fewest|most] [--ms N]

OPPONENT is one of

    before        the `strong` of an earlier commit (`--before COMMIT`)
    engine        a plain engine in C (`peers/reversi_engine.c`) with as much processor time a move
    engine:N      the same held to N plies, without any ending solver
    mobility:N    the same engine, N plies deep, judging by mobility alone
    group8        the reference bot of that name

Openings are eight random moves after which the engine, which plays on 8 by 8 squares only, judges neither
side better by more than half a disc; on other boards they are any random moves, four on 4 by 4 squares. Each
is played from both seats.

Every player is a process of its own, its clock is its own processor time, and they wait for each other, so
that a busy machine disturbs nobody. `strong` uses what it uses of a time limit of `--ms`; the engine gets as
much as `strong` gives itself. The engine's own evaluation is fitted in the same run.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Protocol

from bots.reference.strong import thinking_seconds
from bots.sdk.arena_bot import Time
from engines.games.reversed_reversi import ReversedReversi, State
from engines.stream import Stream

HERE = Path(__file__).parent
ROOT = HERE.parent
BEFORE = "259ec69"
"""The last commit whose `strong` judged by weights of squares alone."""

FIT_GAMES = 2000
OPENING_PLIES = {4: 4, 6: 8, 8: 8, 10: 8}
"""By size; 8 on 4 by 4 squares would leave four squares to play for."""

JUDGING = (10**7, 8, 0)
BALANCED = 50
"""Hundredths of a disc."""

NO_LIMIT = 64
SOLVE = 16


class Player(Protocol):
    """Whoever can be asked for a move."""

    def move(self, state: State) -> tuple[int, float]:
        """The square chosen, and the processor seconds that it took."""


class Process:
    """A program that answers a line with a line."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def tell(self, line: str) -> None:
        """Write a line."""
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def ask(self, line: str) -> str:
        """The line that answers `line`."""
        self.tell(line)
        assert self._process.stdout
        return self._process.stdout.readline()

    def end(self) -> None:
        """No more questions."""
        self._process.communicate(timeout=10)


class Bot(Process):
    """A reference bot from the sources in `folder`."""

    def __init__(self, folder: Path, game: ReversedReversi, milliseconds: int, name: str = "strong") -> None:
        super().__init__([sys.executable, "-S", str(HERE / "peers/bot_on_processor_time.py"), name], folder)
        self._game, self._milliseconds = game, milliseconds
        time = {"move_ms": milliseconds, "extension_ms": 0, "increment_ms": 0}
        about = {"name": game.name, "params": game.params, "version": game.version}
        self.tell(json.dumps({"type": "hello", "game": about, "seat": 0, "seed": 1, "time": time}))

    def move(self, state: State) -> tuple[int, float]:
        """Ask it as the referee does."""
        game = self._game
        ledger = {"move_ms": self._milliseconds, "extensions_left": 0, "bank_ms": None, "last_ms": 0}
        request = {
            "type": "move",
            "id": 1,
            "ply": 0,
            "state": game.state_to_json(state),
            "legal": [game.move_to_text(move) for move in game.legal_moves(state)],
            "history": [],
            "time": ledger,
        }
        text, seconds = json.loads(self.ask(json.dumps(request)))
        return game.move_from_text(text), seconds


class Engine(Process):
    """The engine in C, with its limits: microseconds, plies, and empty squares from which it solves."""

    def __init__(
        self, program: Path, game: ReversedReversi, weights: str, limits: tuple[int, int, int]
    ) -> None:
        super().__init__([str(program), "play", str(int(game.reversed)), weights], program.parent)
        self._limits = " ".join(map(str, limits))

    def judge(self, state: State) -> tuple[int, int, float]:
        """The square, its value in hundredths of a disc, and the processor seconds used."""
        square, value, _, used = self.ask(f"{state.own} {state.opp} {self._limits}").split()
        return int(square), int(value), int(used) / 1e6

    def move(self, state: State) -> tuple[int, float]:
        """Ask it."""
        square, _, seconds = self.judge(state)
        return square, seconds


def build(folder: Path, game: ReversedReversi, games: int = FIT_GAMES) -> Path:
    """The engine compiled into `folder`, with an evaluation that it fitted itself in `weights` beside it."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise SystemExit("the engine needs a C compiler: install gcc")
    program = folder / "reversi_engine"
    source = HERE / "peers/reversi_engine.c"
    subprocess.run([compiler, "-std=gnu17", "-O3", "-march=native", "-o", program, source], check=True)
    command = [program, "fit", str(int(game.reversed)), "1", str(games), folder / "weights"]
    subprocess.run(command, check=True)
    return program


def sources(commit: str, folder: Path) -> Path:
    """The bots and engines of an earlier commit."""
    git = shutil.which("git")
    if git is None:
        raise SystemExit("the sources of an earlier commit need git: install it")
    command = [git, "-C", ROOT, "archive", commit, "bots", "engines"]
    packed = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        files.extractall(folder / "before", filter="data")
    return folder / "before"


def random_openings(game: ReversedReversi) -> Iterator[State]:
    """Positions after random moves."""
    number = 0
    while True:
        stream, state = Stream("strength", game.size, number), game.initial()
        for _ in range(OPENING_PLIES[game.size]):
            if game.outcome(state) is None:
                state = game.play(state, stream.choice(game.legal_moves(state)))
        number += 1
        if game.outcome(state) is None and game.forced_pass(state) is None:
            yield state


def openings(game: ReversedReversi, count: int, judge: Engine | None) -> list[State]:
    """The first `count` that nobody is better in, as far as the judge can tell."""
    found: list[State] = []
    for state in random_openings(game):
        if len(found) == count:
            break
        if state not in found and (judge is None or abs(judge.judge(state)[1]) <= BALANCED):
            found.append(state)
    return found


def play(
    game: ReversedReversi, state: State, players: tuple[Player, Player]
) -> tuple[int, list[list[float]]]:
    """The final advantage in discs of the first player, who moves in `state`, and seconds a move of both."""
    spent: list[list[float]] = [[], []]
    mover = state.seat
    while (outcome := game.outcome(state)) is None:
        move = game.forced_pass(state)
        if move is None:
            who = int(state.seat != mover)
            move, seconds = players[who].move(state)
            spent[who].append(seconds)
        state = game.play(state, move)
    margin = outcome.score[mover] - outcome.score[1 - mover]
    return (-margin if game.reversed else margin), spent


def opponent(name: str, folder: Path, game: ReversedReversi, options: Any, program: Path | None) -> Any:
    """The player that `name` describes."""
    kind, _, depth = name.partition(":")
    if kind == "before":
        return Bot(sources(options.before, folder), game, options.ms)
    if kind == "group8":
        return Bot(ROOT, game, options.ms, kind)
    assert program
    ledger = {"move_ms": options.ms, "extensions_left": 0, "bank_ms": None, "last_ms": 0}
    clock = Time({"extension_ms": 0, "increment_ms": 0}, ledger)
    if kind == "engine" and not depth:
        return Engine(program, game, "weights", (round(thinking_seconds(clock) * 1e6), NO_LIMIT, SOLVE))
    return Engine(program, game, "-" if kind == "mobility" else "weights", (10**8, int(depth), 0))


def match(options: Any, game: ReversedReversi, folder: Path) -> None:
    """Play and print."""
    program = build(folder, game) if game.size == 8 else None
    judge = Engine(program, game, "weights", JUDGING) if program else None
    chosen = openings(game, (options.games + 1) // 2, judge)
    bot, other = Bot(ROOT, game, options.ms), opponent(options.opponent, folder, game, options, program)
    margins: list[int] = []
    times: list[list[float]] = [[], []]
    for number in range(options.games):
        first = number % 2 == 0
        margin, spent = play(game, chosen[number // 2], (bot, other) if first else (other, bot))
        margins.append(margin if first else -margin)
        for side in (0, 1):
            times[side] += spent[side if first else 1 - side]
        if options.verbose:
            print(f"game {number + 1}: {margins[-1]:+}; {told(margins)}", flush=True)
    rule = "fewest" if game.reversed else "most"
    print(f"strong against {options.opponent}, {game.size}x{game.size}, {rule} discs win: {told(margins)}")
    for name, seconds in zip(("strong", options.opponent), times, strict=True):
        print(f"  {name}: {len(seconds)} moves, mean {mean(seconds):.3f} s, most {max(seconds):.3f} s")
    for process in (bot, other, *([judge] if judge else [])):
        process.end()


def told(margins: list[int]) -> str:
    """Wins, draws and losses, the share of the points, and the mean advantage with its standard error."""
    won, lost = sum(m > 0 for m in margins), sum(m < 0 for m in margins)
    points = (won + (len(margins) - won - lost) / 2) / len(margins)
    error = stdev(margins) / len(margins) ** 0.5 if len(margins) > 1 else 0
    text = f"{won} won, {len(margins) - won - lost} drawn, {lost} lost, {points:.1%} of the points"
    return f"{text}, {mean(margins):+.1f} ± {error:.1f} discs a game"


def main() -> None:
    """Play as the options say."""
    parser = argparse.ArgumentParser(description="Play `strong` against another player.")
    parser.add_argument("opponent", help="before, engine, engine:N, mobility:N or group8")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--size", type=int, default=8, help="of the board (8); the engine knows only 8")
    parser.add_argument("--rule", choices=("fewest", "most"), default="fewest")
    parser.add_argument("--ms", type=int, default=200, help="time limit of a move (200)")
    parser.add_argument("--before", default=BEFORE, help=f"the commit of `before` ({BEFORE})")
    parser.add_argument("--verbose", action="store_true", help="a line a game")
    options = parser.parse_args()
    kind, _, depth = options.opponent.partition(":")
    if kind not in ("before", "engine", "mobility", "group8") or (kind == "mobility" and not depth):
        parser.error(
            f"the opponents are before, engine, engine:N, mobility:N and group8, not {options.opponent}"
        )
    if options.size != 8 and kind in ("engine", "mobility"):
        parser.error("the engine plays on 8 by 8 squares only")
    game = ReversedReversi(size=options.size, reversed=options.rule == "fewest")
    with tempfile.TemporaryDirectory() as folder:
        match(options, game, Path(folder))


if __name__ == "__main__":
    main()
