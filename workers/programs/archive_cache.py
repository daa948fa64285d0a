"""Archives unpacked on this host, from wherever they are kept."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Protocol

from workers.core.scratch import close_folder
from workers.programs.archives import files_of
from workers.programs.runtimes.detection import ELF


class Archives(Protocol):
    """Where archives are found by their hash."""

    def get(self, sha: str) -> bytes:
        """The archive of that hash.

        Raises:
            ArchiveMissingError: there is none, or it is damaged.
        """


class ArchiveCache:
    """Unpacked archives on this host, each under its hash; safe for several processes at once.

    Bots start from here, so files and folders are read-only: none changes itself or another by mistake. No
    other user can enter the folder.
    """

    def __init__(self, store: Archives, folder: Path) -> None:
        self._store = store
        self._folder = folder

    def unpacked(self, sha: str) -> Path:
        """The folder with the files of archive `sha`, fetched and unpacked at its first use here.

        Raises:
            ArchiveMissingError: the store cannot give it.
            ForeignFolderError: the cache's folder is another user's.
        """
        close_folder(self._folder)
        target = self._folder / sha
        if target.is_dir():
            return target
        archive = self._store.get(sha)
        fresh = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=self._folder))
        try:
            for name, content in files_of(archive).items():
                path = fresh / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                path.chmod(0o555 if content.startswith(ELF) else 0o444)
            _set_modes(fresh, 0o555)
            fresh.replace(target)
        except OSError:
            if not target.is_dir():
                raise
        finally:
            _set_modes(fresh, 0o755)
            shutil.rmtree(fresh, ignore_errors=True)
        return target


def _set_modes(top: Path, mode: int) -> None:
    """Give `top` and every folder in it this mode; nothing where there is no `top`."""
    for folder, _, _ in os.walk(top, topdown=False):
        Path(folder).chmod(mode)
