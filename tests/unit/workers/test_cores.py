"""Every match has a core of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Self

import pytest

from workers.cores import match_cores, reserved_core

SEVERAL = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")


def test_one_core_of_several_is_left_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches have all cores but the lowest, the only one where there is no other, and no more than asked."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5})
    assert match_cores() == [5, 3]
    assert match_cores(1) == [5]
    assert match_cores(9) == [5, 3, 0]
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {4})
    assert match_cores() == [4]


def test_a_match_and_what_it_starts_stay_on_one_core(tmp_path: Path) -> None:
    """This thread and its children are kept there, and are free again afterwards."""
    before = os.sched_getaffinity(0)
    with reserved_core(tmp_path) as core:
        assert os.sched_getaffinity(0) == {core}
        code = "import os; print(os.sched_getaffinity(0))"
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert shown.stdout.strip() == f"{{{core}}}"
    assert os.sched_getaffinity(0) == before


@SEVERAL
def test_two_matches_never_share_a_core(tmp_path: Path) -> None:
    """Whoever comes second gets another core."""
    with _Other(tmp_path, 2) as other, reserved_core(tmp_path, 2) as one:
        assert other.core not in {None, one}


def test_a_match_waits_for_a_core(tmp_path: Path) -> None:
    """While all cores are taken the next match does not begin; then it has the one that became free."""
    with reserved_core(tmp_path, 1) as core:
        waiting = _Other(tmp_path, 1)
        waiting.thread.start()
        assert not waiting.has_begun.wait(0.3)
    assert waiting.has_begun.wait(30)
    waiting.end.set()
    waiting.thread.join()
    assert waiting.core == core


class _Other:
    """Another match, in a thread of its own."""

    def __init__(self, folder: Path, most: int) -> None:
        self.core: int | None = None
        self.has_begun, self.end = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._play, args=(folder, most))

    def _play(self, folder: Path, most: int) -> None:
        with reserved_core(folder, most) as core:
            self.core = core
            self.has_begun.set()
            self.end.wait(30)

    def __enter__(self) -> Self:
        self.thread.start()
        assert self.has_begun.wait(30)
        return self

    def __exit__(self, *_: object) -> None:
        self.end.set()
        self.thread.join()
