"""What worker hosts are told when they join."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from arena.core import settings
from arena.core.worker_environment import as_lines, check_told, read_environment
from workers.core.errors import SettingsError


def test_lines_are_variables_of_workers(tmp_path: Path) -> None:
    """Values are as they were written, signs of equality too; remarks and empty lines are none."""
    file = tmp_path / "worker.env"
    lines = (
        "# for all\n\nARENA_BROKER_URL=rediss://worker:a=b@h/0\nAWS_REGION=x\nOTEL_TRACES_SAMPLER=always_on\n"
    )
    file.write_text(lines)
    told = read_environment(file)
    assert told == {"ARENA_BROKER_URL": "rediss://worker:a=b@h/0", "AWS_REGION": "x"} | {
        "OTEL_TRACES_SAMPLER": "always_on"
    }


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read: No such file or directory"),
        ("ARENA_BROKER_URL\n", "line 1 is not NAME=VALUE"),
        ("\nexport A=b\n", "line 2 is not NAME=VALUE"),
        ("ARENA_DATABASE_URL=postgresql://h/x\n", "ARENA_DATABASE_URL is no setting"),
        ("ARENA_KEY_DIR=/tmp\n", "ARENA_KEY_DIR is no setting"),
        ("LD_PRELOAD=/tmp/x.so\n", "LD_PRELOAD is nothing that worker hosts are told"),
    ],
)
def test_other_files_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str | None, words: str
) -> None:
    """As the arena's processes start: it would give secrets away, or have hosts do what nobody meant."""
    file = tmp_path / "worker.env"
    if content is not None:
        file.write_text(content)
    monkeypatch.setenv("ARENA_WORKER_SETTINGS_FILE", str(file))
    with pytest.raises(SettingsError, match=words):
        settings.read()


def test_a_host_does_not_obey_in_everything() -> None:
    """Not even an arena can have it start programs of others, or write lines of its own into the file."""
    with pytest.raises(SettingsError, match="PATH is nothing"):
        check_told({"PATH": "/x"})
    with pytest.raises(SettingsError, match="cannot be written in a line"):
        check_told({"ARENA_BROKER_URL": "redis://h/0\nLD_PRELOAD=/tmp/x.so"})


def test_values_are_written_so_that_they_are_read_back() -> None:
    """Signs that mean something to systemd and to shells mean themselves."""
    value = "a \"b\" \\c $d `e` 'f' #g"
    (word,) = shlex.split(as_lines({"X": value}).replace("\\$", "$").replace("\\`", "`"))
    assert word == f"X={value}"
