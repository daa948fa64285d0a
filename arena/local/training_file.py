"""The file of a training: from it a run goes on after any end, here or elsewhere.

It begins with a line of JSON, what the training follows from, and goes on with parts in the order in which
they were done: a line of JSON, and as many bytes as that says, with their CRC-32. Each line ends with a space
and eight hexadecimal digits, the CRC-32 of what stands before it, begun with that of the line before.

Each part is on disk before the next one is written, so that where the machine fails, the last one alone is
torn, or zeros.
"""

from __future__ import annotations

import json
import os
import shlex
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

from arena.core.words import say
from arena.local.errors import InputError
from arena.local.held_file import adding, append, cut_off, held_file
from engines.strategies.reversi_training import StageFit
from workers.training.plan import Chunk, Plan, Progress, differing

FORMAT: Final = "bot-arena-training"
VERSION: Final = 1
LONGEST_LINE: Final = 65536
DIGITS: Final = 8
BLOCK: Final = 65536


class _DamagedError(Exception):
    """What follows is not what was written."""


class TrainingFile:
    """An open file; `progress` is what stands in it. Each part is on disk before it is taken in."""

    def __init__(self, descriptor: int, path: Path, progress: Progress, checksum: int) -> None:
        self.progress = progress
        self._descriptor, self._path, self._checksum = descriptor, path, checksum

    def add_games(self, chunk: Chunk, games: bytes) -> None:
        """Take in the games of a chunk.

        Raises:
            UnwritableError: there is no room, or the disk fails.
        """
        self._add({"part": "games", **chunk._asdict()}, games)

    def add_stage(self, chunk: Chunk, fit: StageFit) -> None:
        """Take in the fit of a stage.

        Raises:
            UnwritableError: there is no room, or the disk fails.
        """
        kept, *errors = fit
        self._add({"part": "stage", **chunk._asdict(), "errors": errors}, kept)

    def add_points(self, chunk: Chunk, points: int) -> None:
        """Take in twice the points of a chunk.

        Raises:
            UnwritableError: there is no room, or the disk fails.
        """
        self._add({"part": "points", **chunk._asdict(), "points": points}, b"")

    def _add(self, told: dict[str, Any], payload: bytes) -> None:
        text, self._checksum = _part(told, payload, self._checksum)
        _write(self._descriptor, self._path, text)
        _take(self.progress, told, payload)


@contextmanager
def training_file(path: Path, plan: Plan) -> Iterator[TrainingFile]:
    """The file at `path`, made where there is none, and locked for the block.

    Raises:
        InputError: it is of another training, is damaged, or cannot be opened.
        LocalError: another process is at it, there is no room, or the disk fails.
    """
    with held_file(path) as descriptor:
        yield _opened(descriptor, path, plan)


def _opened(descriptor: int, path: Path, plan: Plan) -> TrainingFile:
    """What stands in the file, whose torn last part is cut off."""
    progress = Progress(plan)
    head = {"format": FORMAT, "version": VERSION, **plan.told()}
    text, checksum = _part(head, b"", 0)
    with os.fdopen(os.dup(descriptor), "rb") as file:
        whole, written = os.fstat(descriptor).st_size, _written(file)
        size = _begin(file, written, path, text, head)
        try:
            while size and (found := _next(file, written, checksum)):
                told, payload, checksum = found
                _take(progress, told, payload)
                size = file.tell()
        except (_DamagedError, ValueError, TypeError, KeyError, RecursionError, MemoryError) as error:
            raise InputError(
                say(
                    "{path} is damaged after byte {size} of {whole}; to go on from what is intact, cut off"
                    " the rest ({command}), or name another folder",
                    path=path,
                    size=size,
                    whole=whole,
                    command=f"truncate -s {size} {shlex.quote(str(path))}",
                )
            ) from error
    cut_off(descriptor, size)
    if not size:
        _write(descriptor, path, text)
        _keep_entry(path)
    return TrainingFile(descriptor, path, progress, checksum)


def _write(descriptor: int, path: Path, text: bytes) -> None:
    """Write all of it, to the disk.

    Raises:
        UnwritableError: there is no room, or the disk fails.
    """
    with adding(path):
        append(descriptor, text)
        os.fsync(descriptor)


def _keep_entry(path: Path) -> None:
    """Have a new file be found in its folder, and that in its own, where folders can be put on disk."""
    for folder in (path.parent, path.parent.parent):
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _written(file: IO[bytes]) -> int:
    """The bytes of the file up to the zeros at its end: where the machine failed, these were not written.

    The file is at its beginning then.
    """
    size = file.seek(0, os.SEEK_END)
    while size:
        begin = max(size - BLOCK, 0)
        file.seek(begin)
        if block := file.read(size - begin).rstrip(b"\0"):
            size = begin + len(block)
            break
        size = begin
    file.seek(0)
    return size


def _begin(file: IO[bytes], written: int, path: Path, text: bytes, head: dict[str, Any]) -> int:
    """The bytes of the first line, which must be `text`; 0 where nothing stands there, or it is torn."""
    line = file.readline(max(LONGEST_LINE, len(text)))
    if line == text:
        return len(line)
    if text.startswith(line[:written]) and len(line) >= written:
        return 0
    try:
        found = json.loads(line[: -DIGITS - 2])
        differs = differing(found, head | {"bytes": 0, "crc": 0}) if found["format"] == FORMAT else []
    except (ValueError, RecursionError, TypeError, KeyError):
        differs = []
    if not differs:
        raise InputError(say("{path} is no file of a training; name another folder", path=path))
    raise InputError(
        say(
            "{path} is of another training ({names} not the same); name another folder",
            path=path,
            names=say(" and ").join(differs),
        )
    )


def _next(file: IO[bytes], written: int, checksum: int) -> tuple[dict[str, Any], bytes, int] | None:
    """The next part and its line's checksum; None at the end, or where what was written of it is torn."""
    line = file.readline(LONGEST_LINE)
    if not line.endswith(b"\n") and file.tell() >= written:
        return None
    text = line[: -DIGITS - 2]
    checksum = zlib.crc32(text, checksum)
    if line != _ended(text, checksum):
        raise _DamagedError
    told = json.loads(text)
    payload = file.read(told["bytes"])
    if zlib.crc32(payload) != told["crc"]:
        if file.tell() >= written:
            return None
        raise _DamagedError
    return told, payload, checksum


def _take(progress: Progress, told: dict[str, Any], payload: bytes) -> None:
    """Take in a part, which by its checksum is one that was written here.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    chunk = Chunk(told["round"], told["first"], told["size"])
    if told["part"] == "games":
        progress.games[chunk] = payload
    elif told["part"] == "stage":
        progress.fitted(chunk, StageFit(payload, *told["errors"]))
    else:
        progress.points[chunk] = told["points"]


def _part(told: dict[str, Any], payload: bytes, checksum: int) -> tuple[bytes, int]:
    """A part as it stands in the file, after a line with that checksum, and its own line's."""
    line = json.dumps(told | {"bytes": len(payload), "crc": zlib.crc32(payload)}).encode()
    checksum = zlib.crc32(line, checksum)
    return _ended(line, checksum) + payload, checksum


def _ended(line: bytes, checksum: int) -> bytes:
    """A line with its end."""
    return b"%s %08x\n" % (line, checksum)
