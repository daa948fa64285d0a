"""Bots built here as on a worker: the workshop of a command, in a folder of its own."""

from __future__ import annotations

import atexit
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.failures import UsageError
from arena.cli.submission import read_submission
from workers.archives import ArchiveCache, ArchiveStore
from workers.builds import Workshop
from workers.errors import BuildError
from workers.sandbox.levels import ByTrust
from workers.scratch import remove_tree
from workers.settings import get_settings

if TYPE_CHECKING:
    from workers.confinement import Confinement, Program


def workshop_in(folder: Path, confinement: Confinement) -> tuple[ArchiveStore, Workshop]:
    """A workshop and the store of its archives, both in `folder`, which bots' users are let into."""
    folder.chmod(0o755)
    store = ArchiveStore((folder / "archives").as_uri())
    python = tuple(shlex.split(get_settings().bot_python))
    cache = ArchiveCache(store, folder / "cache")
    return store, Workshop(cache, folder / "builds", lambda: confinement, python)


def build_here(path: Path) -> Program:
    """What starts the bot whose files are at `path`, until this process ends.

    Raises:
        UsageError: there is no bot, or it does not build.
        WorkerError: it cannot be built on this host.
    """
    submission = read_submission(path)
    folder = Path(tempfile.mkdtemp(prefix="arena-built-"))
    atexit.register(remove_tree, folder)
    store, workshop = workshop_in(folder, ByTrust())
    try:
        return workshop.program(store.put(submission.archive))
    except BuildError as error:
        raise UsageError(f"{path}: {error}\n{error.said.head}{error.said.tail}".rstrip()) from None
