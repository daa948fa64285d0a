"""Which system calls a bot may make, as a program for the kernel's filter.

A bot may read, write, compute, and start threads. It is refused whatever reaches out of its process tree,
and whatever two bots could tell each other something by: sockets, locks, queues, watched files. Calls by
another architecture's numbers end it.

The form of a filter: `Documentation/userspace-api/seccomp_filter.rst` of the Linux kernel.
"""

from __future__ import annotations

import errno
import os
import platform
import resource
import signal
import stat
import struct
from collections.abc import Iterable
from typing import NamedTuple

from workers.core.errors import LaunchError
from workers.sandbox.syscalls import (
    IDLE,
    JUDGED,
    MAKING,
    METADATA,
    MISSING,
    MODES,
    NEWEST_KNOWN,
    OPENING,
    REFUSED,
    SIGNALS,
    Numbers,
)

LOAD, EQUAL, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
X32_BIT = 0x40000000

ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The kernel's word for each architecture, and its column in the tables of `workers.sandbox.syscalls`."""

NEW_NAMESPACES = 0x7E020000
CLONE_THREAD = 0x00010000
END_SIGNAL = 0xFF
"""The part of what `clone` is told that says which signal the parent gets when the new process ends."""
OWN_BUSINESS = (0, 1, 2, 3, 4, 9, 1027, 1030, 1032)
"""What `fcntl` may be asked for: copies of a descriptor, its flags, its owner, the size of its pipe.

The rest is locks of both kinds, leases, signals, notices, and hints that are kept with a file.
"""
F_SETPIPE_SZ, USUAL_PIPE = 1031, 65536
OF_STREAMS = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""What `ioctl` may be asked for: is it a terminal and how large, what waits to be read, flags.

The rest belongs to devices and file systems, some of which keep marks with a file that others see.
"""
AF_UNIX, STREAM, SEQPACKET, KIND_OF_SOCKET = 1, 1, 5, 0xF
MSG_OOB = 1
"""Urgent bytes: between unix sockets nobody needs them, and by the kernel's code for them programs have got
out of sandboxes (CVE-2025-38236)."""
CLOCKS = ("clock_gettime", "clock_nanosleep", "clock_getres")
OF_ITSELF = (2, 3, 15, 16, 21, 23, 25, 27, 30, 37, 38, 39, 40, 41, 42, 50, 51, 54, 55, 56, 63, 64, 65, 66)
PR_SET_VMA = 0x53564D41
"""What `prctl` may be asked for: the name of a thread or of memory, what holds for the caller, and registers.

The rest changes how the kernel deals with memory, cores and processes of others.
"""
OF_A_SOCKET = (3, 4, 7, 8, 30, 38, 39)
"""What a socket may be asked for: its kind, errors and buffers. Its number is counted on the whole host."""
OF_OTHERS_TOO = (12, 20, 21, 100, 101)
"""What `madvise` may not be asked for: memory that equals others' is merged, or pages are put out."""
USUAL_POLICY = 0
"""SCHED_OTHER, by which every bot is scheduled; some runtimes set it, and print it if they may not."""
MAP_HUGETLB = 0x40000
"""Memory from a store of the whole host that no limit counts."""
SET_IDS = stat.S_ISUID | stat.S_ISGID
"""The bits of a mode by which whoever starts a program becomes its owner, or one of its group."""
MAKES_A_FILE = os.O_CREAT | 0o20000000
"""The flags of `open` that have it look at a mode: for a file with a name, or without one (O_TMPFILE)."""
ASK_PERSONALITY = 0xFFFFFFFF
CLOCK_OF_A_PROCESS, OWN_CLOCKS = 0x80000000, (0xFFFFFFFA, 0xFFFFFFFE)
"""Clocks of processes have the sign bit; these are the caller's own, of the process and of the thread."""

OWN_PID = 0x7ABCDEF1
"""Stands in a program for the number of the process that it is installed in; see `with_pid`."""

Line = tuple[int, int, int, int]


class Allowances(NamedTuple):
    """What depends on the level: may a bot start processes, change its files' metadata?

    May it signal any process, and read its clock, because it can name no other's? And may it see what memory
    and processes the whole host has, as some compilers must?
    """

    forks: bool
    signals: bool
    metadata: bool
    host: bool


