"""The folder of a simulation's games as columns: a Parquet file for each part of them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from arena.core.words import say
from arena.local.errors import InputError, LocalError
from arena.local.game_file import part_of
from engines.locking import try_lock
from workers.simulation.chunks import games_in_part
from workers.simulation.contract import RowOf, SimulationSpec
from workers.simulation.parts import MissingParquetError, Parts, cut_off, require_parquet

SUFFIX = ".parquet"
ABOUT = "_simulation.json"
"""The file that says, while the parts are written, which games they have."""


class GameFolder:
    """The games of `spec` on their way to the folder `path`: they stand in one beside it until all are there.

    To be used in a with block. No other process can write there meanwhile. A folder that is there is not
    replaced without `force`, and never one with other things than parts of a recording; what was begun of the
    same simulation is gone on with.

    Raises:
        InputError: no folder can be made there, or one is there already, or Parquet cannot be written.
        LocalError: another process is writing there.
    """

    def __init__(self, path: Path, spec: SimulationSpec, rows: RowOf, *, force: bool = False) -> None:
        require_folder(path, force=force)
        self.path = path
        self.part = part_of(path)
        self.parts = Parts(self.part, rows)
        self._spec = spec
        self._size = games_in_part(spec)
        about = json.dumps({"simulation": spec.digest, "rows": rows})
        with _told(self.part):
            self.part.mkdir(exist_ok=True)
            self._lock = _locked(self.part)
            self._take_up(about, force=force)

    def _take_up(self, about: str, *, force: bool) -> None:
        told = self.part / ABOUT
        begun = told.read_text() if told.is_file() else ""
        if begun != about and any(_parts_of(self.part)):
            if not force:
                os.close(self._lock)
                raise InputError(
                    say(
                        "{part} holds games of another simulation; finish that one, name another folder, or "
                        "replace it with --force",
                        part=self.part,
                    )
                )
            self.keep(0)
        told.write_text(about)

    def keep(self, games: int) -> bool:
        """Remove all parts but those of the first `games`; False if these are not all there.

        Raises:
            InputError: the folder cannot be written.
        """
        wanted = {self.parts.path(start) for start in range(0, games, self._size)}
        whole = games % self._size == 0 or games == self._spec.games
        with _told(self.part):
            for path in [*_parts_of(self.part)]:
                if path not in wanted:
                    path.unlink()
            return whole and all(path.is_file() for path in wanted)

    def __enter__(self) -> Self:
        """Have parts written into `parts`."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let others write."""
        os.close(self._lock)

    def finish(self, games: int) -> None:
        """The first `games` are there and shall be all: give the folder its name.

        Raises:
            InputError: meanwhile somebody made something of that name; the games are in `part`.
        """
        _require_replaceable(self.path, force=True)
        with _told(self.part):
            start = (games - 1) // self._size * self._size if games else 0
            for path in [*_parts_of(self.part)]:
                if not games or path > self.parts.path(start):
                    path.unlink()
            if games and games < min(start + self._size, self._spec.games):
                cut_off(self.parts, start, games)
            for extra in (ABOUT, LOCK):
                (self.part / extra).unlink()
            if self.path.is_dir():
                shutil.rmtree(self.path)
            self.part.replace(self.path)


def save_parts(
    path: Path,
    rows: RowOf,
    size: int,
    games: int,
    pieces_of: Callable[[int], Iterable[bytes]],
    *,
    force: bool,
) -> int:
    """Make the folder `path` of parts that were written elsewhere, `size` games each; returns its bytes.

    `pieces_of` gives the part that begins with a game; what is beyond the first `games` is left out.

    Raises:
        InputError: no folder can be made there, or one is there already, or Parquet cannot be written.
    """
    require_folder(path, force=force)
    starts = range(0, games, size)
    with _told(path), TemporaryDirectory(dir=path.parent, prefix=".arena-export-") as made:
        parts = Parts(Path(made) / "parts", rows)
        parts.folder.mkdir()
        for start in starts:
            with parts.path(start).open("wb") as file:
                file.writelines(pieces_of(start))
        if starts and games % size:
            cut_off(parts, starts[-1], games)
        if path.is_dir():
            shutil.rmtree(path)
        parts.folder.replace(path)
    return sum(each.stat().st_size for each in path.iterdir())


def require_folder(path: Path, *, force: bool = False) -> None:
    """Refuse a path where no folder of games could be made, before any game is played.

    Raises:
        InputError: no folder can be made there, or one is there already, or Parquet cannot be written.
    """
    try:
        require_parquet()
    except MissingParquetError as error:
        raise InputError(str(error)) from None
    _require_replaceable(path, force=force)


LOCK = ".lock"


def is_folder_of_games(path: Path) -> bool:
    """Whether games go to `path` as columns: it ends with `.parquet`."""
    return path.suffix == SUFFIX


def _parts_of(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.name.startswith("part-"))


def _require_replaceable(path: Path, *, force: bool) -> None:
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise InputError(
            say("{path} cannot be made: its folder does not exist or cannot be written", path=path)
        )
    if not path.exists():
        return
    if not force:
        raise InputError(
            say("{path} is there already; name another folder, or replace it with --force", path=path)
        )
    ours = path.is_dir() and {each.name for each in path.iterdir()} == {each.name for each in _parts_of(path)}
    if not ours:
        raise InputError(
            say("{path} holds something else than recorded games; name another folder", path=path)
        )


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            say("{folder} cannot be written: {strerror}", folder=folder, strerror=error.strerror)
        ) from None


def _locked(folder: Path) -> int:
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    if try_lock(lock):
        return lock
    os.close(lock)
    raise LocalError(
        say("another process is writing {folder}; wait for it, or name another folder", folder=folder)
    )
