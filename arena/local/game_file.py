"""The file of a simulation's games, one JSON object a line, in their order."""

from __future__ import annotations

import contextlib
import zlib
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from arena.core.words import say
from arena.local.errors import InputError, LocalError
from arena.local.files import require_absent, require_place
from engines.locking import try_lock
from workers.simulation.contract import SimulationSpec, record_tail

FIRST = b'{"index":0,'
"""How the first game's line begins."""


class GameFile:
    """The games of `spec` on their way to `path`: they stand in `part` beside it until all are there.

    To be used in a with block, at whose end `part` is closed. No other process can have it open meanwhile.
    Neither file is replaced without `force`, unless `part` holds games of the same simulation.

    Raises:
        InputError: no file can be written there, or one is there already.
        LocalError: another process is writing there.
    """

    def __init__(self, path: Path, spec: SimulationSpec, *, force: bool = False) -> None:
        require_place(path, force=force)
        if path.exists() and not path.is_file():
            raise InputError(
                say("{path} is no plain file; games are kept in one, so that they can go on", path=path)
            )
        self.path = path
        self.part = part_of(path)
        self._force = force
        self._end = record_tail(spec) + b"\n"
        self._file = _opened(self.part)
        self._empty = self.part.stat().st_size == 0
        if not force:
            self._require_own()

    def _require_own(self) -> None:
        """Refuse to touch a part whose first line is no game of this simulation, nor the beginning of one."""
        self._file.seek(0)
        first = self._file.readline()
        torn = not first.endswith(b"\n") and first.startswith(FIRST[: len(first)])
        if first and not first.endswith(self._end) and not torn:
            self._file.close()
            raise InputError(
                say(
                    "{part} holds something else than games of this simulation; finish what it is of, name "
                    "another file, or replace it with --force",
                    part=self.part,
                )
            )

    def keep(self, games: int, checksum: int | None = None) -> bool:
        """Cut what was written before to the first `games`; False if it has not that many of this simulation.

        Nor may a line have changed since it was written, where the CRC-32 of what was is known.

        Raises:
            InputError: the file cannot be written.
        """
        try:
            self._file.seek(0)
            found = 0
            for _ in range(games):
                line = self._file.readline()
                if not line.endswith(self._end):
                    return False
                found = zlib.crc32(line.removesuffix(self._end) + b"}\n", found)
            if checksum not in {None, found}:
                return False
            self._file.truncate(self._file.tell())
            self._empty = not games
        except OSError as error:
            raise InputError(
                say("{part} cannot be written: {strerror}", part=self.part, strerror=error.strerror)
            ) from None
        return True

    def __enter__(self) -> Self:
        """Go on writing after the games that were kept."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the part; what could not be written before cannot be now either, and is not counted.

        One without games is removed, as long as no other process can have it.
        """
        with contextlib.suppress(OSError):
            if self._empty:
                self.part.unlink()
        with contextlib.suppress(OSError):
            self._file.close()

    def write(self, lines: bytes) -> None:
        """Have the next games on disk, each a `GameLine` in JSON on a line of its own.

        Raises:
            LocalError: the disk does not take them.
        """
        try:
            self._file.write(lines.replace(b"}\n", self._end))
            self._file.flush()
            self._empty = False
        except OSError as error:
            raise LocalError(
                say("{part} cannot be written: {strerror}", part=self.part, strerror=error.strerror)
            ) from None

    def finish(self, games: int) -> None:
        """All `games` are there: give the file its name.

        Raises:
            InputError: meanwhile somebody made a file of that name; the games are in `part`.
        """
        del games
        require_absent(self.path, force=self._force)
        self.part.replace(self.path)


def part_of(path: Path) -> Path:
    """Where the games that shall stand in `path` are until all are there."""
    return path.with_name(f"{path.name}.part")


def _opened(part: Path) -> IO[bytes]:
    """The file, for reading and adding to, locked against every other process that would write it."""
    try:
        file = part.open("a+b")
    except OSError as error:
        raise InputError(
            say("{part} cannot be written: {strerror}", part=part, strerror=error.strerror)
        ) from None
    if try_lock(file.fileno()):
        return file
    file.close()
    raise LocalError(say("another process is writing {part}; wait for it, or name another file", part=part))
