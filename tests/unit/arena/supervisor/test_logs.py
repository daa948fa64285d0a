"""Logs: bounded in size, readable from their end."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from arena.supervisor.logs import BoundedLog, follow, tail


def test_a_full_log_turns_over_and_old_ones_are_dropped(tmp_path: Path) -> None:
    """No file grows past the bound, and only so many old ones are kept."""
    log = BoundedLog(tmp_path / "a.log", max_bytes=10, kept=2)
    for number in range(5):
        log.write(f"line {number}\n".encode())
    log.close()
    found = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert found == {"a.log": "line 4\n", "a.log.1": "line 3\n", "a.log.2": "line 2\n"}


def test_a_log_that_somebody_has_removed_is_begun_anew(tmp_path: Path) -> None:
    """Where the file is gone as it turns over nothing fails, and what comes then is in a new one."""
    path = tmp_path / "a.log"
    log = BoundedLog(path, max_bytes=10)
    log.write(b"line 0\n")
    path.unlink()
    log.write(b"line 1\n")
    log.write(b"line 2\n")
    log.close()
    assert path.read_text() == "line 2\n"


def test_a_log_goes_on_once_there_is_room_for_a_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a full disk did not take as the log turned over is lost, and nothing of what comes later."""
    log = BoundedLog(tmp_path / "a.log", max_bytes=10)
    log.write(b"line 0\n")

    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", full)
        log.write(b"line 1\n")
    log.write(b"line 2\n")
    log.close()
    found = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert found == {"a.log": "line 2\n", "a.log.1": "line 0\n"}


def test_tail_reads_only_the_end(tmp_path: Path) -> None:
    """The last lines come back in order, whatever the length of the file."""
    path = tmp_path / "a.log"
    path.write_text("".join(f"line {number}\n" for number in range(50_000)))
    assert tail(path, 2) == ["line 49998", "line 49999"]
    assert tail(path, 0) == []
    assert tail(tmp_path / "none.log", 5) == []


def test_follow_yields_what_is_appended_and_survives_a_turn_over(tmp_path: Path) -> None:
    """Only new whole lines are told, and a fresh file is read from its beginning."""
    path = tmp_path / "a.log"
    path.write_text("old, and longer than what comes next\n")
    steps = iter([("a", "new\nhal"), ("w", "next\n")])

    def going_on() -> bool:
        mode, text = next(steps, ("", ""))
        if mode:
            with path.open(mode) as file:
                file.write(text)
        return bool(mode)

    assert list(follow({"a": path}, going_on)) == [("a", "new"), ("a", "next")]
