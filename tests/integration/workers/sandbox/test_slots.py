"""Slots, and that nothing of a bot survives its match: not of fifty, and not of a worker that was killed."""

from __future__ import annotations

import json
import os
import pwd
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from tests.hostile.host import mounts
from tests.integration.workers.sandbox.conftest import SECONDS, Runner
from workers.core import scratch
from workers.core.contract import Limits
from workers.core.errors import LaunchError, LodgingError
from workers.sandbox import lodging, slots
from workers.sandbox.cgroups import NO_CGROUPS, find_host
from workers.sandbox.levels import LEVELS, trouble_with
from workers.sandbox.slots import can_change_user, slots_folder, take_slot

WORKER = """
import sys, time
from workers.core.contract import Limits
from workers.sandbox.levels import find_confinement
from workers.core.scratch import work_folder

bot = "sleep {mark} & (setsid sleep {mark} &) ; exec sleep {mark}"
writable = work_folder() if sys.argv[2:] else None
find_confinement(sys.argv[1]).launch(("/bin/sh", "-c", bot), Limits(), writable=writable)
print("on", flush=True)
time.sleep(600)
"""


@pytest.mark.usefixtures("own_slots")
def test_each_bot_has_a_slot_to_itself() -> None:
    """Two at once differ, a slot that was given back is taken again, and no file remains."""
    first, second = take_slot(), take_slot()
    assert (first.number, second.number) == (0, 1)
    assert first.name != second.name
    if can_change_user():
        assert {first.uid, second.uid} == {first.uid, (first.uid or 0) + 1}
    first.release()
    first.release()
    again = take_slot()
    assert again.number == 0
    folder = slots_folder()
    again.release()
    second.release()
    assert not folder.exists()


@pytest.mark.usefixtures("own_slots")
def test_when_all_slots_are_in_use_that_is_our_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot without a slot does not start."""
    monkeypatch.setattr(slots, "SLOTS", 1)
    only = take_slot()
    with pytest.raises(LaunchError, match="all 1 slots"):
        take_slot()
    only.release()


@pytest.mark.usefixtures("own_slots")
def test_a_folder_of_somebody_else_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a folder that others can write to, another user may have been first."""
    monkeypatch.setattr(slots, "RUN", tmp_path)
    slots_folder().chmod(0o777)
    with pytest.raises(LaunchError, match="remove it"):
        take_slot()


def _state(first: int) -> list[object]:
    """Whatever a bot of these slots could leave on the host."""
    uids = range(first, first + 300)
    cgroups = [str(path) for h in find_host().hierarchies for path in h.parent.glob("arena-bot-*")]
    return [
        sorted(str(path.readlink()) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()),
        mounts(),
        [name for name in cgroups if name.rpartition("-")[2] in map(str, uids)],
        slots_folder().parent.joinpath(f"arena-slots-{first}").exists() and list(slots_folder().iterdir()),
    ]


def _processes(first: int) -> set[psutil.Process]:
    """Processes of these slots and those below this one, those too that ended and are not waited for."""
    uids = range(first, first + 300)
    theirs = {each for each in psutil.process_iter(["uids"]) if each.info["uids"].real in uids}
    return theirs | set(psutil.Process().children(recursive=True))


@pytest.mark.long
def test_fifty_launches_leave_nothing(runner: Runner, own_slots: int) -> None:
    """Descriptors, mounts, groups, processes and slots are what they were, however a bot's life ended."""
    take_slot().release()
    runner.confinement.launch(("/bin/true",), Limits()).destroy()  # has made what is made once
    before, processes = _state(own_slots), _processes(own_slots)  # some of which are just about to end
    for number in range(50):
        process = runner.confinement.launch(("/bin/sh", "-c", "sleep 300 & echo on; cat"), Limits())
        if number % 3 == 0:
            process.wait(0.01)
        if number % 5 == 0:
            process.freeze()
        process.destroy()
        process.destroy()
    assert _processes(own_slots) <= processes
    assert _state(own_slots) == before


