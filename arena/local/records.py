"""Record files: one match a line, as JSON. `FILE#3` is the third one.

A line is a `MatchRecord`, as `arena match run` writes it, or a `GameRecord`, as `arena simulate` does.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from pydantic import ValidationError

from arena.core.words import say, say_many
from arena.local.errors import InputError, LocalError
from arena.local.files import refuse_utf_16
from arena.local.held_file import append
from engines.games import find_game
from workers.core.contract import BotRef, MatchRecord, MatchResult, MatchSpec, MoveRecord
from workers.simulation.contract import GameRecord

RECORDS: Final = ".jsonl"
"""How the name of a record file usually ends."""
BEGINNING = b'{"spec":{"'
"""How the line of a match begins."""
GAME_BEGINNING = b'{"index":'
"""How the line of a game of a simulation begins."""


class RecordWriter:
    """Appends matches to a record file, each on disk before the next one is played.

    `mended` says what was done about an end that was cut off, if anything was.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or make it; an end that was cut off in the midst of a line is mended.

        Raises:
            InputError: the file cannot be written, or holds something else than records.
        """
        self.path = path
        try:
            self.lines, self.mended = _prepare(path) if path.is_file() else (0, "")
            self._file = path.open("ab", buffering=0)  # so that what failed is not written again at the end
        except OSError as error:
            raise InputError(
                say("{path} cannot be written: {strerror}", path=path, strerror=error.strerror)
            ) from None

    def append(self, record: MatchRecord) -> str:
        """Write one match; returns its name, `FILE#n`.

        Raises:
            LocalError: the disk does not take it.
        """
        with self._told():
            append(self._file.fileno(), (record.model_dump_json() + "\n").encode())
        self.lines += 1
        return f"{self.path}#{self.lines}"

    def close(self) -> None:
        """Close the file.

        Raises:
            LocalError: only now the disk tells that it did not take what was written.
        """
        with self._told():
            self._file.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise LocalError(
                say("{path} cannot be written: {strerror}", path=self.path, strerror=error.strerror)
            ) from None


def _prepare(path: Path) -> tuple[int, str]:
    """Make sure that the file holds records and ends with a whole line.

    Returns how many lines it has, and what became of one that was cut off.
    """
    with path.open("r+b") as file:
        lines = file.readlines()
        first = lines[0].removeprefix(BOM_UTF8) if lines else b""
        if lines and not (_is_record(first) or _is_begun(first)):
            raise InputError(
                say("{path} holds something else than match records; name another file", path=path)
            )
        if not lines or lines[-1].endswith(b"\n"):
            return len(lines), ""
        if _is_record(lines[-1]):
            file.write(b"\n")
            return len(lines), ""
        file.truncate(file.tell() - len(lines[-1]))
        return len(lines) - 1, say(
            "{path}#{count} was cut off in the midst of being written, and is removed",
            path=path,
            count=len(lines),
        )


def holds_records(path: Path) -> bool:
    """Whether a file begins with a match, so that records are appended to it.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return _is_record(file.readline().removeprefix(BOM_UTF8))


def _is_begun(line: bytes) -> bool:
    """Whether that is how a match begins, and was cut off."""
    return not line.endswith(b"\n") and _begins_as(line, BEGINNING)


def _begins_as(line: bytes, beginning: bytes) -> bool:
    return line.startswith(beginning) or beginning.startswith(line)


def _is_record(line: bytes) -> bool:
    try:
        MatchRecord.model_validate_json(line)
    except ValidationError:
        return False
    return True


class RecordName(NamedTuple):
    """What `FILE#n` names; `number` is None where only the file was named."""

    path: Path
    number: int | None

    def __str__(self) -> str:
        return str(self.path) if self.number is None else f"{self.path}#{self.number}"


def parse_name(text: str) -> RecordName:
    """The file and the number in `FILE` or `FILE#n`.

    Raises:
        InputError: there is no such file, or the number is not one.
    """
    path, mark, number = text.rpartition("#")
    if not mark or Path(text).exists():
        path, number = text, ""
    require_file(Path(path))
    if mark and path != text and (not number.isdecimal() or int(number) < 1):
        raise InputError(say("{it!r}: after # stands the number of a match, counted from 1", it=text))
    return RecordName(Path(path), int(number) if number else None)


def require_file(path: Path) -> None:
    """Refuse what is no file that could be a record.

    Raises:
        InputError: it is not there, is a folder or a device, or is in a folder that is closed to us.
    """
    try:
        there, plain = path.exists(), path.is_file()
    except OSError as error:
        raise InputError(
            say("{path} cannot be read: {strerror}", path=path, strerror=error.strerror)
        ) from None
    if not there:
        raise InputError(say("there is no record file {path}", path=path))
    if not plain:
        raise InputError(say("{path} is no plain file, and so no record", path=path))


