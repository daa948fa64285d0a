"""`arena train`: what it tells and writes, and what it refuses."""

from __future__ import annotations

import hashlib
import shlex
from pathlib import Path

import pytest

from tests.unit.arena.cli.conftest import Run

SMALL = ("train", "reversed_reversi", "--size", "4", "--jobs", "1")


def test_what_is_learned_is_told_and_kept(run: Run, tmp_path: Path) -> None:
    """The cost comes first, then the rounds; the recipe's command makes the same weights elsewhere."""
    folder = tmp_path / "small"
    words = (*SMALL, "--param", "reversed=false", "--games", "400", "--seed", "9", "--out", str(folder))
    ran = run(*words)
    assert ran.code == 0, ran.err
    first, *others = ran.err.splitlines()
    assert first.startswith("2 rounds: 400 games of self-play, 4,096 to compare each with the one before")
    assert [line.partition(":")[0] for line in others if "of the points" in line] == [
        "round 1 of 2",
        "round 2 of 2",
    ]
    weights = (folder / "weights.bin").read_bytes()
    digest = hashlib.sha256(weights).hexdigest()
    assert ran.out.splitlines()[-1] == f"{folder / 'weights.bin'}: {len(weights):,} bytes, SHA-256 {digest}"
    told = run(*words, "--json").json()
    assert told["weights"] == {"file": "weights.bin", "bytes": len(weights), "sha256": digest}
    assert (told["params"], told["seed"]) == ({"size": 4, "reversed": False}, 9)
    assert [each["games"] for each in told["rounds"]] == [100, 300]
    assert [each["round"] for each in told["curve"]] == [1, 2]
    assert not told["interrupted"]
    other = str(tmp_path / "other")
    again = run(*shlex.split(told["command"].replace("FOLDER", other))[1:], "--json").json()
    assert again | {"folder": str(folder)} == told
    assert (folder / "curve.svg").read_bytes() == (tmp_path / "other" / "curve.svg").read_bytes()


def test_another_plan_for_the_same_folder_is_refused(run: Run, tmp_path: Path) -> None:
    """It says what is not the same, and the folder stays as it is."""
    words = (*SMALL, "--rounds", "64:1:4:1", "--out", str(tmp_path / "small"))
    assert run(*words).code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "small").iterdir()}
    ran = run(*words, "--seed", "1")
    assert (ran.code, ran.out) == (2, "")
    assert "is of another training (seed not the same); name another folder" in ran.err
    assert {path: path.read_bytes() for path in (tmp_path / "small").iterdir()} == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("l_game",), "nothing is learned about l_game; reversed_reversi can be"),
        (("reversed_reversi", "--size", "10"), "square boards of the sizes 4, 6, 8"),
        (("reversed_reversi", "--param", "rows=4", "--size", "6"), "square boards of the sizes 4, 6, 8"),
        (("reversed_reversi", "--size", "5"), "size"),
        (("reversed_reversi", "--size", "4", "--games", "100"), "round 1 has games=25; it must be from 64"),
        (("reversed_reversi", "--rounds", "64:2:10"), "'64:2:10' is no round"),
        (("reversed_reversi", "--rounds", "64:2:10:x"), "'64:2:10:x' is no round"),
        (("reversed_reversi", "--rounds", "64:2:10:1,"), "'' is no round"),
        (("reversed_reversi", "--rounds", "64:2:10:1,64:0:10:1"), "round 2 has depth=0"),
        (("reversed_reversi", "--rounds", "64:2:21:1"), "round 1 has solved=21"),
        (("reversed_reversi", "--rounds", "64:2:10:1001"), "round 1 has steps=1001"),
        (("reversed_reversi", "--rounds", "64:2:10:12345678901234567"), "steps=12345678901234567; it"),
        (("reversed_reversi", "--rounds", f"64:2:10:{'7' * 5000}"), "777' is no round"),
        (("reversed_reversi", "--rounds", "64:2:10:1", "--games", "64"), "leave --games out"),
    ],
)
def test_what_cannot_be_learned_is_refused(
    run: Run, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    """Each ends with exit code 2, a reason, and neither a folder nor standard output."""
    ran = run("train", *words, "--out", str(tmp_path / "none"))
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert not (tmp_path / "none").exists()
