"""Files of proofs: lines as they are, or compressed by gzip where the name ends with .gz."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from arena.core.words import say
from arena.local.errors import InputError
from arena.local.files import write_whole

COMPRESSED = ".gz"
GZIP = 16 + zlib.MAX_WBITS
LONGEST_LINE = 4096


def write_proof(path: Path, lines: Iterable[bytes], *, force: bool = False) -> int:
    """Write a file that appears only when all of it is there; how many bytes it has.

    Raises:
        InputError: it cannot be written, or is there already and nobody said with `force` to replace it.
    """
    return write_whole(path, _packed(lines) if path.suffix == COMPRESSED else lines, force=force)


def proof_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, each with its end, but cut where one is too long.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with gzip.open(path) if path.suffix == COMPRESSED else path.open("rb") as file:
            yield from iter(partial(file.readline, LONGEST_LINE), b"")
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(say("{path} cannot be read: {error}", path=path, error=why)) from None


def _packed(lines: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=GZIP)
    for each in lines:
        if packed := packer.compress(each):
            yield packed
    yield packer.flush()
