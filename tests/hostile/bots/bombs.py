"""Bots that take more than there is: processes, threads, memory, files, descriptors.

Each stops at a bound, which is far above every limit and far below what would hurt a host without a sandbox.
"""

from __future__ import annotations

import errno
import mmap
import os
import signal
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.hostile.bots.kit import PLAYS, REFUSED, attack, bounded, breach, given, note, refused
from tests.hostile.bots.system import call

MEGABYTE = 1 << 20
PIECE = 16 * MEGABYTE
SLACK_MB = 32
F_SETPIPE_SZ = 1031
FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/", "/home", "/var", "/etc", "/usr")  # noqa: S108


def until_refused(step: Callable[[int], object], most: int) -> int:
    """How often `step` works before it is refused, at most `most` times."""
    for count in range(most):
        try:
            step(count)
        except (OSError, MemoryError, RuntimeError) as error:
            note(f"refused after {count}: {error!r}")
            return count
    return most


def sleeper(_: int) -> None:
    """Start a child that does nothing for a minute."""
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)


# --- processes and threads -----------------------------------------------------------------------------


@attack()
def forks() -> None:
    """Starts children that sleep."""
    bounded("processes", until_refused(sleeper, 600), given("processes"))


@attack()
def fork_bomb() -> None:
    """Starts children that start children, ten generations of them."""
    for _ in range(10):
        try:
            if os.fork() == 0:
                os.setsid()
        except OSError as error:
            note(f"refused: {error}")
    if os.getpid() != FIRST:
        time.sleep(60)
        os._exit(0)


FIRST = os.getpid()


@attack()
def short_lives() -> None:
    """Leaves behind a process that is always the child of one that has just ended."""
    try:
        if os.fork() != 0:
            return
        os.setsid()
        for _ in range(20_000):
            if os.fork() != 0:
                os._exit(0)
    except OSError as error:
        note(f"{REFUSED} a child: {error}")
    if os.getpid() != FIRST:
        os._exit(0)


@attack()
def threads() -> None:
    """Starts threads that sleep."""
    threading.stack_size(64 * 1024)
    started = until_refused(
        lambda _: threading.Thread(target=time.sleep, args=(60,), daemon=True).start(), 1500
    )
    bounded("threads", started, given("processes"))


@attack()
def daemon() -> None:
    """Leaves a process behind in a session of its own, deaf to signals, with nothing of its parent's open."""
    try:
        if os.fork() != 0:
            return
        os.setsid()
        if os.fork() != 0:
            os._exit(0)
    except OSError as error:
        note(f"refused: {error}")
        return
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    os.closerange(0, 64)
    os.chdir("/")
    Path("/proc/self/comm").write_text("a) Z 1 1\n(b") if os.access("/proc/self/comm", os.W_OK) else None
    time.sleep(60)
    os._exit(0)


# --- memory --------------------------------------------------------------------------------------------


def pieces_of_memory(most: int = 32) -> Iterator[int]:
    """Take and use memory piece by piece, and say how much there is by now, in MB."""
    kept = []
    for count in range(1, most + 1):
        try:
            kept.append(bytearray(os.urandom(1)) * PIECE)
        except MemoryError as error:
            note(f"refused: {error!r}")
            return
        yield count * PIECE // MEGABYTE


@attack(PLAYS, "resource", "crash")
def memory() -> None:
    """Takes memory in one process."""
    for taken in pieces_of_memory():
        if taken > given("memory_mb") + SLACK_MB:
            return breach("memory in MB", taken)
    return None


@attack(PLAYS, "resource")
def memory_of_many() -> None:
    """Takes memory in eight processes at once, which each keep to the limit.

    What those have that answer afterwards they had at once. One that is being killed answers no more.
    """
    (told, tell), (asked, ask), (heard, answer) = os.pipe(), os.pipe(), os.pipe()
    each = given("memory_mb") * 3 // 4 * MEGABYTE // PIECE
    family = []
    try:
        for _ in range(8):
            family.append(os.fork())
            if family[-1] == 0:
                for _ in pieces_of_memory(each):
                    os.write(tell, bytes([len(family)]))
                os.read(asked, 1)
                os.write(answer, bytes([len(family)]))
                time.sleep(60)
                os._exit(0)
    except OSError as error:
        note(f"{REFUSED} a child: {error}")
    time.sleep(0.8)
    pieces = said(told)
    os.write(ask, bytes(len(family)))
    time.sleep(0.2)
    alive = said(heard)
    taken = sum(piece in alive for piece in pieces) * PIECE // MEGABYTE
    bounded("MB in all children", taken, given("memory_mb") + SLACK_MB)


def said(end: int) -> bytes:
    """What waits in a pipe."""
    os.set_blocking(end, False)
    try:
        return os.read(end, 65536)
    except BlockingIOError:
        return b""


