"""Files that one process at a time adds to, and from which it goes on after any end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.local.errors import InputError, LocalError
from arena.local.held_file import append, cut_off, held_file

BINARY = 0x8000
"""The flag's value on Windows."""


def test_a_file_is_opened_as_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows opens a file for text unless it is told otherwise, and writes two bytes for a line's end."""
    asked, system = list[int](), os.open

    def noted(path: Path, flags: int, mode: int = 0o777) -> int:
        asked.append(flags)
        return system(path, flags & ~BINARY, mode)

    monkeypatch.setattr(os, "O_BINARY", BINARY, raising=False)
    monkeypatch.setattr(os, "open", noted)
    with held_file(tmp_path / "file"):
        pass
    assert [flags & BINARY for flags in asked] == [BINARY]


def test_what_is_cut_off_makes_room_for_what_follows(tmp_path: Path) -> None:
    """A torn end goes, and what is added stands after what is left, also the next time."""
    path = tmp_path / "file"
    path.write_bytes(b"whole\ntor")
    with held_file(path) as descriptor:
        cut_off(descriptor, 6)
        append(descriptor, b"next\n")
        append(descriptor, b"last\n")
    assert path.read_bytes() == b"whole\nnext\nlast\n"


def test_one_process_at_a_time_has_it(tmp_path: Path) -> None:
    """Another one is refused until it is let go."""
    path = tmp_path / "file"
    with (
        held_file(path),
        pytest.raises(LocalError, match="another process goes on from"),
        held_file(path),
    ):
        pass
    with held_file(path):
        pass


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder cannot be written, which is said with its name."""
    with (
        pytest.raises(InputError, match=f"{tmp_path} cannot be written: Is a directory"),
        held_file(tmp_path),
    ):
        pass


def test_want_of_room_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes a part only is full."""
    monkeypatch.setattr(os, "write", lambda _, text: len(text) - 1)
    with held_file(tmp_path / "file") as descriptor, pytest.raises(OSError, match="No space left"):
        append(descriptor, b"whole")
