"""Where workers put the games that an experiment records in columns: a folder, or an object store.

Only players by name are recorded so. Their games follow from the spec, so that a part that is written twice
is the same twice, and needs no word about which attempt it came from.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import obstore
from obstore.store import from_url

from workers.core.errors import RecordingError, RecordingMissingError
from workers.simulation.parts import Parts

if TYPE_CHECKING:
    from obstore import GetResult

PIECE_BYTES = 1 << 20
NAME = re.compile(r"experiment-(\d+)/")


class RecordingStore:
    """The parts of experiments by their number and their first game.

    Raises:
        RecordingError: the folder cannot be made.
    """

    def __init__(self, url: str) -> None:
        try:
            if url.startswith("file://"):
                Path(unquote(urlsplit(url).path)).mkdir(mode=0o700, parents=True, exist_ok=True)
            self._store = from_url(url)
        except OSError as error:
            raise RecordingError(f"the store of recordings cannot be made ({error.strerror})") from None

    def put(self, experiment: int, start: int, part: Path) -> None:
        """Keep a part; one that is there already is replaced.

        Raises:
            RecordingError: the store does not take it.
        """
        self.put_named(_name(experiment, start), part)

    def put_named(self, name: str, part: Path) -> None:
        """The same of a part by its name in the store.

        Raises:
            RecordingError: the store does not take it.
        """
        try:
            obstore.put(self._store, name, part)
        except (OSError, obstore.exceptions.BaseError) as error:
            told = str(error).partition("\n")[0]
            raise RecordingError(f"the store of recordings takes nothing: {told}") from None

    def get(self, experiment: int, start: int) -> Iterator[bytes]:
        """A part in pieces; it is there once this returns.

        Raises:
            RecordingMissingError: it is not.
            RecordingError: it cannot be read, which can show in the midst of its pieces too.
        """
        return self.get_named(_name(experiment, start))

    def get_named(self, name: str) -> Iterator[bytes]:
        """The same of a part by its name in the store.

        Raises:
            RecordingMissingError: it is not there.
            RecordingError: it cannot be read.
        """
        with _giving():
            found = obstore.get(self._store, name)
        return _pieces(found)

    def remove(self, name: str) -> None:
        """Keep a part no longer, by its name; one that is not there is removed already.

        Raises:
            RecordingError: the store does not let it go.
        """
        try:
            obstore.delete(self._store, name)
        except (FileNotFoundError, obstore.exceptions.NotFoundError):
            return
        except (OSError, obstore.exceptions.BaseError) as error:
            told = str(error).partition("\n")[0]
            raise RecordingError(f"the store of recordings lets nothing go: {told}") from None

    @staticmethod
    def experiment_of(name: str) -> int | None:
        """The number of the experiment that a part is of."""
        found = NAME.match(name)
        return int(found[1]) if found else None

    def names(self) -> list[str]:
        """The names of all parts that are kept.

        Raises:
            RecordingError: the store cannot be read.
        """
        with _giving():
            return sorted(each["path"] for part in obstore.list(self._store) for each in part)


def _pieces(found: GetResult) -> Iterator[bytes]:
    with _giving():
        yield from (bytes(piece) for piece in found.stream(min_chunk_size=PIECE_BYTES))


@contextmanager
def _giving() -> Iterator[None]:
    """What fails in the block is the store's."""
    try:
        yield
    except (FileNotFoundError, obstore.exceptions.NotFoundError) as error:
        told = str(error).partition("\n")[0]
        raise RecordingMissingError(f"the store of recordings does not have the part: {told}") from None
    except (OSError, obstore.exceptions.BaseError) as error:
        told = str(error).partition("\n")[0]
        raise RecordingError(f"the store of recordings does not give the part: {told}") from None


def _name(experiment: int, start: int) -> str:
    return f"experiment-{experiment}/{Parts(Path()).path(start).name}"


def scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder for a part until the store has it."""
    return tempfile.TemporaryDirectory(prefix="arena-recording-")
