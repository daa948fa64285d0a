"""Where archives are kept by their hash, for all hosts."""

from __future__ import annotations

import errno
import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import obstore
from obstore.store import from_url

from workers.core.errors import ArchiveMissingError, ArchiveUnwritableError
from workers.programs.archives import content_hash

PROBE, PROBE_BYTES = "probe", 4096
"""What is written to a store to see whether it takes something: a file system gives no room for less."""
HASH = re.compile(r"[0-9a-f]{64}")


class ArchiveStore:
    """Archives by hash, in a local folder (`file:///…`) or an object store (`s3://…`)."""

    def __init__(self, url: str) -> None:
        if url.startswith("file://"):
            Path(unquote(urlsplit(url).path)).mkdir(mode=0o700, parents=True, exist_ok=True)
        self._store = from_url(url)

    def put(self, archive: bytes) -> str:
        """Keep `archive` and return its hash; keeping the same one twice changes nothing.

        Raises:
            ArchiveUnwritableError: the store does not take it.
        """
        sha = content_hash(archive)
        self._put(f"{sha}.zip", archive)
        return sha

    def try_writing(self) -> None:
        """Write something that means nothing.

        Raises:
            ArchiveUnwritableError: the store does not take it.
        """
        self._put(PROBE, bytes(PROBE_BYTES))

    def _put(self, name: str, content: bytes) -> None:
        try:
            obstore.put(self._store, name, content)
        except (OSError, obstore.exceptions.BaseError) as error:
            told = str(error).partition("\n")[0]
            full = f"os error {errno.ENOSPC}" in told or f"os error {errno.EDQUOT}" in told
            raise ArchiveUnwritableError(f"the archive store takes nothing: {told}", full=full) from error

    def hashes(self) -> set[str]:
        """The hashes of all archives that are kept.

        Raises:
            ArchiveMissingError: the store cannot be read.
        """
        try:
            names = [PurePosixPath(each["path"]) for part in obstore.list(self._store) for each in part]
        except (OSError, obstore.exceptions.BaseError) as error:
            told = str(error).partition("\n")[0]
            raise ArchiveMissingError(f"the archive store cannot be read ({told})") from error
        return {name.stem for name in names if HASH.fullmatch(name.stem) and name.suffix == ".zip"}

    def get(self, sha: str) -> bytes:
        """The archive of that hash.

        Raises:
            ArchiveMissingError: there is none, or it is damaged.
        """
        try:
            archive = bytes(obstore.get(self._store, f"{sha}.zip").bytes())
        except (FileNotFoundError, obstore.exceptions.NotFoundError) as error:
            raise ArchiveMissingError(
                f"there is no archive {sha[:12]} in the store any more; put it back, or hand the bot in again"
            ) from error
        except (OSError, obstore.exceptions.BaseError) as error:
            why = str(error).splitlines()[0]
            raise ArchiveMissingError(f"the archive store cannot be read ({why})") from error
        if content_hash(archive) != sha:
            raise ArchiveMissingError(
                f"the archive {sha[:12]} is damaged in the store; put it back, or hand the bot in again"
            )
        return archive

    def remove(self, sha: str) -> None:
        """Keep the archive of that hash no longer; one that is not there is removed already.

        Raises:
            ArchiveUnwritableError: the store does not let it go.
        """
        try:
            obstore.delete(self._store, f"{sha}.zip")
        except (FileNotFoundError, obstore.exceptions.NotFoundError):
            return
        except (OSError, obstore.exceptions.BaseError) as error:
            told = str(error).partition("\n")[0]
            raise ArchiveUnwritableError(f"the archive store lets nothing go: {told}", full=False) from error
