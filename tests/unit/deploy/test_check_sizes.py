"""The check of sizes notices what is too large, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.check_sizes import faults, main


def _write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_this_checkout_passes() -> None:
    """No module and no function of the packages is too large."""
    assert main() == 0


def test_what_is_just_small_enough(tmp_path: Path) -> None:
    """A module of 400 lines, a function of 50 lines and one of 20 parameters pass."""
    _write(tmp_path, "arena/a.py", "x = 1\n" * 400)
    _write(tmp_path, "workers/b.py", "def f():\n" + "    pass\n" * 49)
    _write(tmp_path, "engines/c.py", f"def f({', '.join(f'a{n}' for n in range(20))}): ...\n")
    assert faults(tmp_path) == []


def test_what_is_too_large(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line or one parameter more is named, with where it is; a revision of the database is left alone."""
    _write(tmp_path, "arena/a.py", "x = 1\n" * 401)
    _write(tmp_path, "arena/b.py", "\nasync def f():\n" + "    pass\n" * 50)
    _write(tmp_path, "bots/c.py", f"def f(a, /, *, {', '.join(f'b{n}' for n in range(20))}): ...\n")
    _write(tmp_path, "arena/store/migrations/versions/rev.py", "def f():\n" + "    pass\n" * 50)
    assert main(tmp_path) == 1
    assert capsys.readouterr().err.splitlines() == [
        "arena/a.py: 401 lines, at most 400; split it by subject",
        "arena/b.py:2: f has 51 lines, at most 50",
        "bots/c.py:1: f has 21 parameters, at most 20",
    ]
