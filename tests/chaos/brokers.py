"""A broker that belongs to a test, which can do with it what happens to brokers."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import redis

from arena.supervisor.launch import free_port
from arena.supervisor.plans import valkey_binary
from tests.waiting import eventually


class Broker:
    """A Valkey server by TCP at `addresses`; when it ends it forgets everything unless it is to `persist`."""

    def __init__(self, folder: Path, addresses: Sequence[str], *, persist: bool) -> None:
        self.port = free_port("127.0.0.1")
        self._command = [
            str(valkey_binary()),
            *("--port", str(self.port), "--bind", *addresses, "--protected-mode", "no"),
            *("--save", "", "--dir", str(folder), "--maxmemory-policy", "noeviction"),
            *("--appendonly", "yes" if persist else "no", "--appendfsync", "always"),
        ]
        self.start()

    def url(self, address: str = "127.0.0.1") -> str:
        """Where it is found by one of its addresses."""
        return f"redis://{address}:{self.port}/0"

    def start(self) -> None:
        """Start it, and return when it answers."""
        self._server = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        eventually(self._answers)

    def kill(self) -> None:
        """SIGKILL it."""
        self._server.kill()
        self._server.wait()

    def ask(self, *words: Any) -> Any:
        """What it answers to a command."""
        client: Any = redis.Redis.from_url(self.url())
        with closing(client):
            return client.execute_command(*words)

    def _answers(self) -> bool:
        try:
            return bool(self.ask("PING"))
        except redis.ConnectionError:
            return False
