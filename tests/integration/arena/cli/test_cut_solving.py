"""`arena solve` with a checkpoint and a proof, and `arena solve verify`."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.unit.arena.cli.conftest import Run

SMALL = ("solve", "reversed_reversi", "--size", "4", "--jobs", "1", "--memory", "1")


def test_a_solve_is_told_kept_and_proven(run: Run, tmp_path: Path) -> None:
    """The published value comes out, again from the checkpoint, and either search verifies its proof."""
    checkpoint, proof = tmp_path / "bounds", tmp_path / "proof.gz"
    words = (*SMALL, "--param", "reversed=false", "--checkpoint", str(checkpoint), "--proof", str(proof))
    ran = run(*words)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[:2] == [
        "Reversi on 4 by 4 squares, more discs win",
        "With perfect play O wins, with 8 discs more",
    ]
    assert lines[2] == "Best first moves: c1 d2 a3 b4"
    assert lines[-1] == f"The proof has {proof.stat().st_size} bytes"
    again = run(*words[:-2], "--json").json()
    assert (again["value"], again["winner"], again["leaves"]) == (-8, "O", 0)
    assert not again["interrupted"]
    told = run("solve", "verify", str(proof), "--all", "--json").json()
    assert (told["value"], told["params"]) == (-8, {"size": 4, "reversed": False})
    assert told["solved"] == told["leaves"] > 10
    shown = run("solve", "verify", str(proof), "--sample", "3", "--seed", "7", "--plain")
    assert shown.code == 0
    assert f"3 of {told['leaves']} leaves solved again" in shown.out
    assert "if the other leaves are right" in shown.out


def test_a_proof_that_was_tampered_with_is_refused(run: Run, tmp_path: Path) -> None:
    """Exit code 1, the line, and nothing on standard output; a file that is cut off is no proof either."""
    proof = tmp_path / "proof"
    assert run(*SMALL, "--proof", str(proof)).code == 0
    lines = proof.read_text().splitlines(keepends=True)
    proof.write_text("".join([*lines[:7], *lines[8:]]))
    ran = run("solve", "verify", str(proof))
    assert (ran.code, ran.out) == (1, "")
    assert "is refused: line " in ran.err
    packed = tmp_path / "cut.gz"
    packed.write_bytes(gzip.compress("".join(lines).encode())[:-20])
    ran = run("solve", "verify", str(packed))
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be read" in ran.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("verify",), "name the file"),
        (("verify", "there-is-none"), "cannot be read"),
        (("verify", "x", "--all", "--sample", "3"), "contradict"),
        (("l_game", "x"), "arena solve verify FILE"),
        (("reversed_reversi", "--all"), "arena solve verify FILE"),
        (("l_game", "--jobs", "2"), "first position of reversed_reversi"),
        (("reversed_reversi", "--jobs", "2", "--moves", "e3"), "first position of reversed_reversi"),
        (("l_game", "--table", "x.csv", "--jobs", "2"), "no other analysis"),
        (("reversed_reversi", "--jobs", "2"), "on at most 42 squares, not on 8 by 8"),
        (("reversed_reversi", "--size", "4", "--proof", "no/such/folder"), "cannot be written"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, words: tuple[str, ...], message: str) -> None:
    """Each ends with exit code 2, a reason, and nothing on standard output."""
    ran = run("solve", *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
