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

from arena.client.http import ArenaClient
from arena.core.folder import DataFolder
from arena.core.running import ArenaState, ChildState, read_state
from arena.supervisor.launch import free_port, is_healthy

PATIENCE = 600.0
PROGRAM = Path(sys.executable).with_name("arena")
IMPATIENT = {"ARENA_LEASE_SECONDS": "5", "ARENA_HEARTBEAT_SECONDS": "1", "ARENA_PICKUP_SECONDS": "4"}


def eventually(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until `condition` holds; fail with its name when it does not in time."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"waited {seconds:.0f} s in vain for {condition}"
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

    def kill(self, name: str) -> None:
        """SIGKILL one of its processes and wait until the supervisor has started it again."""
        before = self.child(name)
        assert before.pid is not None
        os.kill(before.pid, signal.SIGKILL)
        eventually(lambda: self.child(name).pid not in (None, before.pid))

    def kill_supervisor(self) -> None:
        """SIGKILL the supervisor itself."""
        process = psutil.Process(self.state.pid)
        process.kill()
        process.wait(10)

    def client(self, token: str | None = None) -> ArenaClient:
        """A client, the staff's unless a token is given."""
        return ArenaClient(self.state.url, token or self.folder.admin_token.read_text().strip())

    def healthy(self) -> bool:
        """Whether every part answers."""
        return is_healthy(self.state.url)

    def processes(self) -> list[str]:
        """The command lines of every process that still mentions its folder."""
        found = []
        for process in psutil.process_iter(["cmdline", "environ"]):
            words = " ".join(process.info["cmdline"] or [])
            environment = process.info["environ"] or {}
            if str(self.folder.root) in words or environment.get("ARENA_DATA_DIR") == str(self.folder.root):
                found.append(words)
        return found


MakeArena = Callable[..., Arena]


@pytest.fixture
def make_arena(tmp_path: Path) -> Iterator[MakeArena]:
    """Starts arenas, and at the end sees to it that nothing of them is left."""
    made: list[Arena] = []

    def make(workers: int, *, program: Path = PROGRAM, **environment: str) -> Arena:
        folder = DataFolder.at(tmp_path / f"arena{len(made)}")
        cores = {"ARENA_CORES_DIR": str(tmp_path / "cores"), "ARENA_MATCH_CORES": "64"}
        arena = Arena(folder, IMPATIENT | cores | environment, program)
        made.append(arena)
        arena.up(workers)
        return arena

    yield make
    for arena in made:
        arena.down()
        assert arena.processes() == []