def filter_program(allowed: Allowances, machine: str | None = None) -> bytes:
    """The filter for this machine's architecture, or for that of `machine`.

    Raises:
        LaunchError: it is neither x86_64 nor aarch64.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        raise LaunchError(f"there is no filter of system calls for {machine}")
    word, column = ARCHITECTURES[machine]
    lines: list[Line] = [
        _load(ARCHITECTURE),
        (EQUAL, 1, 0, word),
        _return(KILL),
        _load(NUMBER),
        *_if(AT_LEAST, X32_BIT, [_return(KILL)]),
        *_if(AT_LEAST, NEWEST_KNOWN + 1, [_refuse(errno.ENOSYS)]),
    ]
    for numbers, block in _rules(allowed):
        if (number := numbers[column]) is not None:
            lines += _if(EQUAL, number, block)
    return b"".join(struct.pack("=HBBI", *line) for line in [*lines, _return(ALLOW)])


def with_pid(program: bytes, pid: int) -> bytes:
    """`program` for the process of that number."""
    return program.replace(struct.pack("=I", OWN_PID), struct.pack("=I", pid))


def _rules(allowed: Allowances) -> list[tuple[Numbers, list[Line]]]:
    denied = [_refuse(errno.EPERM)]
    rules = [(numbers, denied) for numbers in REFUSED.values()]
    rules += [(numbers, [_refuse(errno.ENOSYS)]) for numbers in MISSING.values()]
    rules += [(numbers, [_refuse(0)]) for numbers in IDLE.values()]
    rules += [(numbers, _plain_mode(mode)) for numbers, mode in MAKING.values()]
    rules += [(numbers, _plain_file(flags)) for numbers, flags in OPENING.values()]
    if allowed.metadata:
        rules += [(numbers, _plain_mode(mode)) for numbers, mode in MODES.values()]
    else:
        rules += [(numbers, denied) for numbers in METADATA.values()]
    if not allowed.signals:
        rules += [(numbers, _only(0, [OWN_PID])) for numbers in SIGNALS.values()]
        rules.append((JUDGED["tkill"], denied))
        rules += [(JUDGED[name], _own_clocks()) for name in CLOCKS]
    if not allowed.host:
        rules.append((JUDGED["sysinfo"], [_refuse(errno.ENOSYS)]))
    if not allowed.forks:
        rules += [(JUDGED["fork"], denied), (JUDGED["vfork"], denied)]
    return [
        *rules,
        (JUDGED["clone"], _clone(forks=allowed.forks)),
        (JUDGED["socketpair"], _pairs()),
        (JUDGED["getsockopt"], _only(2, OF_A_SOCKET)),
        (JUDGED["fcntl"], _descriptor_calls()),
        (JUDGED["prctl"], _only(0, (*OF_ITSELF, PR_SET_VMA))),
        (JUDGED["ioctl"], _only(1, OF_STREAMS, errno.ENOTTY)),
        (JUDGED["personality"], _only(0, [0, ASK_PERSONALITY])),
        (JUDGED["prlimit64"], _limits()),
        (JUDGED["sched_setscheduler"], _usual_policy()),
        (JUDGED["setrlimit"], _none_of(0, [resource.RLIMIT_CORE])),
        (JUDGED["madvise"], _none_of(2, OF_OTHERS_TOO)),
        (JUDGED["mmap"], _without(3, MAP_HUGETLB, errno.ENOMEM)),
        (JUDGED["sendto"], _without(3, MSG_OOB)),
    ]


def _clone(*, forks: bool) -> list[Line]:
    """Threads, and where allowed processes, at whose end no signal but the usual one could wake a bot."""
    threads = [] if forks else [(ANY_BIT, 1, 0, CLONE_THREAD), _refuse(errno.EPERM)]
    usual = [line for number in (0, signal.SIGCHLD) for line in _if(EQUAL, number, [_return(ALLOW)])]
    return [
        *(_argument(0), (ANY_BIT, 0, 1, NEW_NAMESPACES), _refuse(errno.EPERM), *threads),
        *((AND, 0, 0, END_SIGNAL), *usual, _refuse(errno.EPERM)),
    ]


def _limits() -> list[Line]:
    """The caller's own limits, but none of what is kept of a crash; see `workers.sandbox.rlimits`."""
    return [
        *(_argument(0), (EQUAL, 1, 0, 0), _refuse(errno.EPERM)),
        *(_argument(1), *_if(EQUAL, resource.RLIMIT_CORE, _only_null(2)), _return(ALLOW)),
    ]


