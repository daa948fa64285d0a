"""The proofs that the documentation ships: each is whole, and shows the value that stands in its table."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest

from arena.local.proof_file import proof_lines
from engines.solvers.reversi_verifier import verify

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "proofs"
PROOFS = sorted(FOLDER.glob("*.proof.gz"))
ROW = re.compile(r"\| (\d) \u00d7 (\d), (parallel, )?(most|fewest) \| (\u2212?\d+) \|.*\| (\d+), (\d+) \|")
QUICK = ("4x4", "4x6")


def _rows() -> dict[str, tuple[int, int, int]]:
    """What the table says of each proof: its value, positions and leaves."""
    found = {}
    for columns, rows, parallel, rule, *told in ROW.findall((ROOT / "docs/solving.md").read_text("utf-8")):
        name = f"{columns}x{rows}-{'parallel-' if parallel else ''}{rule}"
        value, positions, leaves = (int(each.replace("\u2212", "-")) for each in told)
        found[name] = value, positions, leaves
    return found


def test_the_checksums_are_those_of_the_files() -> None:
    """Nothing is listed that is not there, nothing is there that is not listed, and no byte differs."""
    listed = dict(line.split("  ")[::-1] for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    assert listed == {path.name: sha256(path.read_bytes()).hexdigest() for path in PROOFS}
    assert PROOFS


@pytest.mark.parametrize("path", PROOFS, ids=lambda path: path.name.partition(".")[0])
def test_a_proof_shows_what_its_row_says(path: Path) -> None:
    """Its positions are replayed by the rules, and on small boards all of its leaves are solved again."""
    name = path.name.partition(".")[0]
    found = verify(proof_lines(path), sample=None if name.startswith(QUICK) else 0)
    assert (found.value, found.positions, found.leaves) == _rows()[name]
    columns, rows = map(int, name.partition("-")[0].split("x"))
    assert (found.params["size"], found.params.get("rows", columns)) == (columns, rows)
    assert found.params["reversed"] == name.endswith("fewest")
    assert (found.position is not None) == ("parallel" in name)
