"""A whole arena of real processes for a test, started by the command line and killed in parts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.client.connection import S
from arena.client.errors import BusyError, UnreachableError
from arena.client.http import ArenaClient
from arena.core.folder import DataFolder
from arena.core.running import ArenaState, ChildState, read_state
from arena.supervisor.launch import free_port, is_healthy

PATIENCE = 600.0
ENDING_SECONDS = 120.0
PROGRAM = Path(sys.executable).with_name("arena")
ATTENTIVE = {"ARENA_HEARTBEAT_SECONDS": "1"}
"""What is called off is broken off soon."""
IMPATIENT = {"ARENA_LEASE_SECONDS": "5", "ARENA_PICKUP_SECONDS": "4", "ARENA_MAX_LOST": "1000"}
"""What a killed part had in hand is soon given out anew; so is, without end, what a slow machine silences."""


def eventually(condition: Callable[[], object]) -> None:
    """Wait until `condition` holds; fail with its name when it never does."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, f"waited {PATIENCE:.0f} s in vain for {condition}"
        time.sleep(0.1)


def processes_of(folder: Path) -> list[str]:
    """The command lines of every process that was told of a folder, in its words or its environment."""
    found = []
    for process in psutil.process_iter(["cmdline", "environ"]):
        words = process.info["cmdline"] or []
        told = [*words, *(process.info["environ"] or {}).values()]
        if any(each == str(folder) or f"{folder}/" in each for each in told):
            found.append(" ".join(words))
    return found


def await_end(folder: Path) -> None:
    """Wait until nothing runs any more that was told of a folder; fail with what does not end."""
    until = time.monotonic() + ENDING_SECONDS
    while left := processes_of(folder):
        assert time.monotonic() < until, left
        time.sleep(0.1)


class PatientClient(ArenaClient):
    """A client that repeats what a busy arena refused to begin, and its questions where none answers."""

    def _ask(self, schema: type[S], method: str, path: str, **content: Any) -> S:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return super()._ask(schema, method, path, **content)
            except (BusyError, UnreachableError) as error:
                harmless = method == "GET" or isinstance(error, BusyError)
                if not harmless or time.monotonic() > until:
                    raise
            time.sleep(0.1)


@dataclass
class Arena:
    """An arena on a data folder of its own, used as its users would."""

    folder: DataFolder
    environment: dict[str, str] = field(default_factory=dict)
    program: Path = PROGRAM

    def command(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run `arena ...` with this data folder."""
        environment = {**os.environ, **self.environment, "ARENA_DATA_DIR": str(self.folder.root)}
        done = subprocess.run(
            [self.program, *arguments],
            env=environment,
            cwd=self.folder.root.parent,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0 or not check, done.stderr
        return done

    def json(self, *arguments: str) -> Any:
        """The JSON document that `arena ... --json` prints."""
        return json.loads(self.command(*arguments, "--json").stdout)

    def up(self, workers: int) -> None:
        """Start it on a free port."""
        self.command("up", "--port", str(free_port("127.0.0.1")), "--workers", str(workers))

    def down(self) -> None:
        """Stop it, whatever state it is in."""
        self.command("down", check=False)

    @property
    def state(self) -> ArenaState:
        """What its supervisor last wrote down."""
        state = read_state(self.folder)
        assert state is not None
        return state

    def child(self, name: str) -> ChildState:
        """One of its processes."""
        return next(child for child in self.state.children if child.name == name)

    def kill(self, name: str, how: signal.Signals = signal.SIGKILL) -> None:
        """Kill one of its processes and wait until the supervisor has started it again."""
        before = self.child(name)
        assert before.pid is not None
        os.kill(before.pid, how)
        eventually(lambda: self.child(name).pid not in (None, before.pid))

    def kill_supervisor(self) -> None:
        """SIGKILL the supervisor itself."""
        process = psutil.Process(self.state.pid)
        process.kill()
        process.wait(PATIENCE)

    def client(self, token: str | None = None) -> ArenaClient:
        """A client, the staff's unless a token is given."""
        return PatientClient(self.state.url, token or self.folder.admin_token.read_text().strip())

    def healthy(self) -> bool:
        """Whether every part answers."""
        return is_healthy(self.state.url)


MakeArena = Callable[..., Arena]


@pytest.fixture
def make_arena(tmp_path: Path) -> Iterator[MakeArena]:
    """Starts arenas, and at the end sees to it that nothing of them is left."""
    made: list[Arena] = []

    def make(workers: int, *, program: Path = PROGRAM, **environment: str) -> Arena:
        folder = DataFolder.at(tmp_path / f"arena{len(made)}")
        cores = {"ARENA_CORES_DIR": str(tmp_path / "cores"), "ARENA_MATCH_CORES": "64"}
        arena = Arena(folder, ATTENTIVE | cores | environment, program)
        made.append(arena)
        arena.up(workers)
        return arena

    yield make
    for arena in made:
        arena.down()
        await_end(arena.folder.root)
