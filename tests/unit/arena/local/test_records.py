"""Record files that were cut off, and files that are none."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from unittest.mock import Mock

import pytest

from arena.local.errors import InputError, LocalError
from arena.local.records import BEGINNING, RecordWriter, count_lines, cut_off, parse_name, read_records
from workers.core.contract import BotRef, GameSpec, MatchRecord, MatchResult, MatchSpec
from workers.simulation.contract import GameRecord

RECORD = MatchRecord(
    spec=MatchSpec(
        match="game-1",
        game=GameSpec(name="heap_nim", params={}, version=1),
        bots=(BotRef(name="one"), BotRef(name="other")),
    ),
    result=MatchResult(match="game-1", winner=0, reason="last_object", score=(1, 0), moves=()),
)

GAME = GameRecord(
    index=0,
    seats=(0, 1),
    winner=0,
    reason="last_object",
    score=(1, 0),
    plies=0,
    moves=(),
    game=RECORD.spec.game,
    policy=RECORD.spec.policy,
    opening_plies=0,
    players=("one", "other"),
    simulation="0" * 64,
)


@pytest.mark.parametrize("length", [1, len(BEGINNING), 100])
def test_a_first_record_that_was_cut_off_is_removed(tmp_path: Path, length: int) -> None:
    """What is left of a series that was killed in its first game is no reason to refuse the file."""
    path = tmp_path / "r.jsonl"
    path.write_text(RECORD.model_dump_json()[:length])
    writer = RecordWriter(path)
    assert writer.mended.startswith(f"{path}#1 was cut off")
    assert writer.append(RECORD) == f"{path}#1"
    writer.close()
    assert path.read_text() == RECORD.model_dump_json() + "\n"


@pytest.mark.parametrize("text", ["a letter", '{"spec":{"\n', '{"special": 1}', '{"spec":[]}\n{"spec":{"'])
def test_what_is_no_record_is_left_alone(tmp_path: Path, text: str) -> None:
    """A file that only looks a little like one is refused, and stays as it is."""
    path = tmp_path / "r.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match="holds something else"):
        RecordWriter(path)
    assert path.read_text() == text


@pytest.mark.parametrize("line", [RECORD.model_dump_json(), GAME.model_dump_json()])
@pytest.mark.parametrize(("length", "more"), [(1, b""), (30, b"\xe6"), (-3, b"")])
def test_a_last_record_that_was_cut_off_is_left_out(
    tmp_path: Path, line: str, length: int, more: bytes
) -> None:
    """Those before it are read, also where it ends within a letter; only a line's end may lack."""
    path = tmp_path / "r.jsonl"
    path.write_bytes(f"{line}\n{line}\n".encode() + line.encode()[:length] + more)
    assert cut_off(path) == f"{path}#3 was cut off in being written, and is left out"
    assert [record.model_dump_json() for record in read_records(path)] == [line, line]
    assert count_lines(path) == 2
    path.write_text(f"{line}\n{line}")
    assert (cut_off(path), count_lines(path)) == ("", 2)


def test_a_record_of_windows_is_read_or_told_what_it_is(tmp_path: Path) -> None:
    """A mark before UTF-8 is no part of the first match, also for who adds one; UTF-16 is refused as such."""
    path = tmp_path / "r.jsonl"
    path.write_text(RECORD.model_dump_json() + "\n", encoding="utf-8-sig")
    writer = RecordWriter(path)
    writer.append(RECORD)
    writer.close()
    assert list(read_records(path)) == [RECORD, RECORD]
    path.write_text(RECORD.model_dump_json() + "\n", encoding="utf-16")
    with pytest.raises(InputError, match=r"r\.jsonl is not UTF-8 \(PowerShell's > writes UTF-16"):
        list(read_records(path))


@pytest.mark.parametrize("text", ["a letter", '{"spec":{}}', '{"spec":{"\n{"spec":{}}\n'])
def test_what_was_not_cut_off_is_refused(tmp_path: Path, text: str) -> None:
    """A last line that begins like no record, and any line with an end, is told with its number."""
    path = tmp_path / "r.jsonl"
    path.write_text(text)
    assert cut_off(path) == ""
    with pytest.raises(InputError, match=r"r\.jsonl#1 is not a match record"):
        list(read_records(path))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is always full here")
def test_a_full_disk_is_told_once() -> None:
    """A match that has no room is refused with the file's name, and closing it then fails by nothing."""
    writer = RecordWriter(Path("/dev/full"))
    with pytest.raises(LocalError, match="/dev/full cannot be written: No space left"):
        writer.append(RECORD)
    writer.close()


def test_a_disk_that_fails_at_the_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a disk takes and loses, which closing is the first to notice, is no raw error."""
    writer = RecordWriter(tmp_path / "r.jsonl")
    writer._file.close()
    broken = Mock(close=Mock(side_effect=OSError(errno.EIO, "Input/output error")))
    monkeypatch.setattr(writer, "_file", broken)
    with pytest.raises(LocalError, match=r"r\.jsonl cannot be written: Input/output error"):
        writer.close()


def test_what_can_be_no_record_is_refused_for_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing, a folder, a device, and a file in a folder that is closed, each named once."""
    for name, says in (
        (f"{tmp_path}/no.jsonl", "there is no record file"),
        (str(tmp_path), "is no plain file"),
        (os.devnull, "is no plain file"),
    ):
        with pytest.raises(InputError, match=says):
            parse_name(name)
    closed = PermissionError(errno.EACCES, "Permission denied", "locked/g.jsonl")
    monkeypatch.setattr(Path, "exists", Mock(side_effect=closed))
    with pytest.raises(InputError) as refused:
        parse_name("locked/g.jsonl")
    assert str(refused.value) == "locked/g.jsonl cannot be read: Permission denied"