AnyRecord = MatchRecord | GameRecord
"""A line of a record file: a match with its times, or a game of a simulation."""


def cut_off(path: Path) -> str:
    """What to say of a last line that was cut off in being written, and left out; empty if there is none.

    Raises:
        InputError: the file cannot be read.
    """
    with _opened(path) as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
        if file.read(1) in {b"", b"\n"}:
            return ""
        file.seek(0)
        ((number, last),) = deque(enumerate(file, start=1), maxlen=1)
    if not _is_torn(last.removeprefix(BOM_UTF8)):
        return ""
    return say("{path}#{number} was cut off in being written, and is left out", path=path, number=number)


def _is_torn(line: bytes) -> bool:
    """Whether a last line begins as a match or a game does, and is none."""
    if line.endswith(b"\n") or not any(_begins_as(line, each) for each in (BEGINNING, GAME_BEGINNING)):
        return False
    try:
        _model_of(line).model_validate_json(line)
    except ValidationError:
        return True
    return False


def read_records(path: Path) -> Iterator[AnyRecord]:
    """Every match or game of a file in order; `cut_off` tells of one that is left out.

    Raises:
        InputError: a line is none.
    """
    return (_read(path, number, line) for number, line in _lines(path))


def count_lines(path: Path) -> int:
    """How many matches or games a file has.

    Raises:
        InputError: it cannot be read.
    """
    return sum(1 for _ in _lines(path))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            if number == 1:
                refuse_utf_16(path, line)
            record = line.removeprefix(BOM_UTF8)
            if not _is_torn(record):
                yield number, record


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise InputError(
            say("{path} cannot be read: {strerror}", path=path, strerror=error.strerror)
        ) from None


def _model_of(line: bytes) -> type[AnyRecord]:
    return GameRecord if b'"simulation":' in line else MatchRecord


def _read(path: Path, number: int, line: bytes) -> AnyRecord:
    model = _model_of(line)
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        words = say("a game of a simulation") if model is GameRecord else say("a match record")
        where = ".".join(map(str, first["loc"])) or say("the line")
        raise InputError(
            say(
                "{path}#{number} is not {words}: {where}: {msg}",
                path=path,
                number=number,
                words=words,
                where=where,
                msg=first["msg"],
            )
        ) from None


def read_one(name: RecordName) -> MatchRecord:
    """The match of that name; without a number, the only one of the file.

    Raises:
        InputError: there is no such match, or more than one and no number.
    """
    count, wanted = 0, b""
    for count, line in _lines(name.path):
        if count == (name.number or 1):
            wanted = line
    if name.number is None and count != 1:
        raise InputError(
            say(
                "{path} holds {count}; name one, such as {path}#1",
                path=name.path,
                count=say_many("{number} match", "{number} matches", count),
            )
        )
    number = name.number or 1
    if number > count:
        raise InputError(
            say(
                "{path} holds {count}, there is no #{number}",
                path=name.path,
                count=say_many("{number} match", "{number} matches", count),
                number=number,
            )
        )
    record = _read(name.path, number, wanted)
    return as_match(record) if isinstance(record, GameRecord) else record


def names_of(record: AnyRecord) -> list[str]:
    """The names of the players in seat 0 and seat 1."""
    if isinstance(record, GameRecord):
        return [record.players[player] for player in record.seats]
    return [bot.name for bot in record.spec.bots]


def read_matches(path: Path) -> Iterator[tuple[str, MatchRecord]]:
    """Every match or game of a file in order as a match, with its name `FILE#n`.

    Raises:
        InputError: a line is none.
        GameError: there is no such game here, or a move is impossible by its rules.
    """
    for number, record in enumerate(read_records(path), start=1):
        yield f"{path.name}#{number}", as_match(record) if isinstance(record, GameRecord) else record


def moves_of(record: MatchRecord) -> tuple[str, ...]:
    """All moves of a match, its opening's too."""
    return tuple(move.move for move in record.result.moves)


def as_match(record: GameRecord) -> MatchRecord:
    """A game of a simulation as a match in which nothing took any time.

    Raises:
        GameError: there is no such game here, or a move is impossible by its rules.
    """
    game = find_game(record.game.name, record.game.params)
    one, other = names_of(record)
    match = f"game {record.index}"
    state, moves = game.initial(), []
    for ply, text in enumerate(record.moves):
        asked = ply >= record.opening_plies and game.forced_pass(state) is None
        moves.append(MoveRecord(ply=ply, seat=game.to_move(state), move=text, asked=asked))
        state = game.play(state, game.move_from_text(text))
    return MatchRecord(
        spec=MatchSpec(
            match=match,
            game=record.game,
            bots=(BotRef(name=one), BotRef(name=other)),
            opening=record.moves[: record.opening_plies],
            policy=record.policy,
        ),
        result=MatchResult(
            match=match, winner=record.winner, reason=record.reason, score=record.score, moves=tuple(moves)
        ),
    )
