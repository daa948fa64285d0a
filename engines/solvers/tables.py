"""Packed tables on disk: built on first use by one process, read by all.

A file is the magic ``BATABLE1``, the length of its header as four bytes (little-endian), the header, zeros
up to a multiple of 64 bytes, and the payload. The header is a JSON object: which table it is (`game`,
`version`, `params`, `content`), the payload's `length` in bytes and its `sha256`. The payload's bytes are
up to the table's owner, who puts a change of their meaning into the name `content`.

The folder is ``ARENA_TABLES_DIR``, else ``tables`` in the user's cache for ``bot-arena``. A file
appears under its name only when it is whole. Whoever builds holds a lock, and whoever comes meanwhile waits
for it and reads. A file that is damaged, cut off or of another kind is built anew. Where the folder cannot be
used, the table is built in memory. Reading needs the standard library only.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import mmap
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engines.game import Game
from engines.locking import lock
from engines.places import user_folder
from engines.solvers.oracle import Progress, no_progress

Build = Callable[[Progress], memoryview]
"""Makes a payload: contiguous bytes."""

MAGIC = b"BATABLE1"
LENGTH_BYTES = 4
ALIGNMENT = 64
LONGEST_HEADER = 1 << 16
OTHERS_READ = 0o755
"""The mode of the folder: whatever the umask is, it is its owner's to write, as programs lie there too."""

_log = logging.getLogger(__name__)


class DamagedError(Exception):
    """A file is not the whole and sound table that its name promises."""


def tables_dir() -> Path | None:
    """The folder of the tables, made if need be; None where there is none that can be written."""
    try:
        root = os.environ.get("ARENA_TABLES_DIR")
        folder = Path(root) if root else user_folder("cache", "bot-arena") / "tables"
        folder.mkdir(OTHERS_READ, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # read-only, or nobody's home
        _log.warning("tables cannot be kept: %s", error)
        return None
    return folder


def file_name(game: Game[Any], content: str) -> str:
    """The name of the file with the table `content` of `game` in any folder of tables."""
    digest = hashlib.sha256(_json(_wanted(game, content))).hexdigest()
    return f"{game.name}-{content}-{digest[:16]}.table"


def _wanted(game: Game[Any], content: str) -> dict[str, Any]:
    """What a header says of the table, as JSON reads it back."""
    named = {"game": game.name, "version": game.version, "params": game.params, "content": content}
    wanted: dict[str, Any] = json.loads(_json(named))
    return wanted


def open_table(game: Game[Any], content: str, build: Build, progress: Progress = no_progress) -> memoryview:
    """The payload of the table `content` of `game`, read-only; `build` makes it if it is not on disk yet."""
    wanted = _wanted(game, content)
    folder = tables_dir()
    if folder is None:
        return build(progress).cast("B").toreadonly()
    path = folder / file_name(game, content)
    with contextlib.suppress(OSError, DamagedError):
        return _read(path, wanted)
    try:
        with _locked(path.with_suffix(".lock")):
            payload = _read_sound(path, wanted)  # somebody may have built it while this process waited
            return payload if payload is not None else _built(path, wanted, build, progress)
    except OSError as error:
        _log.warning("%s cannot be used (%s): the table is built in memory", path, error.strerror)
        return build(progress).cast("B").toreadonly()


def _built(path: Path, wanted: dict[str, Any], build: Build, progress: Progress) -> memoryview:
    """The payload, built and written; from the file, so that all who use the table share its memory."""
    payload = build(progress).cast("B").toreadonly()
    try:
        _write(path, wanted, payload)
        return _read(path, wanted)
    except OSError as error:
        _log.warning("%s cannot be written (%s): the table is used from memory", path, error.strerror)
        return payload


def _read_sound(path: Path, wanted: dict[str, Any]) -> memoryview | None:
    """The payload; None, with a note, when the file is damaged, and None when there is none."""
    try:
        return _read(path, wanted)
    except FileNotFoundError:
        return None
    except DamagedError as error:
        _log.warning("%s is built anew: %s", path, error)
        return None


def _read(path: Path, wanted: dict[str, Any]) -> memoryview:
    """The payload of a file, mapped into memory, its checksum proved.

    Raises:
        DamagedError: it is not the table that is wanted, or not whole, or its bytes have changed.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < len(MAGIC) + LENGTH_BYTES or file.read(len(MAGIC)) != MAGIC:
            raise DamagedError("it is no table of this format")
        length = int.from_bytes(file.read(LENGTH_BYTES), "little")
        header = _header(file.read(min(length, LONGEST_HEADER)))
        if {key: header.get(key) for key in wanted} != wanted:
            raise DamagedError("it is another table")
        start = _aligned(len(MAGIC) + LENGTH_BYTES + length)
        if size != start + header["length"]:
            raise DamagedError("it is not whole")
        mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    payload = mapped[start:]
    if hashlib.sha256(payload).hexdigest() != header["sha256"]:
        raise DamagedError("its checksum is wrong")
    return payload


def _header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise DamagedError("its header cannot be read") from None
    if not isinstance(header, dict) or not isinstance(header.get("length"), int) or "sha256" not in header:
        raise DamagedError("its header is incomplete")
    return header


def _write(path: Path, wanted: dict[str, Any], payload: memoryview) -> None:
    """Write the file under another name, and give it its own when all of it is on disk."""
    header = _json(wanted | {"length": len(payload), "sha256": hashlib.sha256(payload).hexdigest()})
    head = MAGIC + len(header).to_bytes(LENGTH_BYTES, "little") + header
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(head.ljust(_aligned(len(head)), b"\0"))
            file.write(payload)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of `path`, which ends with the process at the latest."""
    with path.open("wb") as file:
        lock(file.fileno())
        yield


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