def _sleepers(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = process.info["cmdline"] or []
        if words[:2] == ["sleep", mark] and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("writes", [False, True])
def test_what_a_killed_worker_left_is_gone_when_the_next_begins(
    level: str, writes: bool, own_slots: int
) -> None:
    """Bots die with a worker that is killed; their control groups, and a compiler's daemons, soon after."""
    if trouble := trouble_with(level):
        pytest.skip(f"{level} does not work here: {trouble}")
    mark = str(1_000_000 + own_slots * 10 + 2 * list(LEVELS).index(level) + writes)
    words = [level, "writes"] if writes else [level]
    command = [sys.executable, "-c", WORKER.replace("{mark}", mark), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        worker.send_signal(signal.SIGKILL)
    slots.sweep_slots.cache_clear()
    take_slot().release()
    until = time.monotonic() + SECONDS
    while (left := _sleepers(mark)) and time.monotonic() < until:
        time.sleep(0.05)
    if can_change_user() or not writes:
        assert left == []
    for process in left:
        process.kill()
    groups = [path for h in find_host().hierarchies for path in h.parent.glob(f"arena-bot-{own_slots}")]
    assert groups == []


KILLED_EARLY = """
import os, signal, sys
from workers.core.contract import Limits
from workers.sandbox import bubblewrap
from workers.sandbox.levels import find_confinement

def end(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)

def then_end(step, times):
    def stepped(*arguments):
        nonlocal times
        found, times = step(*arguments), times - 1
        return found if times else end()

    return stepped

level = find_confinement("bubblewrap")
soon, enter = bubblewrap._soon, bubblewrap._enter
if sys.argv[1] == "started":
    bubblewrap._enter = end
elif sys.argv[1] == "found":
    bubblewrap._soon = then_end(soon, 1)
elif sys.argv[1] == "bound":
    bubblewrap._soon = then_end(soon, 2)
elif sys.argv[1] == "let go":
    bubblewrap._enter = then_end(enter, 1)
level.launch(("/bin/sleep", "{mark}"), Limits())
print("not killed", flush=True)
"""


@pytest.mark.parametrize("when", ["started", "found", "bound", "let go"])
def test_a_worker_killed_while_a_sandbox_is_built_leaves_no_bot(when: str, own_slots: int) -> None:
    """Whichever moment of the building it is, the bot never runs on and nothing of bubblewrap stays."""
    if trouble := trouble_with("bubblewrap"):
        pytest.skip(f"bubblewrap does not work here: {trouble}")
    mark = str(2_000_000 + own_slots)
    command = [sys.executable, "-c", KILLED_EARLY.replace("{mark}", mark), when]
    for _ in range(3):
        assert subprocess.run(command, capture_output=True, check=False).returncode == -signal.SIGKILL
    until = time.monotonic() + SECONDS
    while (left := _marked(mark)) and time.monotonic() < until:
        time.sleep(0.05)
    for process in left:
        process.kill()
    assert left == []


def _marked(mark: str) -> list[psutil.Process]:
    return [each for each in psutil.process_iter(["cmdline"]) if mark in (each.info["cmdline"] or [])]


@pytest.mark.skipif(not can_change_user(), reason="bots have no users of their own here")
def test_a_user_of_an_account_is_no_bots_user(own_slots: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where somebody has a number of the slots' users, no bot runs as that user, whose programs go on.

    A name service that was away once, and knew nobody, is asked again.
    """
    with monkeypatch.context() as away:
        away.setattr(pwd, "getpwuid", lambda uid: {}[uid])
        take_slot().release()
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: {own_slots: "somebody"}[uid])
    slot = take_slot()
    assert slot.uid == own_slots + 1
    slot.release()


def test_an_ordinary_users_slots_are_where_nobody_else_can_be_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They lie in the process's own folder; what one that was killed noted there, the next one removes."""
    monkeypatch.setattr(slots, "can_change_user", lambda: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch._own_folder.cache_clear()
    slots.sweep_slots.cache_clear()
    (tmp_path / f"arena-slots-{os.geteuid()}").touch()
    slot = take_slot()
    assert slots_folder().parent == scratch.own_folder()
    slot.release()
    dead, group = tmp_path / "arena-bots-dead", tmp_path / "group"
    (dead / "slots").mkdir(parents=True)
    (dead / ".lock").touch()
    group.mkdir()
    noted = {"cgroups": [str(group)], "folders": [str(dead / "bot")]}
    (dead / "slots" / "0").write_text(json.dumps(noted))
    scratch._own_folder.cache_clear()
    slots.sweep_slots.cache_clear()
    take_slot().release()
    assert not group.exists()
    assert not dead.exists()
    scratch._own_folder.cache_clear()


def test_a_folder_that_was_cleared_away_is_made_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Bots get slots and folders in it, locked as the first was; what was in use is given back in peace."""
    monkeypatch.setattr(slots, "can_change_user", lambda: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch._own_folder.cache_clear()
    slots.sweep_slots.cache_clear()
    in_use, first = take_slot(), scratch.own_folder()
    scratch.remove_tree(first)
    slot = take_slot()
    second = scratch.scratch_folder().parent
    assert (second == scratch.own_folder() == slots_folder().parent, second != first) == (True, True)
    assert list(scratch.abandoned()) == []
    slot.release()
    in_use.release()
    scratch.remove_tree(second)
    (tmp_path / "of somebody").mkdir()
    second.symlink_to(tmp_path / "of somebody")
    assert scratch.own_folder() != second
    second.unlink()
    scratch._own_folder.cache_clear()


def test_where_no_folder_for_slots_can_be_made_no_bot_has_a_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """That is said at once, and not tried for ever."""
    monkeypatch.setattr(slots, "can_change_user", lambda: True)
    monkeypatch.setattr(slots, "RUN", tmp_path / "no")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(LodgingError, match=r"cannot be made: .* No such file"):
        slots_folder()


@pytest.mark.usefixtures("own_slots")
def test_slots_that_another_worker_has_just_given_back_are_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last that it gives back takes their folder with it."""
    find = slots.slots_folder

    def given_back() -> Path:
        folder = find()
        folder.rmdir()
        return folder

    slots.sweep_slots.cache_clear()
    monkeypatch.setattr(slots, "slots_folder", given_back)
    slots.sweep_slots()


@pytest.mark.parametrize("error", [OSError(24, "Too many open files"), FileNotFoundError()])
def test_capabilities_that_cannot_be_read_now_are_not_missing(
    error: OSError, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host without any place to read them from has none; otherwise it is found out later."""

    def unreadable(_: Path) -> str:
        raise error

    monkeypatch.setattr(Path, "read_text", unreadable)
    if isinstance(error, FileNotFoundError):
        assert not slots._has(slots.SETUID)
    else:
        with pytest.raises(LodgingError, match="Too many open files"):
            slots._has(slots.SETUID)


@pytest.mark.usefixtures("own_slots")
def test_a_bot_for_which_no_folder_can_be_made_keeps_no_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host whose disk was full for a while has all its slots afterwards."""
    with monkeypatch.context() as patch:
        patch.setattr(lodging, "scratch_folder", _no_room)
        with pytest.raises(OSError, match="No space left"):
            lodging.Lodging(("/bin/true",), Limits(), NO_CGROUPS, None)
    slot = take_slot()
    assert slot.number == 0
    slot.release()


def _no_room() -> Path:
    raise OSError(28, "No space left on device")
