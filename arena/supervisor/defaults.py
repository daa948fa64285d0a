"""What `arena up` assumes where nothing is said."""

from __future__ import annotations

import os

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8080
DEFAULT_HTTPS_PORT = 8443
ALL_ADDRESSES = "0.0.0.0"  # noqa: S104  (whoever asks for https wants others to come)


def default_workers() -> int:
    """One worker a core, one core left for the rest."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable - 1)
