"""Processes that benchmarks start and ask, and what they use of a processor."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from arena.supervisor.launch import free_port
from arena.supervisor.plans import valkey_binary

HOST = "127.0.0.1"
GUARDED = "arena.web.http.connections:Guarded"
PATIENCE_SECONDS = 60.0


class Server(NamedTuple):
    """A process that serves, and where it listens."""

    port: int
    process: int

    @property
    def url(self) -> str:
        """Where to ask it."""
        return f"http://{HOST}:{self.port}"


@contextmanager
def running(command: list[str], environment: Mapping[str, str], folder: Path) -> Iterator[int]:
    """A process until the end, which writes to a log in `folder`; its number."""
    with (
        (folder / "log").open("ab") as log,
        subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log) as process,
    ):
        try:
            yield process.pid
        finally:
            process.terminate()


@contextmanager
def served(
    application: str, environment: Mapping[str, str], folder: Path, *, factory: bool = True
) -> Iterator[Server]:
    """An application of a module, or what makes one, served by uvicorn as the arena serves its own."""
    port = free_port(HOST)
    command = [sys.executable, "-m", "uvicorn", application, "--host", HOST, "--port", str(port)]
    command += ["--http", GUARDED, "--no-access-log", *(["--factory"] if factory else [])]
    found = {"PYTHONPATH": str(Path(__file__).parents[1])}
    with running(command, {**environment, **found}, folder) as process:
        _await_port(port)
        yield Server(port, process)


def _await_port(port: int) -> None:
    """Return when somebody listens there.

    Raises:
        OSError: nobody does for long.
    """
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1):
            return
        if time.monotonic() > until:
            raise OSError(f"nobody listens on port {port} after {PATIENCE_SECONDS:.0f} s")
        time.sleep(0.05)


@contextmanager
def valkey(folder: Path) -> Iterator[int]:
    """A server at `valkey.sock` in a folder: the number of its process."""
    place = folder / "valkey.sock"
    command = [str(valkey_binary()), "--port", "0", "--unixsocket", str(place), "--save", ""]
    with running([*command, "--dir", str(folder)], os.environ, folder) as process:
        while not place.exists():
            time.sleep(0.01)
        yield process


def cpu(process: int) -> float:
    """The seconds that a process has computed."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_of_postgres(folder: Path) -> float:
    """The seconds that the processes of the PostgreSQL server in that folder have computed."""
    control = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    nanoseconds = 0
    for process in psutil.Process(control).children():
        with contextlib.suppress(OSError):  # it has just ended
            nanoseconds += int(Path(f"/proc/{process.pid}/schedstat").read_text().split()[0])
    return nanoseconds / 1e9
