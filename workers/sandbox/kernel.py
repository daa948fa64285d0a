"""The few calls of the Linux kernel that Python has no name for."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import warnings

IS_LINUX = sys.platform == "linux"

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

libc = ctypes.CDLL(None, use_errno=True) if IS_LINUX else None


def prctl(option: int, first: int = 0, second: int = 0) -> None:
    """The system call of that name; nothing where there is none.

    Raises:
        OSError: the kernel refuses.
    """
    if libc is None:
        return
    words = [ctypes.c_ulong(word) for word in (first, second, 0, 0)]
    if libc.prctl(option, *words) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option}: {os.strerror(ctypes.get_errno())}")


def system_call(number: int, *words: int) -> int:
    """Any system call, with whole numbers for its arguments.

    Raises:
        OSError: the kernel refuses, or this is no Linux.
    """
    if libc is None:
        raise OSError(f"system call {number} is one of Linux")
    libc.syscall.restype = ctypes.c_long
    result = int(libc.syscall(ctypes.c_long(number), *(ctypes.c_ulong(word) for word in words)))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"system call {number}: {os.strerror(ctypes.get_errno())}")
    return result


def kernel_version() -> tuple[int, int]:
    """The first two numbers of the kernel's version."""
    major, minor, *_ = re.findall(r"\d+", os.uname().release)
    return int(major), int(minor)


def fork() -> int:
    """`os.fork`, for a child that does little and then becomes another program or ends.

    What is warned of, locks that other threads hold for ever, does not concern such a child.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def die_with(parent: int, ending: signal.Signals = signal.SIGKILL) -> None:
    """Have the kernel send this process `ending` when its `parent` ends; end at once if it has."""
    prctl(PR_SET_PDEATHSIG, ending)
    if os.getppid() != parent:
        os._exit(1)


def become_subreaper() -> None:
    """Let orphans become children of this process, where they can be found (Linux)."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)
