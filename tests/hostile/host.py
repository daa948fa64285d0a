"""What a host looks like, as far as bots of this test process could have changed it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.hostile.bots.channels import KEY, NAME
from tests.small_disk import DEVICE
from workers.core.scratch import scratch_folder
from workers.sandbox.cgroups import find_host

COMMON = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/home", "/var/lock")  # noqa: S108
MARKS = ("hostile-", NAME)
MEGABYTE = 1 << 20
NETWORKS = "/run/netns"
"""Where networks of other hosts are that `ip netns` makes."""


class Host(NamedTuple):
    """One look at a host. Two looks are equal if nothing was left behind in between."""

    processes: frozenset[str]
    cgroups: frozenset[str]
    mounts: frozenset[str]
    files: frozenset[str]
    descriptors: frozenset[str]
    ipc: frozenset[str]

    def left_since(self, before: Host) -> dict[str, list[str]]:
        """What is there now and was not before, by its kind."""
        kinds = {name: sorted(getattr(self, name) - getattr(before, name)) for name in self._fields}
        return {name: found for name, found in kinds.items() if found}


def look(uids: range, place: Path) -> Host:
    """The host as it is, of which `uids` and the folder `place` are this test process's own."""
    return Host(
        frozenset(_processes(uids, str(place))),
        frozenset(_cgroups(uids)),
        frozenset(mounts()),
        frozenset(_files(uids, place)),
        frozenset(_descriptors()),
        frozenset(_ipc(uids)),
    )


def mounts() -> list[str]:
    """What is mounted here, but for the disks and networks that other tests have meanwhile."""
    lines = Path("/proc/self/mounts").read_text().splitlines()
    return [line for line in lines if not (line.startswith(f"{DEVICE} ") or NETWORKS in line.split()[1])]


def memory_mb() -> float:
    """What this process has in memory."""
    return float(psutil.Process().memory_info().rss) / MEGABYTE


def _processes(uids: range, place: str) -> Iterator[str]:
    """Everything below this process, of its bots' users, or with the folder in its arguments."""
    below = {child.pid for child in psutil.Process().children(recursive=True)}
    for process in psutil.process_iter(["uids", "cmdline"]):
        of_bots = process.info["uids"] is not None and process.info["uids"].real in uids
        named = any(place in word for word in process.info["cmdline"] or ())
        if process.pid != os.getpid() and (of_bots or named or process.pid in below):
            yield f"{process.pid} {process.info['cmdline']}"


def _cgroups(uids: range) -> Iterator[str]:
    for hierarchy in find_host().hierarchies:
        for folder in hierarchy.parent.iterdir():
            number = folder.name.rpartition("-")[2]
            if folder.name.startswith("arena-bot-") and number.isdecimal() and int(number) in uids:
                yield str(folder)


def _files(uids: range, place: Path) -> Iterator[str]:
    for folder in COMMON:
        yield from (str(path) for path in _entries(Path(folder)) if _of_bots(path, uids))
    for folder, folders, files in os.walk(place):  # passes over what is removed meanwhile
        yield from (f"{folder}/{name}" for name in (*folders, *files))
    yield from map(str, own_scratch().iterdir())


def own_scratch() -> Path:
    """The folder of this process in which those of its bots are."""
    mine = scratch_folder()
    mine.rmdir()
    return mine.parent


def _entries(folder: Path) -> Iterable[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return ()


def _of_bots(path: Path, uids: range) -> bool:
    try:
        return path.lstat().st_uid in uids or path.name.startswith(MARKS)
    except OSError:
        return False


def _descriptors() -> Iterator[str]:
    for number in os.listdir("/proc/self/fd"):  # noqa: PTH208
        try:
            yield f"{number} {os.readlink(f'/proc/self/fd/{number}')}"  # noqa: PTH115
        except OSError:
            continue


def _ipc(uids: range) -> Iterator[str]:
    """System V objects of the bots' users, or under the key on which hostile bots agree."""
    for kind, owner, creator in (("shm", 7, 9), ("msg", 7, 9), ("sem", 4, 6)):
        try:
            lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            words = line.split()
            if int(words[0]) == KEY or int(words[owner]) in uids or int(words[creator]) in uids:
                yield f"{kind} {line}"
