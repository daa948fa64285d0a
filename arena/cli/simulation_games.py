"""The file of a simulation's games, one JSON object a line, in their order."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import IO, Self

from arena.cli.failures import CliError, UsageError
from workers.simulation.contract import GameLine


class GameFile:
    """Games on their way to `path`: they stand in `part` beside it until all are there.

    Raises:
        UsageError: no file can be written there.
    """

    def __init__(self, path: Path) -> None:
        if path.is_dir() or not path.parent.is_dir():
            raise UsageError(f"{path} cannot be written: it is a folder, or in none that exists")
        self.path = path
        self.part = path.with_name(f"{path.name}.part")
        self._file: IO[bytes] | None = None

    def keep(self, games: int) -> bool:
        """Cut what was written before to the first `games`; False if it has not that many.

        Raises:
            UsageError: the file cannot be written.
        """
        try:
            with self.part.open("r+b" if self.part.exists() else "w+b") as file:
                for _ in range(games):
                    if not file.readline().endswith(b"\n"):
                        return False
                file.truncate(file.tell())
        except OSError as error:
            raise UsageError(f"{self.part} cannot be written: {error.strerror}") from None
        return True

    def __enter__(self) -> Self:
        """Go on writing after the games that were kept."""
        self._file = self.part.open("ab")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the part."""
        if self._file:
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
        if self._file is None:
            return
        try:
            self._file.write(data)
            if not data:
                self._file.flush()
        except OSError as error:
            raise CliError(f"{self.part} cannot be written: {error.strerror}") from None

    def finish(self) -> None:
        """All games are there: give the file its name."""
        self.part.replace(self.path)