@attack(PLAYS, "resource", "crash")
def shared_memory() -> None:
    """Takes memory that is shared, and so is nobody's."""
    kept = []

    def take(_: int) -> None:
        piece = mmap.mmap(-1, PIECE)
        kept.append(piece)
        piece.write(b"x" * PIECE)

    bounded("MB of shared memory", until_refused(take, 32) * 16, given("memory_mb") + SLACK_MB)


@attack()
def memfds() -> None:
    """Takes memory in files that have no name."""
    for name in ("memfd_create", "memfd_secret"):
        refused(name, call, name, 0, 0)
    if hasattr(os, "memfd_create"):
        refused("os.memfd_create", os.memfd_create, "x")


@attack(PLAYS, "resource", "crash")
def pipes() -> None:
    """Fills as many and as large pipes as it can get."""
    kept = 0

    def fill(_: int) -> None:
        nonlocal kept
        _, end = os.pipe()
        os.set_blocking(end, False)
        try:
            kept += os.write(end, b"x" * MEGABYTE)
        except BlockingIOError:
            note("a pipe without room")

    until_refused(fill, 2000)
    bounded("MB in pipes", kept // MEGABYTE, SLACK_MB)
    refused("a larger pipe", larger_pipe)


def larger_pipe() -> object:
    """Ask for a pipe of 1 MB."""
    import fcntl  # noqa: PLC0415  (only here)

    return fcntl.fcntl(os.pipe()[1], F_SETPIPE_SZ, MEGABYTE)


# --- files ---------------------------------------------------------------------------------------------


def writable_folders() -> list[Path]:
    """Where it can make files: the folders that usually allow it, and those that it was told."""
    found = []
    for folder in dict.fromkeys([*FOLDERS, os.getcwd(), os.environ.get("HOME", "/"), *given("folders")]):  # noqa: PTH109
        path = Path(folder) / f"hostile-{os.getpid()}"
        try:
            path.mkdir()
        except OSError as error:
            note(f"cannot write in {folder}: {error.strerror}")
        else:
            found.append(path)
    return found


@attack(PLAYS, "resource")
def disk() -> None:
    """Writes files of 1 MB wherever it can."""
    for folder in writable_folders():
        count = until_refused(partial(megabyte_file, folder), 400)
        bounded(f"MB in {folder.parent}", count, given("disk_mb") + SLACK_MB)


@attack("resource", PLAYS)
def one_large_file() -> None:
    """Writes one file until it is stopped."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for folder in writable_folders():
        with (folder / "large").open("wb", buffering=0) as file:
            count = until_refused(partial(written, file.fileno()), 400)
        bounded(f"MB in one file of {folder.parent}", count, given("disk_mb") + SLACK_MB)


def megabyte_file(folder: Path, number: int) -> None:
    """Make a file of 1 MB."""
    (folder / str(number)).write_bytes(b"x" * MEGABYTE)


def empty_file(folder: Path, number: int) -> None:
    """Make a file of nothing."""
    os.close(os.open(folder / str(number), os.O_CREAT))


def written(descriptor: int, _: int) -> None:
    """Write 1 MB, all of it."""
    if os.write(descriptor, b"x" * MEGABYTE) < MEGABYTE:
        raise OSError(errno.ENOSPC, "not all was written")


@attack(PLAYS, "resource", memory_mb=48)
def inodes() -> None:
    """Makes empty files wherever it can."""
    for folder in writable_folders():
        count = until_refused(partial(empty_file, folder), 100_000)
        bounded(f"files in {folder.parent}", count, 65_536)


@attack(PLAYS, "resource")
def awkward_folders() -> None:
    """Nests folders as deep as it can, with odd names, and forbids them to everybody."""
    for folder in writable_folders():
        os.chdir(folder)
        until_refused(deeper, 3000)
        os.chdir("/")
        folder.chmod(0)


def deeper(_: int) -> None:
    """Make a folder whose name is no text, and go there."""
    os.mkdir(b"\xff\n")  # noqa: PTH102
    os.chdir(b"\xff\n")


@attack()
def descriptors() -> None:
    """Opens files until it may not."""
    bounded("open files", until_refused(lambda _: os.open("/dev/null", os.O_RDONLY), 5000), 256)


@attack()
def temporary_names() -> None:
    """Leaves a temporary file and a broken link where it may."""
    for folder in writable_folders():
        tempfile.mkstemp(dir=folder)
        (folder / "link").symlink_to("/nowhere")


@attack()
def signals_in_queues() -> None:
    """Sends itself signals that it does not take, of which a user can have only so many."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN})
    about = struct.pack("iii", signal.SIGRTMIN, 0, -1).ljust(128, b"\0")
    queued = until_refused(lambda _: call("rt_sigqueueinfo", os.getpid(), int(signal.SIGRTMIN), about), 2000)
    bounded("signals", queued, given("processes"))
