"""Files that one process at a time adds to, and from which it goes on after any end."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.core.words import say
from arena.local.errors import InputError, LocalError
from engines.locking import try_lock


class UnwritableError(LocalError):
    """The disk did not take what was to be added; what stood in the file before stands there still."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(
            say(
                "{path} cannot be written: {strerror}; what was done before is kept in it, and the same"
                " command goes on from there once it can be written",
                path=path,
                strerror=error.strerror,
            )
        )
        self.strerror = error.strerror


@contextmanager
def held_file(path: Path) -> Iterator[int]:
    """The descriptor of the file at `path`, made where there is none, and locked for the block.

    Raises:
        InputError: it cannot be opened, to be read and written.
        LocalError: another process is at it.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as error:
        raise InputError(
            say("{path} cannot be written: {strerror}", path=path, strerror=error.strerror)
        ) from None
    try:
        if not try_lock(descriptor):
            raise LocalError(say("another process goes on from {path}", path=path))
        yield descriptor
    finally:
        os.close(descriptor)


def cut_off(descriptor: int, size: int) -> None:
    """Leave so many bytes, after which the next is written."""
    os.ftruncate(descriptor, size)
    os.lseek(descriptor, size, os.SEEK_SET)


@contextmanager
def adding(path: Path) -> Iterator[None]:
    """Add to the file at `path` in the block.

    Raises:
        UnwritableError: the disk does not take it.
    """
    try:
        yield
    except OSError as error:
        raise UnwritableError(path, error) from None


def append(descriptor: int, text: bytes) -> None:
    """Write all of it after what was read or written last.

    Raises:
        OSError: there is no room.
    """
    if os.write(descriptor, text) < len(text):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
