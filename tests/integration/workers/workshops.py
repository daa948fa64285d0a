"""A host for tests: an archive store, a cache and a workshop in one folder that every user may read."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from workers.core.settings import get_settings
from workers.programs.archive_cache import ArchiveCache
from workers.programs.archive_store import ArchiveStore
from workers.programs.archives import canonical_archive
from workers.programs.builds import BuildCache
from workers.programs.runtimes.languages import LANGUAGES
from workers.programs.runtimes.toolchains import version_of
from workers.sandbox.confinement import Confinement
from workers.sandbox.levels import ByTrust


@dataclass
class Bench:
    """The store and the workshop; `folder` holds everything."""

    folder: Path
    store: ArchiveStore
    workshop: BuildCache

    def put(self, filename: str, code: str | bytes) -> str:
        """Store an upload; its hash."""
        data = code.encode() if isinstance(code, str) else code
        return self.store.put(canonical_archive(filename, data))

    def another(self, confinement: Callable[[], Confinement] = ByTrust) -> BuildCache:
        """The workshop of another process on the same host."""
        return _workshop(self.folder, self.store, confinement)


def _workshop(
    folder: Path, store: ArchiveStore, confinement: Callable[[], Confinement] = ByTrust
) -> BuildCache:
    cache = ArchiveCache(store, folder / "cache")
    return BuildCache(cache, folder / "builds", confinement, python_words())


def python_words() -> tuple[str, ...]:
    """The interpreter for bots."""
    return tuple(shlex.split(get_settings().bot_python))


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A host without anything on it."""
    folder = Path(tempfile.mkdtemp(prefix="arena-test-"))
    folder.chmod(0o755)
    store = ArchiveStore((folder / "store").as_uri())
    yield Bench(folder, store, _workshop(folder, store))
    for path in folder.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(folder)


def require(language: str, confinement: Confinement | None = None) -> None:
    """Skip the test where this host does not run the language, confined so or as it confines bots best."""
    if version_of(LANGUAGES[language], confinement or ByTrust(), python_words()) is None:
        pytest.skip(f"this host does not run {LANGUAGES[language].title} where bots run")
