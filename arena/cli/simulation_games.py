"""The file of a simulation's games, one JSON object a line, in their order."""

from __future__ import annotations

import fcntl
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from arena.cli.failures import CliError, UsageError
from arena.cli.output import require_place
from workers.simulation.contract import GameLine


class GameFile:
    """Games on their way to `path`: they stand in `part` beside it until all are there.

    To be used in a with block, at whose end `part` is closed. No other process can have it open meanwhile.

    Raises:
        UsageError: no file can be written there.
        CliError: another process is writing there.
    """

    def __init__(self, path: Path) -> None:
        require_place(path)
        if path.exists() and not path.is_file():
            raise UsageError(f"{path} is no plain file; games are kept in one, so that they can go on")
        self.path = path
        self.part = path.with_name(f"{path.name}.part")
        self._file = _opened(self.part)

    def keep(self, games: int) -> bool:
        """Cut what was written before to the first `games`; False if it has not that many.

        Raises:
            UsageError: the file cannot be written.
        """
        try:
            self._file.seek(0)
            for _ in range(games):
                if not self._file.readline().endswith(b"\n"):
                    return False
            self._file.truncate(self._file.tell())
        except OSError as error:
            raise UsageError(f"{self.part} cannot be written: {error.strerror}") from None
        return True

    def __enter__(self) -> Self:
        """Go on writing after the games that were kept."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the part."""
        self._file.close()

    def write(self, line: GameLine) -> None:
        """Add the next game.

        Raises:
            CliError: the disk does not take it.
        """
        self._on_disk(line.model_dump_json().encode() + b"\n")

    def flush(self) -> None:
        """Have the games so far on disk, where the journal that counts them will be."""
        self._on_disk(b"")

    def _on_disk(self, data: bytes) -> None:
        try:
            self._file.write(data)
            if not data:
                self._file.flush()
        except OSError as error:
            raise CliError(f"{self.part} cannot be written: {error.strerror}") from None

    def finish(self) -> None:
        """All games are there: give the file its name.

        Raises:
            CliError: the disk does not take the last ones.
        """
        self.flush()
        self.part.replace(self.path)


def _opened(part: Path) -> IO[bytes]:
    """The file, for reading and adding to, locked against every other process that would write it."""
    try:
        file = part.open("a+b")
    except OSError as error:
        raise UsageError(f"{part} cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise CliError(f"another process is writing {part}; wait for it, or name another file") from None
    return file