def _usual_policy() -> list[Line]:
    """Nothing is done and success told of the policy that a thread has; no other is to be had."""
    return [_argument(1), *_if(EQUAL, USUAL_POLICY, [_refuse(0)]), _refuse(errno.EPERM)]


def _only_null(argument: int) -> list[Line]:
    """Allow a call if an address that it is given is none."""
    halves = [
        line
        for half in (0, 4)
        for line in (_load(ARGUMENTS + 8 * argument + half), (EQUAL, 1, 0, 0), _refuse(errno.EPERM))
    ]
    return [*halves, _return(ALLOW)]


def _pairs() -> list[Line]:
    """Pairs of connected sockets, of a kind that nobody else can send to."""
    return [
        _argument(0),
        (EQUAL, 1, 0, AF_UNIX),
        _refuse(errno.EPERM),
        _argument(1),
        (AND, 0, 0, KIND_OF_SOCKET),
        *_if(EQUAL, STREAM, [_return(ALLOW)]),
        *_if(EQUAL, SEQPACKET, [_return(ALLOW)]),
        _refuse(errno.EPERM),
    ]


def _descriptor_calls() -> list[Line]:
    """What a descriptor may be told, but nothing that others notice, and no pipe may grow."""
    return [
        _argument(1),
        *(line for asked in OWN_BUSINESS for line in _if(EQUAL, asked, [_return(ALLOW)])),
        (EQUAL, 1, 0, F_SETPIPE_SZ),
        _refuse(errno.ENOSYS),
        _argument(2),
        *_if(AT_LEAST, USUAL_PIPE + 1, [_refuse(errno.EPERM)]),
        _return(ALLOW),
    ]


def _plain_mode(argument: int) -> list[Line]:
    """No set-id bits in a mode: with them the host's other users could become the bot's."""
    return _without(argument, SET_IDS)


def _plain_file(flags: int) -> list[Line]:
    """The same of the argument after `flags`, which means nothing unless a file is made."""
    return [_argument(flags), (ANY_BIT, 1, 0, MAKES_A_FILE), _return(ALLOW), *_plain_mode(flags + 1)]


def _own_clocks() -> list[Line]:
    """Any clock but those of other processes."""
    own = [line for clock in OWN_CLOCKS for line in _if(EQUAL, clock, [_return(ALLOW)])]
    return [_argument(0), *own, *_if(AT_LEAST, CLOCK_OF_A_PROCESS, [_refuse(errno.EINVAL)]), _return(ALLOW)]


def _only(argument: int, values: Iterable[int], code: int = errno.EPERM) -> list[Line]:
    """Allow a call if the low half of an argument is one of `values`."""
    allow = [line for value in values for line in _if(EQUAL, value, [_return(ALLOW)])]
    return [_argument(argument), *allow, _refuse(code)]


def _none_of(argument: int, values: Iterable[int]) -> list[Line]:
    """Refuse a call if the low half of an argument is one of `values`."""
    refuse = [line for value in values for line in _if(EQUAL, value, [_refuse(errno.EPERM)])]
    return [_argument(argument), *refuse, _return(ALLOW)]


def _without(argument: int, bits: int, code: int = errno.EPERM) -> list[Line]:
    """Allow a call if an argument has none of `bits`."""
    return [_argument(argument), (ANY_BIT, 0, 1, bits), _refuse(code), _return(ALLOW)]


def _if(test: int, value: int, block: list[Line]) -> list[Line]:
    """Run `block`, which returns, if the test of what was loaded last holds; else go on after it."""
    return [(test, 0, len(block), value), *block]


def _load(offset: int) -> Line:
    return (LOAD, 0, 0, offset)


def _argument(number: int) -> Line:
    return _load(ARGUMENTS + 8 * number)


def _return(action: int) -> Line:
    return (RETURN, 0, 0, action)


def _refuse(code: int) -> Line:
    return _return(ERROR | code)
