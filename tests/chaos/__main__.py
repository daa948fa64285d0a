"""Trouble an arena for as long as somebody wants: `python -m tests.chaos --setup services --minutes 60`.

Faults come in an order that the seed decides, each once before any comes again; a line tells of each, and how
many seconds later play went on. Fails as soon as a result is missing, counts twice, or is another one.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.chaos.faults import FAULTS, schedule
from tests.chaos.stages import SETUPS


def main() -> int:
    """Read the command line and run; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--setup", choices=sorted(FAULTS), default="embedded")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fault", choices=sorted(set().union(*FAULTS.values())), action="append")
    options = parser.parse_args()
    names = [name for name in FAULTS[options.setup] if not options.fault or name in options.fault]
    if not names:
        parser.error(f"none of these faults happens to the setup {options.setup!r}")
    try:
        soak(options.setup, names, options.minutes, options.seed)
    except pytest.skip.Exception as reason:
        sys.stderr.write(f"{reason}\n")
        return 2
    return 0


def soak(setup: str, names: list[str], minutes: float, seed: int) -> None:
    """Let these faults happen for so long, and see to it that everything comes to its right end."""
    rounds = (schedule(names, seed + number) for number in itertools.count())
    with tempfile.TemporaryDirectory() as folder, SETUPS[setup](Path(folder)) as stage:
        until = time.monotonic() + 60 * minutes
        for name in itertools.chain.from_iterable(rounds):
            stage.goes_on()
            if time.monotonic() > until:
                break
            sys.stdout.write(f"{stage.name}: {name}")
            sys.stdout.flush()
            FAULTS[setup][name](stage)
            over = time.monotonic()
            stage.goes_on()
            sys.stdout.write(f", went on after {time.monotonic() - over:.1f} s\n")
        stage.comes_to_its_end()
    sys.stdout.write(f"{stage.number} tournaments, every match once, every table as it is without faults\n")


if __name__ == "__main__":
    sys.exit(main())
