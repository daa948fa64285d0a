"""Control groups: what counts and bounds all of a bot's processes together.

Version 2 is used where it has been delegated, version 1 where its hierarchies can be written, or both side
by side; where neither can be, there are none. A bot's groups lie below the worker's own, so that whatever
bounds the worker bounds its bots too.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

from workers.core.contract import MEGABYTE, Limits
from workers.core.errors import LodgingError
from workers.sandbox.probe import NOTHING, Probe, used_ns

NAMES = ("memory", "pids", "cpu", "cpuacct")
UNIFIED = "unified"
LEAF = "arena-own"
EMPTY_SECONDS = 5.0
MOVES = 10
OVERHEAD = 8
"""Processes that a sandbox may need for itself besides the bot's."""

PERIOD_US, QUOTA_US = 100_000, 120_000
"""A bot computes on one core; a little more is left so that the kernel's rounding never holds it up."""


class Hierarchy(NamedTuple):
    """A place where groups can be made: the folder, and the controllers that work there.

    Of version 2 there is one, of version 1 one a controller. The freezer and the killing of a whole group
    are version 2's and need no controller.
    """

    parent: Path
    controllers: frozenset[str]
    unified: bool


class Host(NamedTuple):
    """The hierarchies that this process can make groups in."""

    hierarchies: tuple[Hierarchy, ...]

    def has(self, controller: str) -> bool:
        """Whether some hierarchy has that controller."""
        return any(controller in hierarchy.controllers for hierarchy in self.hierarchies)

    @property
    def freezes(self) -> bool:
        """Whether a group can be frozen."""
        return any(hierarchy.unified for hierarchy in self.hierarchies)


NO_CGROUPS = Host(())


@cache
def find_host() -> Host:
    """What this process may use, looked up once."""
    return look(Path("/proc/self/cgroup"), Path("/proc/self/mounts"))


def look(own: Path, mounts: Path) -> Host:
    """The hierarchies of `mounts` in which this process, whose groups `own` names, can make groups."""
    try:
        places = _places(own.read_text(), mounts.read_text())
    except OSError:
        return NO_CGROUPS
    hierarchies = []
    for parent, controllers in places:
        if controllers is None:
            usable = _delegated(parent)
            if usable is not None:
                hierarchies.append(Hierarchy(parent, usable, unified=True))
        elif controllers & set(NAMES) and _can_make(parent):
            hierarchies.append(Hierarchy(parent, frozenset(controllers & set(NAMES)), unified=False))
    if any(hierarchy.unified for hierarchy in hierarchies):  # it counts processor time by itself
        hierarchies = [hierarchy for hierarchy in hierarchies if hierarchy.controllers != {"cpuacct"}]
    return Host(tuple(hierarchies))


def _places(own: str, mounts: str) -> list[tuple[Path, set[str] | None]]:
    """The folder of this process in each hierarchy, with its controllers, or None for version 2's."""
    paths: dict[str, str] = {}
    for line in own.splitlines():
        _, controllers, path = line.split(":", 2)
        paths |= dict.fromkeys(controllers.split(",") if controllers else [UNIFIED], path)
    places: dict[Path, set[str] | None] = {}
    for line in mounts.splitlines():
        _, point, kind, options, *_ = line.split()
        if kind == "cgroup2" and UNIFIED in paths:
            group = Path(point) / paths[UNIFIED].lstrip("/")
            places.setdefault(group.parent if group.name == LEAF else group, None)
        elif kind == "cgroup" and (here := set(options.split(",")) & paths.keys()):
            places.setdefault(Path(point) / paths[min(here)].lstrip("/"), here)
    return list(places.items())


def _delegated(parent: Path) -> frozenset[str] | None:
    """The controllers that groups below `parent` get; None if there can be no groups."""
    if not _can_make(parent):
        return None
    with contextlib.suppress(OSError):
        offered = set((parent / "cgroup.controllers").read_text().split()) & set(NAMES)
        given = parent / "cgroup.subtree_control"
        if wanted := offered - set(given.read_text().split()):
            _hand_down(given, wanted)
        return frozenset(given.read_text().split()) & frozenset(NAMES)
    return None


def _hand_down(given: Path, wanted: set[str]) -> None:
    """Give the groups below what this one has.

    Only a group without processes of its own can do so; one that systemd delegated to us is emptied into a
    leaf, where those that its processes will start find themselves too. Those that they start meanwhile are
    moved after them.
    """
    words = " ".join(f"+{name}" for name in wanted)
    try:
        given.write_text(words)
    except OSError:
        group = given.parent
        if not _is_ours(group):
            return
        (group / LEAF).mkdir(exist_ok=True)
        for left in reversed(range(MOVES)):
            for pid in _members(group):
                with contextlib.suppress(ProcessLookupError):
                    (group / LEAF / "cgroup.procs").write_text(str(pid))
            if _is_written(given, words, busy=bool(left)):
                return


def _is_written(given: Path, words: str, *, busy: bool) -> bool:
    """Write to a file of the kernel's; whether it took that, where it may be `busy`.

    Raises:
        OSError: it did not, for another reason.
    """
    try:
        given.write_text(words)
    except OSError as error:
        if busy and error.errno == errno.EBUSY:
            return False
        raise
    return True


def _is_ours(group: Path) -> bool:
    """Whether systemd has marked the group as delegated."""
    for mark in ("trusted.delegate", "user.delegate"):
        with contextlib.suppress(OSError):
            return os.getxattr(group, mark) == b"1"
    return False


def _can_make(parent: Path) -> bool:
    return os.access(parent, os.W_OK | os.X_OK) and os.access(parent / "cgroup.procs", os.W_OK)


