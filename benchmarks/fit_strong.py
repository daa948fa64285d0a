"""The weights of `strong`, fitted to games of such a player against itself.

    python -m benchmarks.fit_strong [--size N] [--rule fewest|most] [--folder F] [--force]

For each board and rule, `fit_strong.c` is compiled and plays rounds of games, the first by mobility alone and
each later one with the weights of the round before, and fits the weights anew after each. All chance comes
from the seed and every sum has a fixed order, so that the same command makes the same weights. A table that
is there with the same settings is left as it is unless `--force` is given, so that a run that was stopped can
be taken up. All eight tables take some four minutes on one core.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path
from typing import Any

from bots.reference import weights

SOURCE = Path(__file__).parent / "fit_strong.c"
OPTIONS = ("-std=gnu17", "-O3", "-march=native", "-ffp-contract=off")
"""A fused multiplication and addition would round otherwise, and make other weights."""

SEED = 1
ROUNDS: dict[int, tuple[tuple[int, int], ...]] = {
    4: ((2_000, 2), (4_000, 2)),
    6: ((4_000, 2), (8_000, 2), (16_000, 2), (48_000, 2)),
    8: ((4_000, 2), (8_000, 2), (16_000, 2), (48_000, 2)),
    10: ((2_000, 2), (4_000, 2), (8_000, 2)),
}
"""By size, for each round its games and how many plies their players search."""

PERFECT = {4: 4, 6: 8, 8: 8, 10: 8}
"""From so many empty squares on games are played perfectly, by size."""


def settings(size: int, *, fewest: bool) -> dict[str, Any]:
    """How a table is fitted."""
    rounds = [list(each) for each in ROUNDS[size]]
    rule = "fewest" if fewest else "most"
    return {"size": size, "rule": rule, "seed": SEED, "perfect": PERFECT[size], "rounds": rounds}


def fit(told: dict[str, Any], *, quiet: bool = False) -> bytes:
    """The file of the table that is fitted as `told`.

    Raises:
        SystemExit: there is no C compiler.
    """
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise SystemExit("the weights are fitted by a program in C: install gcc")
    with tempfile.TemporaryDirectory() as folder:
        program, fitted = Path(folder) / "fit", Path(folder) / "weights"
        board = f"-DSIZE={told['size']}"
        subprocess.run([compiler, *OPTIONS, board, "-o", program, SOURCE, "-lm"], check=True)
        rounds = [number for part in told["rounds"] for number in part]
        numbers = [told["seed"], int(told["rule"] == "fewest"), told["perfect"], *rounds]
        output = subprocess.DEVNULL if quiet else None
        subprocess.run([program, fitted, *map(str, numbers)], check=True, stdout=output)
        return pack(told, fitted.read_bytes())


def pack(told: dict[str, Any], fitted: bytes) -> bytes:
    """The file of what the program wrote: all weights of each stage in 64ths of a disc, two bytes each."""
    numbers = struct.unpack(f"<{len(fitted) // 2}h", fitted)
    kept = [index for index, other in enumerate(weights.mirrored()) if index <= other]
    inner = weights.CORNER + weights.EDGE
    wanted = [*kept, *range(weights.CORNER, inner), *(inner + index for index in kept)]
    length, patterns = sum(weights.PATTERNS) + weights.TABLES, sum(weights.PATTERNS)
    body = bytearray()
    for start in range(0, len(numbers), length):
        stage = numbers[start : start + length]
        eighths = (round(stage[at] / weights.PATTERN_UNITS) for at in wanted)
        body += struct.pack(f"<{len(wanted)}b", *(max(-128, min(127, each)) for each in eighths))
        body += struct.pack(f"<{weights.TABLES}h", *stage[patterns:])
    signed = {**told, "sha256": hashlib.sha256(body).hexdigest()}
    return json.dumps(signed).encode() + b"\n" + zlib.compress(bytes(body), 9)


def is_there(file: Path, told: dict[str, Any]) -> bool:
    """Whether the file has a table that was fitted as `told`."""
    if not file.exists():
        return False
    found, _ = weights.unpack(file.read_bytes())
    return {key: found.get(key) for key in told} == told


def main() -> None:
    """Fit the tables that were asked for."""
    parser = argparse.ArgumentParser(description="Fit the weights of `strong`.")
    parser.add_argument("--size", type=int, choices=sorted(ROUNDS), help="only this board")
    parser.add_argument("--rule", choices=("fewest", "most"), help="only this rule")
    parser.add_argument(
        "--folder", type=Path, default=weights.FOLDER, help="where the tables go (where `strong` reads them)"
    )
    parser.add_argument("--force", action="store_true", help="also tables that are there")
    options = parser.parse_args()
    for size in sorted(ROUNDS):
        for fewest in (True, False):
            told = settings(size, fewest=fewest)
            file = options.folder / weights.file_name(size, fewest=fewest)
            if options.size not in (None, size) or options.rule not in (None, told["rule"]):
                continue
            print(f"{file.name}:", flush=True)
            if is_there(file, told) and not options.force:
                print("is there, fitted like this")
            else:
                file.write_bytes(fit(told))


if __name__ == "__main__":
    main()
