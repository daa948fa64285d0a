"""Runs every benchmark with its defaults: `python -m benchmarks`."""

from __future__ import annotations

import sys

from benchmarks import perft, referee

if __name__ == "__main__":
    referee.main()
    sys.exit(perft.main())
