"""Files that are opened by their descriptors hold bytes, also where the system would change line ends."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from arena.local.annotations import annotation_file
from arena.local.bounds_file import bounds_file
from engines.games.reversed_reversi import ReversedReversi
from engines.solvers.reversi_work import Work

BINARY = 0x8000
"""The flag's value on Windows."""


def _annotations(path: Path) -> AbstractContextManager[Any]:
    return annotation_file(path)


def _bounds(path: Path) -> AbstractContextManager[Any]:
    return bounds_file(path, Work(ReversedReversi(4)))


@pytest.mark.parametrize("opened", [_annotations, _bounds])
def test_a_file_is_opened_as_bytes(
    opened: Callable[[Path], AbstractContextManager[Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows opens a file for text unless it is told otherwise, and writes two bytes for a line's end."""
    asked, system = list[int](), os.open

    def noted(path: Path, flags: int, mode: int = 0o777) -> int:
        asked.append(flags)
        return system(path, flags & ~BINARY, mode)

    monkeypatch.setattr(os, "O_BINARY", BINARY, raising=False)
    monkeypatch.setattr(os, "open", noted)
    with opened(tmp_path / "file"):
        pass
    assert [flags & BINARY for flags in asked] == [BINARY]
