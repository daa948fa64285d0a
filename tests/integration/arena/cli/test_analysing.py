"""`arena match analyse`: a recorded match judged at home, without any server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.arena.cli.conftest import Run


@pytest.fixture
def recorded(run: Run, tmp_path: Path) -> str:
    """A file with one game of heaps that chance has played."""
    path = str(tmp_path / "games.jsonl")
    heaps = ("--param", "heaps=[1,2,3]", "--param", "misere=false")
    players = ("--first", "random", "--second", "random", "--games", "1", "--seed", "3")
    assert run("simulate", "heap_nim", *heaps, *players, "--record", path).code == 0
    return path


def _lost(heaps: str) -> bool:
    """Whether the side to move loses: by the XOR of what the heaps hold."""
    found = 0
    for each in heaps:
        found ^= int(each)
    return found == 0


def test_a_record_is_analysed(run: Run, recorded: str) -> None:
    """Each position is worth what its heaps say, and the losing move is told in words and as JSON."""
    told = run("match", "analyse", recorded, "--json").json()
    heaps = [1, 2, 3]
    for each in told["positions"]:
        if each["move"]:
            heap, taken = each["move"].split(":")
            heaps[int(heap) - 1] -= int(taken)
        assert each["value"] == ("lost" if _lost("".join(map(str, heaps))) else "won")
    assert heaps == [0, 0, 0]
    loser, ply = told["lost"]["seat"], told["lost"]["ply"]
    assert loser == told["positions"][-1]["seat"]
    shown = run("match", "analyse", recorded)
    assert shown.code == 0
    words = f"lost it by ply {ply}" if ply else "stood lost before it had a choice"
    assert words in shown.out


def test_what_is_not_solved_is_said(run: Run, tmp_path: Path) -> None:
    """Of a board that is too large nothing is known, and a file that is none is refused."""
    path = str(tmp_path / "games.jsonl")
    players = ("--first", "random", "--second", "random", "--games", "1")
    assert run("simulate", "reversed_reversi", "--param", "size=10", *players, "--record", path).code == 0
    shown = run("match", "analyse", path)
    assert (shown.code, "8 by 8" in shown.err) == (0, True)
    missing = run("match", "analyse", str(tmp_path / "none.jsonl"))
    assert (missing.code, "there is no record file" in missing.err) == (2, True)
