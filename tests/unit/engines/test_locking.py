"""Locks on open files, by whichever means the system has."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from engines import locking

held = set[tuple[int, int]]()


def _byte_locks() -> ModuleType:
    """Windows' module, whose locks are on bytes of files and of everybody but their holder."""
    module = ModuleType("msvcrt")

    def lock(descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (7, 1)
        byte = os.fstat(descriptor).st_ino, os.lseek(descriptor, 0, os.SEEK_CUR)
        if byte in held:
            raise PermissionError
        held.add(byte)

    vars(module).update(LK_NBLCK=7, locking=lock)
    return module


@pytest.fixture(params=["posix", "windows"])
def locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module as it is on each system."""
    if request.param == "posix":
        yield locking
        return
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", _byte_locks())
    spec = importlib.util.spec_from_file_location("locking_elsewhere", locking.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    held.clear()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[], int]]:
    """Opens the same file again and again."""
    descriptors: list[int] = []

    def open_it() -> int:
        descriptors.append(os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT))
        return descriptors[-1]

    yield open_it
    for each in descriptors:
        os.close(each)


def test_one_has_it_and_nobody_else(locks: ModuleType, opened: Callable[[], int]) -> None:
    """A second descriptor of the same file does not get it; where one reads and writes stays as it was."""
    first, second = opened(), opened()
    os.write(first, b"text")
    assert locks.try_lock(first) is True
    assert locks.try_lock(second) is False
    assert os.lseek(first, 0, os.SEEK_CUR) == 4


def test_who_waits_gets_it_in_the_end(
    locks: ModuleType, opened: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock that is free is taken at once; one that is not is asked for again."""
    if locks is locking:
        locks.lock(opened())
        assert locks.try_lock(opened()) is False
        return
    taken = opened()
    locks.lock(taken)
    monkeypatch.setattr(locks.time, "sleep", lambda _: held.clear())
    locks.lock(opened())
    assert len(held) == 1
