"""Where things lie in a data folder, and the lock that gives it one supervisor at a time."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.core.errors import AlreadyRunningError, UnusableError
from engines.locking import try_lock
from workers.core.data_dir import DATA_DIR_VARIABLE, USUAL_DATA_DIR

_LOCK_TRIES, _LOCK_PAUSE = 5, 0.05  # somebody may just be asking whether it is held


RESTORING = ".restoring-"
"""So begins the name of the folder that a restore fills, and moves to its place at the end."""


@dataclass(frozen=True)
class DataFolder:
    """The paths inside one arena's data folder; `root` is absolute.

    `found` says that nobody named it: it is the usual one below the working folder, which may have come with
    somebody's bot.
    """

    root: Path
    found: bool = False

    @classmethod
    def at(cls, path: Path | None) -> DataFolder:
        """The folder at `path`, else the one that ARENA_DATA_DIR names, else `./arena-data`.

        Raises:
            UnusableError: the path is not plain UTF-8 text, which URLs and logs cannot carry.
        """
        named = path or os.environ.get(DATA_DIR_VARIABLE)
        root = Path(named or USUAL_DATA_DIR).absolute()
        if not str(root).isprintable():
            raise UnusableError(
                f"the data folder's path {str(root)!r} has characters that cannot be printed;"
                " choose one with --data"
            )
        return cls(root, found=not named)

    @property
    def named(self) -> Path | None:
        """The folder where settings may stand in a file; None where nobody named it."""
        return None if self.found else self.root

    @property
    def run(self) -> Path:
        """What only lives while the arena runs."""
        return self.root / "run"

    @property
    def logs(self) -> Path:
        """One log a child."""
        return self.root / "logs"

    @property
    def state_file(self) -> Path:
        """What runs here, as the supervisor last wrote it."""
        return self.run / "state.json"

    @property
    def admin_token(self) -> Path:
        """The first admin's token, readable by the owner of the folder only."""
        return self.root / "admin-token"

    @property
    def signing_key(self) -> Path:
        """What the arena signs its work with, unless another file is set."""
        return self.root / "signing-key"

    @property
    def worker_keys(self) -> Path:
        """What the workers of this machine were enrolled with."""
        return self.root / "worker-keys"

    @property
    def certificates(self) -> Path:
        """What the arena is reached by https with."""
        return self.root / "https"

    @property
    def reproduction(self) -> Path:
        """Reports on the documents that the pages show, a folder each."""
        return self.root / "reproduction"

    @property
    def used(self) -> str | None:
        """What says that an arena has run here before; None in a new folder."""
        archives = self.root / "archives"
        if archives.is_dir() and any(archives.iterdir()):
            return archives.name
        files = (self.admin_token, self.log_of("api"))
        return next((file.name for file in files if file.exists() and file.stat().st_size), None)

    def log_of(self, name: str) -> Path:
        """The log of one child."""
        return self.logs / f"{name}.log"

    def check_whole(self) -> None:
        """Make sure that no restore has left a part of an arena in it.

        Raises:
            UnusableError: one has.
        """
        if any(self.root.glob(f"{RESTORING}*")):
            raise UnusableError(
                f"a restore into {self.root} was broken off, or goes on: remove the folder, empty the"
                " database if it is elsewhere, and restore again"
            )

    def make(self) -> None:
        """Create the folder and its subfolders.

        Raises:
            UnusableError: it cannot be created or written, or is not whole.
        """
        self.check_whole()
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.run.mkdir(mode=0o700, exist_ok=True)
            self.logs.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise UnusableError(
                f"the data folder {self.root} cannot be written ({error.strerror}); choose one with --data"
            ) from error


class FolderLock:
    """Held by a supervisor as long as it lives; the kernel lets go of it however the process ends."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._descriptor = -1

    def __enter__(self) -> Self:
        for _ in range(_LOCK_TRIES):
            if self.take():
                return self
            time.sleep(_LOCK_PAUSE)
        raise AlreadyRunningError(
            f"an arena already runs on {self._folder.root}; see `arena status`, or stop it with `arena down`"
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def take(self) -> bool:
        """Take the lock if it is free; says whether it was."""
        self._descriptor = os.open(self._folder.run / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        if try_lock(self._descriptor):
            return True
        self.release()
        return False

    def release(self) -> None:
        """Let go of the lock."""
        os.close(self._descriptor)


def is_held(folder: DataFolder) -> bool:
    """Whether a supervisor lives on this folder."""
    if not (folder.run / "lock").exists():
        return False
    lock = FolderLock(folder)
    if not lock.take():
        return True
    lock.release()
    return False