class Cgroup:
    """One bot's groups, one in each hierarchy.

    Raises:
        LodgingError: they cannot be made.
    """

    def __init__(self, host: Host, name: str, limits: Limits) -> None:
        self._groups = [(hierarchy, hierarchy.parent / name) for hierarchy in host.hierarchies]
        self._open: dict[str, int] = {}
        try:
            for hierarchy, folder in self._groups:
                folder.mkdir(exist_ok=True)
                for file, value in _settings(hierarchy, limits):
                    if (folder / file).exists():
                        (folder / file).write_text(value)
                self._open_files(hierarchy, folder)
        except OSError as error:
            self.remove()
            raise LodgingError(f"a control group cannot be made: {error}") from error

    def _open_files(self, hierarchy: Hierarchy, folder: Path) -> None:
        """What is used at every turn stays open."""
        if "pids" in hierarchy.controllers:
            self._open["tasks"] = os.open(folder / "pids.current", os.O_RDONLY | os.O_CLOEXEC)
        if hierarchy.unified:
            self._open["freeze"] = os.open(folder / "cgroup.freeze", os.O_WRONLY | os.O_CLOEXEC)
            self._open["events"] = os.open(folder / "cgroup.events", os.O_RDONLY | os.O_CLOEXEC)
            self._open["usage_us"] = os.open(folder / "cpu.stat", os.O_RDONLY | os.O_CLOEXEC)
        elif "cpuacct" in hierarchy.controllers:
            self._open["usage_ns"] = os.open(folder / "cpuacct.usage", os.O_RDONLY | os.O_CLOEXEC)

    @property
    def folders(self) -> list[Path]:
        """Where the groups are."""
        return [folder for _, folder in self._groups]

    def add(self, pid: int) -> None:
        """Put a process, and whatever it starts from now on, into the groups; 0 is the caller.

        Raises:
            OSError: the kernel refuses.
        """
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(pid))

    def members(self) -> set[int]:
        """The processes in the groups."""
        return set().union(*(_members(folder) for folder in self.folders))

    @property
    def freezes(self) -> bool:
        """Whether all processes can be frozen together."""
        return "freeze" in self._open

    def freeze(self, *, frozen: bool) -> None:
        """Freeze or thaw all processes, where `freezes` says that this can be done."""
        with contextlib.suppress(OSError):
            os.pwrite(self._open["freeze"], b"1" if frozen else b"0", 0)

    def await_standstill(self, seconds: float) -> None:
        """Wait until all processes have been frozen, at most so long."""
        until = time.monotonic() + seconds
        with contextlib.suppress(OSError):
            while b"frozen 1" not in os.pread(self._open["events"], 200, 0) and time.monotonic() < until:
                os.sched_yield()

    def tasks(self) -> int | None:
        """How many processes and threads there are; None where nothing counts them."""
        with contextlib.suppress(OSError, ValueError):
            if "tasks" in self._open:
                return int(os.pread(self._open["tasks"], 100, 0))
        return None

    def counters(self) -> Probe | None:
        """Where the processor time and the number of tasks are read; None if the former is not counted."""
        tasks = self._open.get("tasks", NOTHING)
        if "usage_ns" in self._open:
            return Probe(usage=self._open["usage_ns"], tasks=tasks)
        if "usage_us" in self._open:
            return Probe(usage=self._open["usage_us"], word=1, unit=1000, tasks=tasks)
        return None

    def cpu_ns(self) -> int | None:
        """The processor time of all processes so far, in nanoseconds."""
        counters = self.counters()
        return used_ns(counters) if counters else None

    def peak_memory(self) -> int | None:
        """The most memory that all processes had at once, in bytes."""
        for _, folder in self._groups:
            for file in ("memory.peak", "memory.max_usage_in_bytes"):
                with contextlib.suppress(OSError, ValueError):
                    return int((folder / file).read_text())
        return None

    def remove(self) -> None:
        """Remove the groups, whose processes have been killed. Safe to repeat."""
        while self._open:
            os.close(self._open.popitem()[1])
        for folder in self.folders:
            remove_group(folder)


def remove_group(folder: Path) -> None:
    """Kill what is in a group, and remove it as soon as the kernel has forgotten those processes."""
    until = time.monotonic() + EMPTY_SECONDS
    while folder.exists():
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            for pid in _members(folder):
                with contextlib.suppress(OSError):
                    os.kill(pid, 9)
            if time.monotonic() > until:
                return
            time.sleep(0.0005)


def _members(folder: Path) -> set[int]:
    try:
        return set(map(int, (folder / "cgroup.procs").read_text().split()))
    except OSError:
        return set()


def _settings(hierarchy: Hierarchy, limits: Limits) -> list[tuple[str, str]]:
    memory, tasks = str(limits.memory_mb * MEGABYTE), str(limits.processes + OVERHEAD)
    if hierarchy.unified:
        wanted = {
            "memory": [("memory.max", memory), ("memory.swap.max", "0"), ("memory.oom.group", "1")],
            "pids": [("pids.max", tasks)],
            "cpu": [("cpu.max", f"{QUOTA_US} {PERIOD_US}")],
        }
    else:
        wanted = {
            "memory": [("memory.limit_in_bytes", memory), ("memory.memsw.limit_in_bytes", memory)],
            "pids": [("pids.max", tasks)],
            "cpu": [("cpu.cfs_period_us", str(PERIOD_US)), ("cpu.cfs_quota_us", str(QUOTA_US))],
        }
    return [line for name in NAMES if name in hierarchy.controllers for line in wanted.get(name, [])]
