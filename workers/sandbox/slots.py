"""Slots: each bot that runs on a host has one to itself, with a number, and as root a user of its own.

A slot is held by a lock on its file, which is there as long as the slot is in use and says what was made
for the bot. So whoever finds the file of a worker that was killed can remove that: every process of the
slot's user, or that names the slot's folder, its control groups, and the folder. Where bots have users of
their own all processes of root share the slots; otherwise each process has slots of its own, in its folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import signal
import stat
import tempfile
from functools import cache
from pathlib import Path

from engines.locking import try_lock
from workers.core.errors import LodgingError
from workers.core.scratch import PREFIX, abandoned, own_folder, remove_tree
from workers.core.scratch import SLOTS as OWN_SLOTS
from workers.core.settings import get_settings
from workers.sandbox.cgroups import remove_group
from workers.sandbox.kernel import fork

RUN = Path("/run")
SLOTS = 256
SETUID, SETGID, SYS_NICE = 1 << 7, 1 << 6, 1 << 23


class Slot:
    """A slot that this process holds. `uid` is None where bots run as the worker's own user."""

    def __init__(self, number: int, file: Path, lock: int) -> None:
        self.number = number
        self._file = file
        self.uid = get_settings().slot_uid + number if can_change_user() else None
        self._lock: int | None = lock

    @property
    def name(self) -> str:
        """A name for what is made for the slot's bot, unique on the host."""
        if self.uid:
            return f"arena-bot-{self.uid}"
        return f"arena-bot-{os.geteuid()}-{own_folder().name.removeprefix(PREFIX)}-{self.number}"

    def note(self, cgroups: list[Path], folders: list[Path]) -> None:
        """Write down what is about to be made, for whoever may have to remove it."""
        kept = {"cgroups": list(map(str, cgroups)), "folders": list(map(str, folders))}
        self._write(json.dumps(kept).encode())

    def kill_all(self) -> None:
        """Kill every process of the slot's user, where it has one."""
        if self.uid is not None:
            _kill_all_of(self.uid)

    def sweep(self) -> None:
        """Remove what a worker that was killed left here."""
        assert self._lock is not None  # noqa: S101  (a slot that was given back is not swept)
        if kept := os.pread(self._lock, 65536, 0):
            self.kill_all()
            _clear(kept)
            self._write(b"")

    def release(self) -> None:
        """Give the slot back, with nothing left in it. Safe to repeat."""
        if self._lock is not None:
            self._file.unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None
            with contextlib.suppress(OSError):  # other slots are in use
                self._file.parent.rmdir()

    def _write(self, content: bytes) -> None:
        assert self._lock is not None  # noqa: S101  (only a held slot is written to)
        os.ftruncate(self._lock, 0)
        os.pwrite(self._lock, content, 0)


def take_slot() -> Slot:
    """The first free slot, swept.

    Raises:
        LodgingError: all are taken, or their folder cannot be used.
    """
    sweep_slots()
    for number in range(SLOTS):
        if (slot := _try_slot(number)) is not None:
            return slot
    raise LodgingError(f"all {SLOTS} slots of this host are in use")


@cache
def sweep_slots() -> None:
    """Clear every slot that nobody holds, once for this process.

    Raises:
        LodgingError: their folder cannot be used.
    """
    for left in abandoned():
        for note in (left / OWN_SLOTS).glob("*"):
            _clear(note.read_bytes())
        remove_tree(left)
    for file in _in_use():
        if file.name.isdecimal() and (slot := _try_slot(int(file.name))) is not None:
            slot.release()


def _in_use() -> list[Path]:
    """The files of all slots that there are."""
    try:
        return list(slots_folder().iterdir())
    except FileNotFoundError:  # the folder has just been removed with the last slot that was in use
        return []


def _try_slot(number: int) -> Slot | None:
    """The slot of that number, swept, unless somebody holds it or its user is somebody."""
    if can_change_user() and _is_somebody(get_settings().slot_uid + number):
        return None
    while True:
        file = slots_folder() / str(number)
        try:
            lock = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except FileNotFoundError:  # the folder has just been removed with the last slot that was in use
            continue
        except OSError as error:
            raise LodgingError(f"slot {number} cannot be used: {error}") from error
        if not try_lock(lock):
            os.close(lock)
            return None
        if os.fstat(lock).st_nlink:
            slot = Slot(number, file, lock)
            slot.sweep()
            return slot
        os.close(lock)  # it was given back, and its file removed, before we had the lock


def slots_folder() -> Path:
    """Where the slots are that this process shares with others; nobody else can write there.

    Raises:
        LodgingError: it cannot be made, or somebody else made a folder of that name.
    """
    if can_change_user():
        parent = RUN if os.access(RUN, os.W_OK) else Path(tempfile.gettempdir())
        folder = parent / f"arena-slots-{get_settings().slot_uid}"
    else:
        folder = own_folder() / OWN_SLOTS
    try:
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
    except OSError as error:
        raise LodgingError(f"{folder} cannot be made: {error}") from error
    try:
        status = folder.lstat()
    except FileNotFoundError:  # it has just been removed with the last slot that was in use
        return slots_folder()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise LodgingError(f"{folder} is not a folder of this user alone; remove it")
    return folder


def _is_somebody(uid: int) -> bool:
    """Whether that is the user of an account: a bot must not share it, and a sweep would end its programs.

    It is asked each time, as a name service that is away just now knows nobody.
    """
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


@cache
def can_change_user() -> bool:
    """Whether this process may start others under any user: root with the capabilities to."""
    return os.geteuid() == 0 and _has(SETUID, SETGID)


@cache
def can_move_bots() -> bool:
    """Whether this process may put a bot on other cores; if that has a user of its own it takes a right."""
    return not can_change_user() or _has(SYS_NICE)


def _has(*capabilities: int) -> bool:
    """Whether this process has these capabilities; none where nothing tells of any.

    Raises:
        LodgingError: that cannot be read now.
    """
    effective = 0
    try:
        effective = int(Path("/proc/self/status").read_text().split("CapEff:")[1].split()[0], 16)
    except (FileNotFoundError, ValueError, IndexError):
        pass
    except OSError as error:
        raise LodgingError(f"this process cannot read which capabilities it has: {error}") from error
    return all(effective & capability for capability in capabilities)


def _clear(kept: bytes) -> None:
    """Remove what a note names, after the processes that its folders mark."""
    with contextlib.suppress(ValueError, KeyError, TypeError):
        noted = json.loads(kept)
        for cgroup in noted["cgroups"]:
            remove_group(Path(cgroup))
        for folder in noted["folders"]:
            _kill_marked(folder)
            remove_tree(Path(folder))


def _kill_marked(mark: str) -> None:
    """Kill every process of this one's user that has `mark` on its command line."""
    wanted = mark.encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_uid == os.geteuid() and wanted in (folder / "cmdline").read_bytes().split(
                b"\0"
            ):
                os.kill(int(folder.name), signal.SIGKILL)


def _kill_all_of(uid: int) -> None:
    """Kill every process of a user in one sweep, which none of them can outrun by starting others."""
    child = fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        os._exit(0)
    os.waitpid(child, 0)
