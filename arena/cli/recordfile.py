"""Record files: one match a line, as JSON. `FILE#3` is the third one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from arena.cli.failures import CliError, UsageError
from arena.cli.output import note
from workers.contract import MatchRecord


class RecordWriter:
    """Appends matches to a record file, each on disk before the next one is played."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it; an end that was cut off in the midst of a line is mended.

        Raises:
            UsageError: the file cannot be written, or holds something else than records.
        """
        self.path = path
        try:
            self.lines = _prepare(path) if path.is_file() else 0
            self._file = path.open("a", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from None

    def append(self, record: MatchRecord) -> str:
        """Write one match; returns its name, `FILE#n`."""
        try:
            self._file.write(record.model_dump_json() + "\n")
            self._file.flush()
        except OSError as error:
            raise CliError(f"{self.path} cannot be written: {error.strerror}") from None
        self.lines += 1
        return f"{self.path}#{self.lines}"

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _prepare(path: Path) -> int:
    """Make sure that the file holds records and ends with a whole line; returns how many lines it has."""
    with path.open("r+b") as file:
        lines = file.readlines()
        if lines and not _is_record(lines[0]):
            raise UsageError(f"{path} holds something else than match records; name another file")
        if not lines or lines[-1].endswith(b"\n"):
            return len(lines)
        if _is_record(lines[-1]):
            file.write(b"\n")
            return len(lines)
        note(f"{path}#{len(lines)} was cut off in the midst of being written, and is removed")
        file.truncate(file.tell() - len(lines[-1]))
        return len(lines) - 1


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
        UsageError: there is no such file, or the number is not one.
    """
    path, mark, number = text.rpartition("#")
    if not mark or Path(text).exists():
        path, number = text, ""
    if not Path(path).is_file():
        raise UsageError(f"there is no record file {path}")
    if mark and path != text and (not number.isdecimal() or int(number) < 1):
        raise UsageError(f"{text!r}: after # stands the number of a match, counted from 1")
    return RecordName(Path(path), int(number) if number else None)


def read_records(path: Path) -> Iterator[MatchRecord]:
    """Every match of a file in order.

    Raises:
        UsageError: a line is not a match record.
    """
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                yield _read(path, number, line)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None


def _read(path: Path, number: int, line: str) -> MatchRecord:
    try:
        return MatchRecord.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the line"
        raise UsageError(f"{path}#{number} is not a match record: {where}: {first['msg']}") from None


def read_one(name: RecordName) -> MatchRecord:
    """The match of that name; without a number, the only one of the file.

    Raises:
        UsageError: there is no such match, or more than one and no number.
    """
    records = list(read_records(name.path))
    if name.number is None and len(records) != 1:
        raise UsageError(f"{name.path} holds {len(records)} matches; name one, such as {name.path}#1")
    number = name.number or 1
    if number > len(records):
        raise UsageError(f"{name.path} holds {len(records)} matches, there is no #{number}")
    return records[number - 1]
