"""A bot's limits as the kernel's own: set before it starts, so that the bot is born with them."""

from __future__ import annotations

import resource

from workers.core.contract import MEGABYTE, Limits

STACK = (8 * MEGABYTE, 64 * MEGABYTE)
"""Of the first thread: what it gets, and what a bot with deep recursion may raise it to itself."""

NO_CORE = 1
"""In bytes: too little for a file, and the one limit by which no program of the host is started for a crash.

With 0 the program that `kernel.core_pattern` names is started nevertheless, as root and outside of all groups
(`coredump_pipe` in `fs/coredump.c` of the Linux kernel).
"""

PROGRAM_NAMES = (
    "core",
    "fsize",
    "nofile",
    "cpu",
    "stack",
    "memlock",
    "msgqueue",
    "as",
    "nproc",
    "sigpending",
)
"""What the program `prlimit` calls the limits."""

Rlimits = list[tuple[int, int, int]]


def rlimits(
    limits: Limits, *, space_mb: int | None, tasks: int | None, pending: int | None = None
) -> Rlimits:
    """Each limit as the kernel's number for it, the soft and the hard value.

    `space_mb` bounds the address space of a process, which is for where nothing counts the memory that it
    uses. `tasks` is how many processes and threads the user may have, and `pending` how many signals may wait
    in queues for them. None leaves any open.
    """
    cpu = limits.cpu_seconds + limits.spare_cpu_seconds
    values = [
        (resource.RLIMIT_CORE, NO_CORE, NO_CORE),
        (resource.RLIMIT_FSIZE, limits.file_mb * MEGABYTE, limits.file_mb * MEGABYTE),
        (resource.RLIMIT_NOFILE, limits.open_files, limits.open_files),
        (resource.RLIMIT_CPU, cpu, cpu),
        (resource.RLIMIT_STACK, *STACK),
        (resource.RLIMIT_MEMLOCK, 0, 0),
    ]
    if hasattr(resource, "RLIMIT_MSGQUEUE"):
        values.append((resource.RLIMIT_MSGQUEUE, 0, 0))
    if space_mb is not None:
        values.append((resource.RLIMIT_AS, space_mb * MEGABYTE, space_mb * MEGABYTE))
    if tasks is not None:
        values.append((resource.RLIMIT_NPROC, tasks, tasks))
    if pending is not None:
        values.append((resource.RLIMIT_SIGPENDING, pending, pending))
    return values


def set_rlimits(wanted: Rlimits) -> None:
    """Limit this process, and all that it will start; where it is limited more strictly, that stays."""
    for which, soft, hard in wanted:
        resource.setrlimit(which, _below_ceiling(which, soft, hard))


def prlimit_options(wanted: Rlimits) -> list[str]:
    """The same limits as options of the program `prlimit`, for the one that it becomes."""
    names = {getattr(resource, f"RLIMIT_{name.upper()}", None): name for name in PROGRAM_NAMES}
    return [
        "--{}={}:{}".format(names[which], *_below_ceiling(which, soft, hard)) for which, soft, hard in wanted
    ]


def _below_ceiling(which: int, soft: int, hard: int) -> tuple[int, int]:
    ceiling = resource.getrlimit(which)[1]
    return (soft, hard) if ceiling == resource.RLIM_INFINITY else (min(soft, ceiling), min(hard, ceiling))
