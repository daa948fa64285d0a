"""A broker that belongs to a test, which can do with it what happens to brokers."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import redis

from arena.supervisor.launch import free_port
from tests.valkey import running

KEPT = "appendonlydir"


class Broker:
    """A Valkey server by TCP at `addresses` that knows again what it knew when it ended."""

    def __init__(self, folder: Path, addresses: Sequence[str]) -> None:
        self.port = free_port("127.0.0.1")
        self._folder, self._server = folder, ExitStack()
        self._words = (
            *("--port", str(self.port), "--bind", *addresses, "--protected-mode", "no"),
            *("--maxmemory-policy", "noeviction"),
            *("--appendonly", "yes", "--appendfsync", "always"),
        )
        self.start()

    def url(self, address: str = "127.0.0.1") -> str:
        """Where it is found by one of its addresses."""
        return f"redis://{address}:{self.port}/0"

    def start(self) -> None:
        """Start it, and return when it answers."""
        self._server.enter_context(running(redis.Redis.from_url(self.url()), self._folder, *self._words))

    def kill(self) -> None:
        """SIGKILL it."""
        self._server.close()

    def forget(self) -> None:
        """Leave nothing for the next start, as one that keeps no files does."""
        shutil.rmtree(self._folder / KEPT)

    def ask(self, *words: Any) -> Any:
        """What it answers to a command."""
        client: Any = redis.Redis.from_url(self.url())
        with closing(client):
            return client.execute_command(*words)
