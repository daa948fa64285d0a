"""Files of annotations, beside the record files whose games they are of: a game a line, as JSON.

A line is known by a digest of the game, so that it fits wherever that game stands in a record, whatever is
appended or exported anew; a game that was played twice has one line.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Final

from pydantic import Field, ValidationError

from arena.core.words import say
from arena.local.analysis import Analysed
from arena.local.errors import InputError, LocalError
from arena.local.records import RECORDS, moves_of
from engines.locking import try_lock
from workers.core.contract import Frozen, GameSpec, MatchRecord, MatchSpec

ANNOTATED: Final = ".annotated" + RECORDS
"""How the name of such a file ends, in the place of the record's ending."""
BEGINNING: Final = b'{"digest":"'
"""How a line begins."""


class Annotation(Frozen):
    """A line: a game by its rules and moves, of which the first `opening` were nobody's, and its analysis."""

    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    game: GameSpec
    opening: Annotated[int, Field(ge=0)]
    moves: tuple[str, ...]
    analysis: Analysed


class AnnotationFile:
    """An open file; `digests` are of the games that are in it. Each is in it before `add` returns."""

    def __init__(self, descriptor: int, path: Path) -> None:
        """Read what stands in the file, and cut off a last line that is torn.

        Raises:
            InputError: it holds something else.
        """
        self._descriptor = descriptor
        with os.fdopen(os.dup(descriptor), "rb") as file:
            self.digests, size = set[str](), 0
            for annotation, length in _read(path, enumerate(file, start=1)):
                self.digests.add(annotation.digest)
                size += length
        os.ftruncate(descriptor, size)
        os.lseek(descriptor, size, os.SEEK_SET)

    def add(self, annotation: Annotation) -> None:
        """Write a line.

        Raises:
            OSError: there is no room.
        """
        line = (annotation.model_dump_json() + "\n").encode()
        if os.write(self._descriptor, line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.digests.add(annotation.digest)


def beside(record: Path) -> Path:
    """Where the annotations of a record file are: `games.annotated.jsonl` beside `games.jsonl`."""
    return record.with_name(record.name.removesuffix(RECORDS) + ANNOTATED)


class KeptBeside:
    """What is kept beside a record file, if anything is; a game's line is read when it is asked for."""

    def __init__(self, record_file: Path) -> None:
        """Look where the lines are.

        Raises:
            InputError: the file cannot be read, or holds something else.
        """
        self._path, self._lines = beside(record_file), dict[str, tuple[int, int]]()
        if not self._path.is_file():
            return
        place = 0
        with _opened(self._path) as file:
            for number, line in enumerate(file, start=1):
                if not line.startswith(BEGINNING[: len(line)]):
                    raise _other(self._path, number)
                self._lines[line[len(BEGINNING) :].partition(b'"')[0].decode(errors="replace")] = (
                    number,
                    place,
                )
                place += len(line)

    def find(self, record: MatchRecord) -> Annotation | None:
        """The annotation of that match; None where there is none.

        Raises:
            InputError: its line is damaged.
        """
        number, place = self._lines.get(digest_of(record.spec, moves_of(record)), (0, 0))
        if not number:
            return None
        with _opened(self._path) as file:
            file.seek(place)
            return next((each for each, _ in _read(self._path, [(number, file.readline())])), None)


@contextmanager
def annotation_file(path: Path) -> Iterator[AnnotationFile]:
    """The file at `path` to be gone on with, made where there is none, and locked for the block.

    Raises:
        InputError: it cannot be written, or holds something else.
        LocalError: another process is at it.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise InputError(
            say("{path} cannot be written: {strerror}", path=path, strerror=error.strerror)
        ) from None
    try:
        if not try_lock(descriptor):
            raise LocalError(say("another process goes on with {path}", path=path))
        yield AnnotationFile(descriptor, path)
    finally:
        os.close(descriptor)


def read_annotations(path: Path) -> Iterator[Annotation]:
    """Every game of a file; a last line that is torn is left out.

    Raises:
        InputError: it cannot be read, or holds something else.
    """
    with _opened(path) as file:
        yield from (annotation for annotation, _ in _read(path, enumerate(file, start=1)))


def digest_of(spec: MatchSpec, moves: tuple[str, ...]) -> str:
    """The same for every game of these rules, moves and plies of an opening, and of no other."""
    told = json.dumps([spec.game.model_dump(mode="json"), len(spec.opening), moves], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise InputError(
            say("{file} cannot be read: {strerror}", file=path, strerror=error.strerror)
        ) from None


def _read(path: Path, lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[Annotation, int]]:
    """Each annotation with the bytes of its line, of numbered lines; a last one that is torn is left out."""
    for number, line in lines:
        if not line.endswith(b"\n"):
            if not line.startswith(BEGINNING[: len(line)]):
                raise _other(path, number)
            return
        try:
            annotation = Annotation.model_validate_json(line)
        except ValidationError:
            raise _other(path, number) from None
        yield annotation, len(line)


def _other(path: Path, number: int) -> InputError:
    return InputError(
        say(
            "line {number} of {path} is no annotation of a game; move the file away to begin anew",
            number=number,
            path=path,
        )
    )
