"""Ports for arenas that tests start."""

from __future__ import annotations

import itertools
import os
import socket

FIRST, EACH = 20_000, 1000
"""Below the ports that systems give to clients: one that is free now may be somebody's a moment later."""
PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_PORTS = itertools.cycle(range(FIRST + EACH * (PROCESS % 12), FIRST + EACH * (PROCESS % 12 + 1)))


def own_port() -> int:
    """A port that nobody listens on, and that no other process of this run of tests takes."""
    while True:
        port = next(_PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
