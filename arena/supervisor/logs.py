"""Logs that cannot grow without bound, and reading their ends."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path

MAX_BYTES = 4 * 1024 * 1024
KEPT = 3
_BLOCK = 64 * 1024


class BoundedLog:
    """A file that is appended to; past `max_bytes` it becomes NAME.log.1, that one NAME.log.2, and so on."""

    def __init__(self, path: Path, max_bytes: int = MAX_BYTES, kept: int = KEPT) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._kept = kept
        self._file = self._open()

    def write(self, data: bytes) -> None:
        """Append `data`, first turning the files over if it would not fit.

        What a full disk does not take is lost: the arena goes on without its logs rather than not at all.
        """
        with contextlib.suppress(OSError):
            if self._file.closed:  # turning over failed
                self._file = self._open()
            if self._file.tell() and self._file.tell() + len(data) > self._max_bytes:
                self._turn_over()
            self._file.write(data)

    def note(self, text: str) -> None:
        """Append one line of the supervisor's own, with the time."""
        self.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}\n".encode())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _turn_over(self) -> None:
        self._file.close()
        for number in range(self._kept - 1, 0, -1):
            older = self._numbered(number)
            if older.exists():
                older.replace(self._numbered(number + 1))
        with contextlib.suppress(FileNotFoundError):
            self._path.replace(self._numbered(1))
        self._file = self._open()

    def _open(self) -> FileIO:
        return self._path.open("ab", buffering=0)

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")


def tail(path: Path, lines: int) -> list[str]:
    """The last lines of a log, oldest first; none where there is no log."""
    if lines <= 0 or not path.exists():
        return []
    with path.open("rb") as file:
        position = file.seek(0, os.SEEK_END)
        data = b""
        while position and data.count(b"\n") <= lines:
            step = min(_BLOCK, position)
            position -= step
            file.seek(position)
            data = file.read(step) + data
    return data.decode("utf-8", "replace").splitlines()[-lines:]


def readable(line: str) -> str:
    """A line for people, also where it was written as JSON."""
    try:
        told = json.loads(line) if line.startswith("{") else None
        if not isinstance(told, dict):
            return line
        first = [str(told.pop(name)) for name in ("time", "level", "message")]
    except (ValueError, KeyError):
        return line
    told.pop("process", None)
    return " ".join([*first, *(f"{name}={value}" for name, value in told.items())])


def follow(paths: dict[str, Path], going_on: Callable[[], bool]) -> Iterator[tuple[str, str]]:
    """Lines (with their log's name) as they are appended from now on, until `going_on` says no.

    A log that is turned over is read on from its new beginning.
    """
    positions = {name: path.stat().st_size if path.exists() else 0 for name, path in paths.items()}
    while going_on():
        quiet = True
        for name, path in paths.items():
            size = path.stat().st_size if path.exists() else 0
            if size < positions[name]:
                positions[name] = 0
            if size == positions[name]:
                continue
            with path.open("rb") as file:
                file.seek(positions[name])
                data = file.read(_BLOCK)
            whole = data if len(data) == _BLOCK else data[: data.rfind(b"\n") + 1]
            positions[name] += len(whole)
            quiet = quiet and not whole
            for line in whole.decode("utf-8", "replace").splitlines():
                yield name, line
        if quiet:
            time.sleep(0.2)
