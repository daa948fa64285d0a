"""The peers in C: built with all that the compiler can do for this processor, or with other options."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.peers import MissingPeerError, Player, Totals
from engines.stream import run_key

HERE = Path(__file__).parent
OPTIONS = ("-O3", "-march=native")


def built(name: str, folder: Path, options: Sequence[str] = OPTIONS) -> Path:
    """The program `name`, compiled into `folder` with `options`.

    Raises:
        MissingPeerError: there is no compiler.
    """
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise MissingPeerError("C: no gcc and no cc here; install one")
    program = folder / name
    subprocess.run([compiler, *options, "-o", program, HERE / f"{name}.c"], check=True)
    return program


def player(game: str, folder: Path, seed: int) -> Player:
    """The program for `game`, compiled into `folder`; it plays the games that the run's `seed` gives.

    Raises:
        MissingPeerError: there is no compiler.
    """
    program = built(game, folder)

    def play(games: int, match: int) -> Totals:
        command = [program, str(games), str(run_key(seed, match))]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        first, drawn, second, plies = map(int, said[2:])
        return Totals(int(said[0]), float(said[1]), (first, drawn, second, plies))

    return Player("C", play)
