"""Runs the benchmarks with their defaults, each in a process of its own: `python -m benchmarks`."""

from __future__ import annotations

import subprocess
import sys

BENCHMARKS = (
    *("starting", "referee", "perft", "rules", "playouts", "choosers", "solving", "columns", "kernel"),
    "sandbox",
    *(
        "rating",
        "standings",
        "recording",
        "reading",
        "costly",
        "live",
        "pairing",
        "growth",
        "fleet",
        "events",
        "spectators",
    ),
)


def main() -> int:
    """Run them all; the worst of their exit statuses."""
    return max(subprocess.call([sys.executable, "-m", f"benchmarks.{name}"]) for name in BENCHMARKS)


if __name__ == "__main__":
    sys.exit(main())
