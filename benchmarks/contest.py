"""Players of Reversi as processes that are asked by turns, with the processor time that each of them uses.

Every player is one process. Where `peers/processor_clock.c` is preloaded, the clock that it reads is its own
processor time, so that it gives itself as much of that on a busy machine as on one that does nothing else.
What it did use is read from the system's clock of its process. Linux only.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchmarks.strength import NO_LIMIT, SOLVE
from bots.adapters.reversi import Mirror
from engines.games.reversed_reversi import ReversedReversi, State

COLORS = ("black", "white")


class SilentError(Exception):
    """A player ended, or refused what it was told; the message says which."""


@dataclass(frozen=True)
class Turn:
    """What a player said, and how many seconds of processor time it took."""

    move: str
    words: str
    seconds: float


class Player(Protocol):
    """A process that plays one game."""

    def move(self, state: State, history: Sequence[str]) -> Turn:
        """Its move, after those of `history`, in the arena's notation."""

    def end(self) -> None:
        """End it."""


class Process:
    """A program that is told lines and answers with lines."""

    def __init__(self, command: Sequence[str | Path], preloaded: Path | None) -> None:
        environment = os.environ | ({"LD_PRELOAD": str(preloaded)} if preloaded else {})
        pipe = subprocess.PIPE
        self._command = command
        self._process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)

    def seconds(self) -> float:
        """The processor time that it has used."""
        return time.clock_gettime(~self._process.pid << 3 | 2)  # the kernel's number for that clock

    def tell(self, line: str) -> None:
        """Write a line."""
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def hear(self) -> str:
        """The next line that it writes, without its end.

        Raises:
            SilentError: there is none.
        """
        assert self._process.stdout
        if line := self._process.stdout.readline():
            return line.rstrip("\r\n")
        raise SilentError(f"{' '.join(map(str, self._command))} ended in the middle of a game")

    def end(self) -> None:
        """Nothing more is asked."""
        with self._process:
            self._process.kill()


class ArenaBot:
    """A bot that speaks arena/1, with so many milliseconds for a move."""

    def __init__(
        self, command: Sequence[str | Path], game: ReversedReversi, seat: int, milliseconds: int, clock: Path
    ) -> None:
        self._process, self._game, self._milliseconds = Process(command, clock), game, milliseconds
        limits = {"move_ms": milliseconds, "extensions": 0, "extension_ms": 0, "bank_ms": None}
        hello = {
            "type": "hello",
            "protocols": ["arena/1"],
            "match": "contest",
            "game": {"name": game.name, "params": game.params, "version": game.version},
            "seat": seat,
            "seed": 1,
            "time": limits | {"increment_ms": 0, "startup_ms": 10_000},
            "limits": {"line_bytes": 65536, "output_bytes": 1 << 20, "memory_mb": 512, "ponder": False},
            "policy": {"repetition": None, "max_plies": None},
        }
        self._process.tell(json.dumps(hello))
        self._process.hear()

    def move(self, state: State, history: Sequence[str]) -> Turn:
        """Ask it as the referee does."""
        game = self._game
        request = {
            "type": "move",
            "id": len(history),
            "ply": len(history),
            "state": game.state_to_json(state),
            "legal": [game.move_to_text(move) for move in game.legal_moves(state)],
            "history": list(history),
            "time": {"move_ms": self._milliseconds, "extensions_left": 0, "bank_ms": None, "last_ms": 0},
        }
        before = self._process.seconds()
        self._process.tell(json.dumps(request))
        answer = json.loads(self._process.hear())
        return Turn(answer["move"], answer.get("debug", ""), self._process.seconds() - before)

    def end(self) -> None:
        """End it."""
        self._process.end()


class Rhino:
    """Debian's `gtp-rhino` with its book, as deep as its level, 1 to 5, however long it takes."""

    PROGRAM = Path("/usr/games/gtp-rhino")

    def __init__(self, level: int, game: ReversedReversi, seat: int) -> None:
        self._process = Process([self.PROGRAM, f"--level={level}"], None)
        self._color, self._mirror, self._told = COLORS[seat], Mirror(dict(game.params)), 0
        self._ask("boardsize 8")
        self._ask("clear_board")

    def move(self, state: State, history: Sequence[str]) -> Turn:
        """Tell it what was played since, and have it move."""
        del state
        before = self._process.seconds()
        for ply in range(self._told, len(history)):
            if history[ply] == "pass":
                continue  # it knows by itself who has to pass
            self._ask(f"play {COLORS[ply % 2]} {self._mirror(history[ply])}")
        move = self._mirror(self._ask(f"genmove {self._color}").lower())
        self._told = len(history) + 1
        return Turn(move, "", self._process.seconds() - before)

    def end(self) -> None:
        """End it."""
        self._process.end()

    def _ask(self, command: str) -> str:
        """Its answer, which an empty line ends.

        Raises:
            SilentError: it refuses.
        """
        self._process.tell(command)
        answer = self._process.hear()
        while self._process.hear():
            pass
        if not answer.startswith("="):
            raise SilentError(f"{self.PROGRAM} does not take {command}: {answer}")
        return answer.removeprefix("=").strip()


class PlainEngine:
    """`peers/reversi_engine.c` with the weights that it has fitted, and so many milliseconds for a move."""

    def __init__(self, program: Path, game: ReversedReversi, milliseconds: int) -> None:
        weights = program.with_name("weights")
        self._process = Process([program, "play", str(int(game.reversed)), weights], None)
        self._game, self._limits = game, f"{1000 * milliseconds} {NO_LIMIT} {SOLVE}"

    def move(self, state: State, history: Sequence[str]) -> Turn:
        """Ask it; each time it begins with nothing remembered."""
        del history
        before = self._process.seconds()
        self._process.tell(f"{state.own} {state.opp} {self._limits}")
        square, words = self._process.hear().split(maxsplit=1)
        return Turn(self._game.move_to_text(int(square)), words, self._process.seconds() - before)

    def end(self) -> None:
        """End it."""
        self._process.end()


@dataclass
class Played:
    """A game: its moves, with the opening's, seat 0's margin, and by seat what each player said and used.

    The margin is in discs more than the other side's, or fewer, where the fewest win.
    """

    moves: list[str]
    margin: int = 0
    turns: tuple[list[Turn], list[Turn]] = field(default_factory=lambda: ([], []))


def play(game: ReversedReversi, opening: Sequence[str], players: tuple[Player, Player]) -> Played:
    """A whole game from an opening.

    Raises:
        SilentError: a player ended before the game did.
        GameError: a player's move is against the rules.
    """
    state, played = game.initial(), Played(list(opening))
    for text in opening:
        state = game.play(state, game.move_from_text(text))
    while (outcome := game.outcome(state)) is None:
        move = game.forced_pass(state)
        if move is None:
            turn = players[state.seat].move(state, played.moves)
            played.turns[state.seat].append(turn)
            move = game.move_from_text(turn.move)
        played.moves.append(game.move_to_text(move))
        state = game.play(state, move)
    margin = outcome.score[0] - outcome.score[1]
    played.margin = -margin if game.reversed else margin
    return played
