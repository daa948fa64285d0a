"""Commands on a full disk: which file had no room, what of the work is kept, and no traceback."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.arena.cli.conftest import Run, Simulate

KEPT = "what was done before is kept in it, and the same command goes on from there once it can be written"
LEARNING = ("train", "reversed_reversi", "--size", "4", "--rounds", "64:1:2:5", "-j", "1")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is always full here")
def test_solving_tells_which_file_has_no_room(run: Run) -> None:
    """The checkpoint is named, and that the same command goes on."""
    ran = run("solve", "reversed_reversi", "--size", "4", "--checkpoint", "/dev/full", "-j", "1")
    assert (ran.code, ran.err) == (
        1,
        f"arena: /dev/full cannot be written: No space left on device; {KEPT}\n",
    )


def test_learning_tells_which_file_has_no_room_and_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file of the training is named, and once there is room the same command finishes."""
    words, write = (*LEARNING, "--out", str(tmp_path / "learned")), os.write

    def full(descriptor: int, text: bytes) -> int:
        return write(descriptor, text[:9] if b'"part": "games"' in text else text)

    with monkeypatch.context() as patch:
        patch.setattr("arena.local.held_file.os.write", full)
        ran = run(*words)
    file = tmp_path / "learned" / "training"
    told = f"arena: {file} cannot be written: No space left on device; {KEPT}"
    assert (ran.code, ran.err.splitlines()[-1]) == (1, told)
    assert run(*words).code == 0


def test_a_simulation_ends_with_its_report(simulate: Simulate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its journal has no room any more, what was played is told before that is."""
    write = Path.write_text

    def full(path: Path, text: str) -> int:
        if path.suffix == ".new" and json.loads(text.partition("\n")[2])["tally"]["games"]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, text)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        ran = simulate("--games", "300", "--chunk", "100", "--jobs", "1", "--json")
    assert (ran.code, ran.json()["games"], ran.json()["interrupted"]) == (1, 100, True)
    told = ".journal: No space left on device after 100 of 300 games; the same command goes on from there\n"
    assert ran.err.endswith(told)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is always full here")
def test_a_full_disk_below_standard_output_is_told_in_words() -> None:
    """Where what is printed goes to a full disk, that is said once and without the number of the error."""
    script = "from arena.cli import main; main(['game', 'list'])"
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run([sys.executable, "-c", script], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (ran.returncode, ran.stderr) == (1, b"arena: a disk is full (No space left on device)\n")
