"""Logs: bounded in size, readable from their end."""

from __future__ import annotations

from pathlib import Path

from arena.supervisor.logs import BoundedLog, follow, tail


def test_a_full_log_turns_over_and_old_ones_are_dropped(tmp_path: Path) -> None:
    """No file grows past the bound, and only so many old ones are kept."""
    log = BoundedLog(tmp_path / "a.log", max_bytes=10, kept=2)
    for number in range(5):
        log.write(f"line {number}\n".encode())
    log.close()
    found = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert found == {"a.log": "line 4\n", "a.log.1": "line 3\n", "a.log.2": "line 2\n"}


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
