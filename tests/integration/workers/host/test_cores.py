"""Every match has a core of its own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from workers.host import cores
from workers.host.cores import Cores, match_cores, spare_cores

LIMIT_SECONDS = 300
"""Far more than anything takes that is waited for."""
SEVERAL = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")


def cores_in(folder: Path, most: int | None = None) -> Cores:
    """The cores as the worker of an arena sees them that keeps its own things in that folder."""
    return Cores(folder / "own", folder / "shared", most)


def test_one_core_of_several_is_left_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches have all cores but the lowest, the only one where there is no other, and no more than asked."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5})
    assert match_cores() == [5, 3]
    assert match_cores(1) == [5]
    assert match_cores(9) == [5, 3, 0]
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {4})
    assert match_cores() == [4]


def test_the_first_lock_may_be_made_by_two_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever finds that another process has just made the file uses that one."""
    opened, really = list[int](), os.open

    def late(path: str, flags: int, *args: int, **where: int) -> int:
        if str(path).startswith("core") and not opened:
            opened.append(really(path, flags | os.O_CREAT, 0o666, **where))
            raise FileNotFoundError(path)
        return really(path, flags, *args, **where)

    monkeypatch.setattr(os, "open", late)
    with cores_in(tmp_path).reserved() as core:
        assert core is not None
    os.close(opened[0])


def test_a_match_and_what_it_starts_stay_on_one_core(tmp_path: Path) -> None:
    """This thread and its children are kept there, and are free again afterwards."""
    before = os.sched_getaffinity(0)
    with cores_in(tmp_path).reserved() as core:
        assert os.sched_getaffinity(0) == {core}
        code = "import os; print(os.sched_getaffinity(0))"
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert shown.stdout.strip() == f"{{{core}}}"
    assert os.sched_getaffinity(0) == before


def test_checks_are_kept_off_the_cores_of_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """On what is left for the rest, or anywhere where nothing is."""
    before = os.sched_getaffinity(0)
    left = before - set(match_cores()) or before
    with spare_cores():
        assert os.sched_getaffinity(0) == left
    with spare_cores(len(before)):
        assert os.sched_getaffinity(0) == before
    assert os.sched_getaffinity(0) == before
    monkeypatch.delattr(os, "sched_getaffinity")
    with spare_cores():
        pass


@SEVERAL
def test_two_matches_never_share_a_core(tmp_path: Path) -> None:
    """Whoever comes second gets another core."""
    with _Other(tmp_path, 2) as other, cores_in(tmp_path, 2).reserved() as one:
        assert other.core not in {None, one}


def test_a_match_waits_for_a_core(tmp_path: Path) -> None:
    """While all cores are taken the next match does not begin; then it has the one that became free."""
    with cores_in(tmp_path, 1).reserved() as core:
        waiting = _Other(tmp_path, 1)
        waiting.thread.start()
        assert not waiting.has_begun.wait(0.3)
    assert waiting.has_begun.wait(LIMIT_SECONDS)
    waiting.end.set()
    waiting.thread.join()
    assert waiting.core == core


@contextlib.contextmanager
def held_by_others(folder: Path) -> Iterator[None]:
    """Every core is locked, as anybody could lock it, in the folder that all users share."""
    with cores_in(folder).reserved():
        pass
    with contextlib.ExitStack() as stack:
        for core in match_cores():
            file = stack.enter_context((folder / "shared" / f"core{core}").open("a"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def test_a_lock_of_a_stranger_is_waited_for_no_longer_than_the_last_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it is held, matches go on; and where nobody has a core others see it taken."""
    monkeypatch.setattr(cores, "FIRST_PATIENCE_SECONDS", 0.3)
    own = cores_in(tmp_path)
    with held_by_others(tmp_path):
        for least in (0.3, 0.1, 0.1):
            began = time.monotonic()
            with own.reserved() as core:
                assert core is not None
                assert least <= time.monotonic() - began < LIMIT_SECONDS
                time.sleep(0.1)
    with own.reserved() as core, (tmp_path / "shared" / f"core{core}").open() as file:
        assert _is_locked(file.fileno())


def _is_locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def test_a_folder_that_only_we_can_enter_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody but this user's other arenas can have its locks, and their matches end."""
    monkeypatch.setattr(cores, "FIRST_PATIENCE_SECONDS", 0.05)
    (tmp_path / "shared").mkdir(mode=0o700)
    with held_by_others(tmp_path):
        waiting = _Other(tmp_path, len(match_cores()))
        waiting.thread.start()
        assert not waiting.has_begun.wait(0.5)
    assert waiting.has_begun.wait(LIMIT_SECONDS)
    waiting.end.set()
    waiting.thread.join()


@pytest.mark.parametrize("squatter", ["link", "file", "pipes", "links", "folders"])
def test_whoever_is_first_at_the_shared_place_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, squatter: str
) -> None:
    """What is in the place of the folder or of its files is not followed, not changed, not waited for."""
    monkeypatch.setattr(cores, "FIRST_PATIENCE_SECONDS", 0.1)
    shared, victim = tmp_path / "shared", tmp_path / "victim"
    victim.mkdir(mode=0o700)
    if squatter == "link":
        shared.symlink_to(victim)
    elif squatter == "file":
        shared.touch()
    else:
        shared.mkdir(mode=0o777)
        shared.chmod(0o1777)
        make = {"pipes": os.mkfifo, "folders": os.mkdir, "links": lambda path: path.symlink_to(victim / "x")}
        for number in match_cores():
            make[squatter](shared / f"core{number}")
    for _ in range(2):
        with cores_in(tmp_path).reserved() as core:
            assert core in match_cores()
    assert list(victim.iterdir()) == []
    assert victim.stat().st_mode & 0o777 == 0o700


def test_others_can_lock_what_is_shared_and_change_nothing(tmp_path: Path) -> None:
    """The folder is everybody's, each file its maker's; what holds among our own workers is closed."""
    with cores_in(tmp_path).reserved():
        shared = tmp_path / "shared"
        assert shared.stat().st_mode & 0o7777 == 0o1777
        assert {path.stat().st_mode & 0o7777 for path in shared.iterdir()} == {0o644}
        assert (tmp_path / "own").stat().st_mode & 0o7777 == 0o700


class _Other:
    """Another match, in a thread of its own."""

    def __init__(self, folder: Path, most: int) -> None:
        self.core: int | None = None
        self.has_begun, self.end = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._play, args=(folder, most))

    def _play(self, folder: Path, most: int) -> None:
        with cores_in(folder, most).reserved() as core:
            self.core = core
            self.has_begun.set()
            self.end.wait(2 * LIMIT_SECONDS)

    def __enter__(self) -> Self:
        self.thread.start()
        assert self.has_begun.wait(LIMIT_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        self.end.set()
        self.thread.join()
