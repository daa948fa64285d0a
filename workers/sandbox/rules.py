"""What a bot may do with files, as rules for Landlock, which the kernel then holds it to.

The calls and their constants: `Documentation/userspace-api/landlock.rst` of the Linux kernel.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from workers.core.errors import LaunchError
from workers.sandbox.kernel import PR_SET_NO_NEW_PRIVS, prctl, system_call

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION = 1
PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
ALL_OF_VERSION = {1: 13, 2: 14, 3: 15, 5: 16}
"""How many rights over files there are, from each version of Landlock on that added some."""
TRUNCATE = 1 << 14
CONNECT_AND_BIND, SIGNALS_AND_NAMES = 3, 3
WITH_TRUNCATION, WITH_NETWORK, WITH_SCOPES = 3, 4, 6
"""Since which version there are rules for more than reading and writing.

Before the first of these, a bot under its worker's own user could empty that user's files.
"""

LOOK = EXECUTE | READ_FILE | READ_DIR
USE = READ_FILE | WRITE_FILE | TRUNCATE
OF_FILES = EXECUTE | USE | 1 << 15


@cache
def version() -> int:
    """The version of Landlock that this kernel has; 0 where there is none or it is switched off."""
    with contextlib.suppress(OSError):
        return system_call(CREATE_RULESET, 0, 0, ASK_VERSION)
    return 0


def restricts_signals() -> bool:
    """Whether a bot under Landlock can signal nobody but itself."""
    return version() >= WITH_SCOPES


class Ruleset:
    """A set of rules; `descriptor` is to be given to `restrict_self`, and then closed.

    Raises:
        LaunchError: the kernel refuses.
    """

    def __init__(self, look: Iterable[Path], use: Iterable[Path], keep: Iterable[Path]) -> None:
        self._rights = (1 << max(count for since, count in ALL_OF_VERSION.items() if since <= version())) - 1
        words = [self._rights]
        if version() >= WITH_NETWORK:
            words.append(CONNECT_AND_BIND)
        if version() >= WITH_SCOPES:
            words.append(SIGNALS_AND_NAMES)
        try:
            wanted = ctypes.create_string_buffer(struct.pack(f"={len(words)}Q", *words), 8 * len(words))
            self.descriptor = system_call(CREATE_RULESET, ctypes.addressof(wanted), len(wanted), 0)
            os.set_inheritable(self.descriptor, False)
            for path, rights in _wishes(look, use, keep):
                self._allow(path, rights)
        except OSError as error:
            raise LaunchError(f"Landlock refuses a rule: {error}") from error

    def _allow(self, path: Path, rights: int) -> None:
        """Allow something with a path and what is below it; a path that is not there needs no rule."""
        try:
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        try:
            possible = self._rights if stat.S_ISDIR(os.fstat(handle).st_mode) else self._rights & OF_FILES
            rule = ctypes.create_string_buffer(struct.pack("=Qi", rights & possible, handle))
            system_call(ADD_RULE, self.descriptor, PATH_BENEATH, ctypes.addressof(rule), 0)
        finally:
            os.close(handle)

    def close(self) -> None:
        """Give the descriptor back."""
        os.close(self.descriptor)


def _wishes(look: Iterable[Path], use: Iterable[Path], keep: Iterable[Path]) -> Iterator[tuple[Path, int]]:
    """Each path with the rights wanted: to look at it, to use it like a device, to keep files in it."""
    for paths, rights in ((look, LOOK), (use, USE), (keep, ~0)):
        yield from ((path, rights & 0xFFFFFFFF) for path in paths)


def restrict_self(descriptor: int) -> None:
    """Hold this process, and all that it will start, to the rules for ever.

    Raises:
        OSError: the kernel refuses.
    """
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    system_call(RESTRICT_SELF, descriptor, 0)
