"""A whole arena under one supervisor: leftovers, broker, database, services, workers, and the end."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from arena.core.errors import StartError
from arena.core.folder import DataFolder, FolderLock
from arena.core.processes import MODULE, end_trees, same_process, start_time
from arena.core.running import ArenaPhase, ArenaState, ChildState, read_state, write_state
from arena.supervisor.logs import tail
from arena.supervisor.loop import Supervisor
from arena.supervisor.plans import ALONE, BROKER, SERVICES, WORKERS, Setup, plans

BROKER_SECONDS = 20.0
LEFTOVER_GRACE = 3.0


def run(setup: Setup, say: Callable[[str], None]) -> None:
    """Run the arena on its data folder until SIGTERM or SIGINT; returns when everything has ended.

    What it and its children write can be read by this user only, even in a folder that others may read.

    Raises:
        AlreadyRunningError: another supervisor holds the folder.
        StartError: the broker or the database could not be made ready.
    """
    os.umask(0o077)
    with FolderLock(setup.folder):
        clean_up(setup.folder)
        record = _Record(setup)
        supervisor = Supervisor(setup.folder, plans(setup), record.children_changed, say)
        supervisor.listen()
        try:
            _start(setup, supervisor, record)
            supervisor.run_until(lambda: False)
        finally:
            record.enter(ArenaPhase.STOPPING, supervisor.states())
            supervisor.stop()
            _remove_traces(setup.folder, setup.socket_folder)


def clean_up(folder: DataFolder) -> None:
    """End what a killed supervisor left running on this folder, and remove its traces.

    Only processes that still are those which the supervisor wrote down are touched.
    """
    state = read_state(folder)
    if state is None:
        return
    processes = [same_process(child.pid, child.created) for child in state.children]
    end_trees((process for process in processes if process), LEFTOVER_GRACE)
    _remove_traces(folder, Path(state.socket_folder) if state.socket_folder else None)


def _remove_traces(folder: DataFolder, socket_folder: Path | None) -> None:
    folder.state_file.unlink(missing_ok=True)
    (folder.run / "valkey.sock").unlink(missing_ok=True)
    if socket_folder:  # which others may have written down: nothing else is removed with it
        with contextlib.suppress(OSError):
            (socket_folder / "valkey.sock").unlink(missing_ok=True)
            socket_folder.rmdir()


class _Record:
    """Keeps the state file up to date."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._phase = ArenaPhase.STARTING
        self._started = time.time()
        self._pid, self._created = _me()
        self.enter(self._phase, ())

    def enter(self, phase: ArenaPhase, children: tuple[ChildState, ...]) -> None:
        """Write the state with a new phase."""
        self._phase = phase
        self.children_changed(children)

    def children_changed(self, children: tuple[ChildState, ...]) -> None:
        """Write the state with the children as they are now."""
        setup = self._setup
        state = ArenaState(
            phase=self._phase,
            pid=self._pid,
            created=self._created,
            url=setup.url,
            data=str(setup.folder.root),
            broker_url=setup.broker_url,
            started=self._started,
            host=setup.host,
            https_port=setup.https_port,
            drain_seconds=setup.drain_seconds,
            socket_folder=str(setup.socket_folder) if setup.socket_folder else None,
            children=children,
        )
        with contextlib.suppress(OSError):  # on a full disk the arena goes on with an old state file
            write_state(setup.folder, state)


def _me() -> tuple[int, float]:
    return os.getpid(), start_time(os.getpid()) or 0.0


def _start(setup: Setup, supervisor: Supervisor, record: _Record) -> None:
    supervisor.start_stage(BROKER)
    if setup.socket:
        _await_broker(setup, supervisor, setup.socket)
    if not supervisor.stopping:
        supervisor.note("preparing the database")
        _prepare(setup)
    for stage in (SERVICES, WORKERS):
        if not supervisor.stopping:
            supervisor.start_stage(stage)
    record.enter(ArenaPhase.RUNNING, supervisor.states())


def _await_broker(setup: Setup, supervisor: Supervisor, path: Path) -> None:
    until = time.monotonic() + BROKER_SECONDS
    supervisor.run_until(lambda: broker_answers(path) or time.monotonic() > until, pause=0.05)
    if not supervisor.stopping and not broker_answers(path):
        raise StartError(failure(setup.folder, "valkey", "the broker does not answer"))


def broker_answers(path: Path) -> bool:
    """Whether a broker answers PING on that socket."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(1)
            connection.connect(str(path))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def _prepare(setup: Setup) -> None:
    log = setup.folder.log_of("prepare")
    with log.open("wb") as output:
        done = subprocess.run(
            [*MODULE, "arena.supervisor.prepare", *([ALONE] if setup.socket else [])],
            env=setup.environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        raise StartError(failure(setup.folder, "prepare", "the database could not be made ready"))


def failure(folder: DataFolder, name: str, trouble: str) -> str:
    """The words for a part that did not come up, with the end of its log."""
    log = folder.log_of(name)
    lines = "\n".join(f"    {line}" for line in tail(log, 12))
    return f"{trouble}; the end of {log}:\n{lines or '    (empty)'}"
