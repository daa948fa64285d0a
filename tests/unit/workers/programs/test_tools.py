"""How what a program has written is counted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from workers.programs.tools import BLOCK, is_larger


def test_no_more_is_counted_than_shows_that_it_is_too_much(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A build that makes folders as fast as they are counted cannot keep its worker counting."""

    def walk(top: Path) -> Iterator[tuple[str, list[str], list[str]]]:
        yield from ((f"{top}/{number}", ["another"], []) for number in count())

    monkeypatch.setattr(os, "walk", walk)
    assert is_larger(tmp_path, 1000 * BLOCK)


@pytest.mark.parametrize(("size", "larger"), [(0, False), (BLOCK, False), (BLOCK + 1, True)])
def test_a_file_counts_a_block_at_least(tmp_path: Path, size: int, *, larger: bool) -> None:
    """An empty one is no way to have as many as one likes."""
    (tmp_path / "file").write_bytes(bytes(size))
    (tmp_path / "link").symlink_to("file")
    assert is_larger(tmp_path, 2 * BLOCK) == larger
