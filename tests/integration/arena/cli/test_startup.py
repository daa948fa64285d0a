"""The command line as a whole: help for everything."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from unittest.mock import Mock

import pytest

from arena.cli.app import GROUPS
from tests.unit.arena.cli.conftest import Run


def test_the_version_is_printed(run: Run) -> None:
    """`arena --version` prints the package's version and nothing else."""
    assert run("--version")[:2] == (0, f"arena {version('bot-arena')}\n")
    assert "Tournaments between programs" in run("--help").out


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_every_group_has_help(run: Run, group: str) -> None:
    """A group's help lists its commands, each with a sentence."""
    ran = run(group, "--help")
    assert ran.code == 0
    assert "Commands:" in ran.out


@pytest.mark.parametrize("words", [("nonsense",), ("match", "nonsense"), ("up", "--port", "99999")])
def test_wrong_usage_exits_with_2(run: Run, words: tuple[str, ...]) -> None:
    """Unknown commands and values out of range are usage errors."""
    assert run(*words).code == 2


def test_names_that_the_terminal_cannot_write(tmp_path: Path) -> None:
    """A name is written with escapes where the terminal's encoding lacks its letters; nothing is lost."""
    report = tmp_path / "cup.trf"
    report.write_text(f"012 cup\nXXR 1\n001    1      {'組長':<66}0.0    1\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "from arena.cli import main; main()", "trf", "standings", str(report)],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "\\u7d44\\u9577" in done.stdout


INTERRUPTED_IMPORT = """
import sys
class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == "arena.cli.app":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Pressed())
from arena.cli import main
main()
"""


def test_ctrl_c_before_a_command_is_read_leaves_no_traceback() -> None:
    """Whoever presses it at once gets the exit code of an interrupted command, and nothing else."""
    words = [sys.executable, "-c", INTERRUPTED_IMPORT, "game", "list"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a POSIX shell")
@pytest.mark.parametrize(
    ("words", "closed", "code", "said"),
    [
        ("play heap_nim", "<&-", 0, "Seat 1 (you) wins (resign)"),
        ("game list", ">&-", 0, ""),
        ("game nonsense", "2>&-", 2, ""),
        ("game show nonsense", "2>&-", 2, ""),
    ],
)
def test_a_stream_that_is_closed_leads_nowhere(words: str, closed: str, code: int, said: str) -> None:
    """What is written there is lost, what is read there has an end, and the exit code is the usual one."""
    script = f'"{sys.executable}" -c "from arena.cli import main; main()" {words} {closed}'
    done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("Traceback")) == (code, 0), done.stderr
    assert said in done.stdout


def test_an_error_of_the_machine_names_its_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told like every other, with the file first and without the number of the error."""
    closed = PermissionError(13, "Permission denied", "locked/arena.toml")
    monkeypatch.setattr("arena.cli.app.run", Mock(side_effect=closed))
    assert run("config") == (1, "", "arena: locked/arena.toml: Permission denied\n")


def test_an_empty_record_is_told_to_be_one(run: Run, tmp_path: Path) -> None:
    """In a sentence, and in no table without rows."""
    (tmp_path / "empty.jsonl").touch()
    assert run("match", "show", "empty.jsonl") == (0, "", "empty.jsonl holds no match\n")
    annotated = run("match", "annotate", "empty.jsonl")
    assert (annotated.code, annotated.out) == (0, "")
    assert annotated.err.splitlines()[-1] == "empty.annotated.jsonl: 0 games, annotated now: 0"
