"""Valkey servers of tests' own, which end with the block that they are for, however that ends."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import redis

from arena.supervisor.plans import valkey_binary
from tests.waiting import eventually


@contextmanager
def valkey(folder: Path, *words: str) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    """A server on a socket in a folder, told these words as well: the socket and the process."""
    socket = folder / "valkey.sock"
    client = redis.Redis(unix_socket_path=str(socket))
    with running(client, folder, "--unixsocket", str(socket), "--port", "0", *words) as process:
        yield socket, process


@contextmanager
def running(client: redis.Redis, folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server that writes no snapshots, was told these words and answers that client."""
    command = [str(valkey_binary()), "--save", "", "--dir", str(folder), *words]
    with closing(client), subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            eventually(lambda: process.poll() is not None or _answers(client))
            assert process.poll() is None, f"{command} ended with {process.returncode}"
            yield process
        finally:
            process.kill()


def _answers(client: redis.Redis) -> bool:
    """Whether there is a server: also one that does not let this client in."""
    try:
        return bool(client.ping())
    except redis.AuthenticationError:
        return True
    except redis.ConnectionError:
        return False
