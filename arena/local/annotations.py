"""Files of annotations, beside the record files whose games they are of: a game a line, as JSON.

A line is known by a digest of the game, so that it fits wherever that game stands in a record, whatever is
appended or exported anew; a game that was played twice has one line, and one more for each other depth that
it was estimated to. Lines of another version of the judge are left where they are, and passed over.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Final, NamedTuple

from pydantic import Field, ValidationError

from arena.core.words import say
from arena.local.analysis import Analysed
from arena.local.errors import InputError
from arena.local.held_file import adding, append, cut_off, held_file
from arena.local.records import RECORDS, moves_of
from engines.solvers.judging import VERSION
from workers.core.contract import Frozen, GameSpec, MatchRecord, MatchSpec
from workers.play.estimating import Estimated, Sight

ANNOTATED: Final = ".annotated" + RECORDS
"""How the name of such a file ends, in the place of the record's ending."""
BEGINNING: Final = b'{"digest":"'
"""How a line begins."""
HEAD: Final = re.compile(
    rb'{"digest":"([0-9a-f]{64})",(?:"judge":([0-9]+),)?(?:"estimated":{"depth":([0-9]+),)?'
)
"""What a line tells before the rest is read: whose it is, of which version of the judge, and the depth."""


class Annotation(Frozen):
    """A line: a game by its rules and moves, of which the first `opening` were nobody's, and its analysis.

    `judge` is the version of what has found it out. `estimated` is None where nothing was to be estimated.
    """

    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    judge: int = VERSION
    estimated: Estimated | None = None
    game: GameSpec
    opening: Annotated[int, Field(ge=0)]
    moves: tuple[str, ...]
    analysis: Analysed


class AnnotationFile:
    """An open file. Each game is in it before `add` returns.

    `digests` are of the games that were in it when it was opened, and `outdated` is how many lines were
    passed over, as they are of another version of the judge.
    """

    def __init__(self, descriptor: int, path: Path) -> None:
        """Read what stands in the file, and cut off a last line that is torn.

        Raises:
            InputError: it holds something else.
        """
        self._descriptor, self._path = descriptor, path
        self._places = dict[str, tuple[int, int]]()
        self._estimated = set[tuple[str, Sight]]()
        self.outdated = size = 0
        with os.fdopen(os.dup(descriptor), "rb") as file:
            for annotation, length in _read(path, enumerate(file, start=1)):
                if annotation is None:
                    self.outdated += 1
                else:
                    self._places[annotation.digest] = size, length
                    if annotation.estimated:
                        self._estimated.add((annotation.digest, annotation.estimated.sight))
                size += length
        self.digests = frozenset(self._places)
        cut_off(descriptor, size)

    def has(self, digest: str, sight: Sight | None) -> bool:
        """Whether a game was there, estimated like that; None where nothing is to be estimated."""
        return digest in self.digests if sight is None else (digest, sight) in self._estimated

    def solved(self, digest: str) -> Analysed | None:
        """What exact solvers have found out of a game that was there, however it was estimated."""
        if digest not in self._places:
            return None
        place, length = self._places[digest]
        os.lseek(self._descriptor, place, os.SEEK_SET)
        line = os.read(self._descriptor, length)
        os.lseek(self._descriptor, 0, os.SEEK_END)
        return Annotation.model_validate_json(line).analysis

    def add(self, annotation: Annotation) -> None:
        """Write a line.

        Raises:
            UnwritableError: the disk does not take it.
        """
        with adding(self._path):
            append(self._descriptor, (annotation.model_dump_json() + "\n").encode())


def beside(record: Path) -> Path:
    """Where the annotations of a record file are: `games.annotated.jsonl` beside `games.jsonl`."""
    return record.with_name(record.name.removesuffix(RECORDS) + ANNOTATED)


class KeptBeside:
    """What is kept beside a record file, if anything is; a game's line is read when it is asked for.

    Of a game that was estimated to several depths it is the line of the greatest.

    `told` is called with what is wrong with the file: who shows games goes on without what cannot be read.
    """

    def __init__(self, record_file: Path, told: Callable[[str], object]) -> None:
        """Look where the lines are."""
        self._path, self._lines = beside(record_file), dict[str, tuple[int, int]]()
        self._told = told
        if self._path.is_file():
            try:
                self._lines = _places(self._path)
            except InputError as error:
                told(str(error))

    def find(self, record: MatchRecord) -> Annotation | None:
        """The annotation of that match; None where there is none that can be read."""
        digest = digest_of(record.spec, moves_of(record))
        number, place = self._lines.get(digest, (0, 0))
        if not number:
            return None
        try:
            with _opened(self._path) as file:
                file.seek(place)
                return next((each for each, _ in _read(self._path, [(number, file.readline())])), None)
        except InputError as error:
            del self._lines[digest]
            self._told(str(error))
            return None


def _places(path: Path) -> dict[str, tuple[int, int]]:
    """The number and place of each game's line, the last one of the greatest depth."""
    lines, depths, place = dict[str, tuple[int, int]](), dict[str, int](), 0
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            head = _head(path, number, line)
            if head and head.judge == VERSION and head.depth >= depths.get(head.digest, 0):
                lines[head.digest], depths[head.digest] = (number, place), head.depth
            place += len(line)
    return lines


@contextmanager
def annotation_file(path: Path) -> Iterator[AnnotationFile]:
    """The file at `path` to be gone on with, made where there is none, and locked for the block.

    Raises:
        InputError: it cannot be written, or holds something else.
        LocalError: another process is at it.
    """
    with held_file(path) as descriptor:
        yield AnnotationFile(descriptor, path)


def read_annotations(path: Path) -> Iterator[Annotation]:
    """Every game of a file; lines of other versions, and a last one that is torn, are left out.

    Raises:
        InputError: it cannot be read, or holds something else.
    """
    with _opened(path) as file:
        yield from (annotation for annotation, _ in _read(path, enumerate(file, start=1)) if annotation)


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


def _read(path: Path, lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[Annotation | None, int]]:
    """Each annotation with the bytes of its line, of numbered lines; a last one that is torn is left out.

    None stands for that of another version.
    """
    for number, line in lines:
        head = _head(path, number, line)
        if head is None:
            return
        annotation = None
        if head.judge == VERSION:
            try:
                annotation = Annotation.model_validate_json(line)
            except ValidationError:
                raise _other(path, number) from None
        yield annotation, len(line)


class _Head(NamedTuple):
    """Which game a line is of, of which version of the judge, and to which depth; 0 where it tells none."""

    digest: str
    judge: int
    depth: int


def _head(path: Path, number: int, line: bytes) -> _Head | None:
    """What a line begins with; None of one that is torn.

    Raises:
        InputError: it is something else.
    """
    if not line.endswith(b"\n"):
        if not line.startswith(BEGINNING[: len(line)]):
            raise _other(path, number)
        return None
    found = HEAD.match(line)
    if found is None:
        raise _other(path, number)
    return _Head(found[1].decode(), int(found[2] or 0), int(found[3] or 0))


def _other(path: Path, number: int) -> InputError:
    return InputError(
        say(
            "line {number} of {path} is no annotation of a game; move the file away to begin anew",
            number=number,
            path=path,
        )
    )
