"""Bots built here as on a worker: the build cache of a command, in a folder of its own."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from arena.core.sayings import said
from arena.local.errors import InputError, LocalError
from arena.local.submission import read_submission
from workers.core.errors import BuildError, UnsupportedError
from workers.core.scratch import scratch_folder
from workers.core.settings import get_settings
from workers.programs.archive_cache import ArchiveCache
from workers.programs.archives import content_hash
from workers.programs.builds import BuildCache
from workers.sandbox.levels import ByTrust

if TYPE_CHECKING:
    from workers.sandbox.confinement import Confinement, Program


class HeldArchives:
    """Archives by their hash, for as long as this process runs."""

    def __init__(self) -> None:
        self._held: dict[str, bytes] = {}

    def put(self, archive: bytes) -> str:
        """Keep `archive` and return its hash."""
        sha = content_hash(archive)
        self._held[sha] = archive
        return sha

    def get(self, sha: str) -> bytes:
        """The archive of that hash, which was put here."""
        return self._held[sha]


def build_cache_in(folder: Path, confinement: Confinement) -> tuple[HeldArchives, BuildCache]:
    """A build cache in `folder`, and where it finds its archives."""
    store = HeldArchives()
    python = tuple(shlex.split(get_settings().bot_python))
    cache = ArchiveCache(store, folder / "cache")
    return store, BuildCache(cache, folder / "builds", lambda: confinement, python)


def build_here(path: Path) -> Program:
    """What starts the bot whose files are at `path`, until this process ends.

    Raises:
        InputError: there is no bot, or it does not build.
        LocalError: this host does not run such bots.
        WorkerError: it cannot be built on this host.
    """
    submission = read_submission(path)
    store, build_cache = build_cache_in(scratch_folder(), ByTrust())
    try:
        return build_cache.program(store.put(submission.archive))
    except BuildError as error:
        raise InputError(f"{path}: {said(str(error))}\n{error.said.head}{error.said.tail}".rstrip()) from None
    except UnsupportedError as error:
        raise LocalError(f"{path}: {error}") from None
