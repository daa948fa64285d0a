"""`arena book`: what it tells and writes, and what it refuses."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.arena.cli.conftest import Run

SMALL = ("book", "reversed_reversi", "--size", "6", "--depth", "3", "--plies", "6")


def test_a_book_and_its_recipe_are_written_the_same_by_any_number_of_processes(
    run: Run, tmp_path: Path
) -> None:
    """By one process and by three the bytes are the same, and what is told of them is true."""
    told = []
    for jobs in ("1", "3"):
        file = tmp_path / f"{jobs}.book"
        ran = run(*SMALL, "--jobs", jobs, "--out", str(file), "--json")
        assert ran.code == 0, ran.err
        assert ran.err.splitlines()[0] == "1 position in the book, 1 searched"
        told.append(ran.json())
        assert told[-1].pop("file") == str(file)
        assert json.loads((tmp_path / f"{jobs}.book.json").read_text()) == told[-1]
    assert told[0] == told[1]
    content = (tmp_path / "1.book").read_bytes()
    assert content == (tmp_path / "3.book").read_bytes()
    assert (told[0]["depth"], told[0]["plies"], told[0]["loss"]) == (3, 6, 2.0)
    digest = hashlib.sha256(content).hexdigest()
    assert told[0]["book"] == {
        "positions": (len(content) - 20) // 19,
        "bytes": len(content),
        "sha256": digest,
    }
    ran = run(*SMALL, "--out", str(tmp_path / "1.book"), "--force")
    assert ran.out.endswith(f"{len(content):,} bytes, SHA-256 {digest}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("l_game",), "positions of l_game are not estimated"),
        (("reversed_reversi", "--size", "10"), "not estimated with these parameters"),
        (("reversed_reversi", "--size", "6", "--param", "rows=4"), "not estimated with these parameters"),
        (("l_game", "--size", "4"), "l_game has no size"),
        (("reversed_reversi", "--depth", "0"), "--depth"),
        (("reversed_reversi", "--plies", "31"), "--plies"),
        (("reversed_reversi", "--loss", "-1"), "--loss"),
    ],
)
def test_what_cannot_be_made_is_refused(
    run: Run, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    """It says what is wrong, and writes nothing."""
    ran = run("book", *words, "--out", str(tmp_path / "none.book"))
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_refused_before_anything_is_searched(run: Run, tmp_path: Path) -> None:
    """So is one whose recipe is there; `--force` replaces both."""
    (tmp_path / "kept.book.json").write_text("mine")
    ran = run(*SMALL, "--out", str(tmp_path / "kept.book"))
    assert (ran.code, "is there already" in ran.err, "searched" in ran.err) == (2, True, False)
    assert (tmp_path / "kept.book.json").read_text() == "mine"


def test_broken_off_it_writes_nothing(tmp_path: Path) -> None:
    """Ctrl-C ends it and its processes with exit code 1, though searches are at work."""
    command = [str(Path(sys.executable).with_name("arena")), "book", "reversed_reversi", "--depth", "20"]
    command += ["--jobs", "1", "--out", str(tmp_path / "never.book")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        assert "1 searched" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "interrupted; nothing is written" in said
    assert list(tmp_path.iterdir()) == []
