"""`arena solve` with a checkpoint and a proof, and `arena solve verify`."""

from __future__ import annotations

import gzip
import json
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
    other = run(*words, "--force", "--frontier", "3", "--json")
    assert (other.json()["value"], other.json()["frontier"], again["frontier"]) == (-8, 3, 6)
    assert other.err.startswith("1 process with 1 MiB for positions")
    assert run("solve", "verify", str(proof), "--all", "--json").json()["value"] == -8
    told = run("solve", "verify", str(proof), "--all", "--json").json()
    assert (told["value"], told["params"]) == (-8, {"size": 4, "reversed": False})
    assert told["solved"] == told["leaves"] > 10
    shown = run("solve", "verify", str(proof), "--sample", "3", "--seed", "7", "--plain")
    assert shown.code == 0
    assert f"3 of {told['leaves']} leaves solved again" in shown.out
    assert "if the other leaves are right" in shown.out


@pytest.mark.parametrize("rows", [(), ("--param", "rows=5")], ids=["square", "rectangle"])
def test_a_position_is_solved_kept_and_proven(run: Run, tmp_path: Path, rows: tuple[str, ...]) -> None:
    """By its moves: what the ending's analysis says, told and proven of it; its file is for it alone."""
    checkpoint, proof = tmp_path / "bounds", tmp_path / "proof"
    words = (*SMALL, *rows, "--checkpoint", str(checkpoint))
    moves = ("--moves", "c1")
    told = run(*words, *moves, "--proof", str(proof), "--json").json()
    ending = run(*SMALL[:4], *rows, *moves, "--json").json()
    cross, nought = ending["score"]
    assert (told["value"], told["winner"]) == (nought - cross, ending["winner"])
    assert told["position"] == ending["position"]
    assert ending["line"][0] in told["moves"]
    position = ("--position", json.dumps(told["position"]))
    assert run(*words, *position, "--json").json()["leaves"] < told["leaves"]
    lines = run(*words, *position).out.splitlines()
    assert lines[1 : 2 + len(told["position"]["board"])] == [
        *(f"  {row}" for row in told["position"]["board"]),
        f"O to move, empty squares: {ending['empty']}",
    ]
    shown = run("solve", "verify", str(proof), "--all", "--plain")
    assert "O to move, empty squares" in shown.out
    for other in ((), ("--moves", "d2")):
        ran = run(*words, *other)
        assert (ran.code, ran.out) == (2, "")
        assert "cannot be gone on from: it is of the position" in ran.err


def test_a_position_that_is_no_ending_is_cut_up_unasked(run: Run) -> None:
    """With 23 empty squares on a rectangle; after its best move it is an ending, of the same value."""
    words = ("solve", "reversed_reversi", "--size", "4", "--param", "rows=7", "--param", "reversed=false")
    told = run(*words, "--moves", "d3", "--json").json()
    assert (told["frontier"], told["interrupted"], told["value"]) == (17, False, 24)
    best = run(*words, "--moves", f"d3 {told['moves'][0]}", "--json").json()
    assert best["score"][0] - best["score"][1] == told["value"]


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
        (("l_game", "--jobs", "2"), "positions of reversed_reversi"),
        (("reversed_reversi", "--jobs", "2", "--moves", "e3"), "here are 59 on 8 by 8"),
        (("reversed_reversi", "--size", "10", "--jobs", "2"), "boards of up to 8 by 8"),
        (("l_game", "--table", "x.csv", "--jobs", "2"), "no other analysis"),
        (("reversed_reversi", "--jobs", "2"), "at most 38 empty squares; here are 60 on 8 by 8"),
        (("reversed_reversi", "--size", "4", "--proof", "no/such/folder"), "cannot be written"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, words: tuple[str, ...], message: str) -> None:
    """Each ends with exit code 2, a reason, and nothing on standard output."""
    ran = run("solve", *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
