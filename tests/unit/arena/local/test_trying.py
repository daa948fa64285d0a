"""What a bot that is tried out is played against, and when a folder counts as saved."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from arena.local.trying import levels, own_test, saves, spread
from engines.games import GAMES, find_game
from workers.core.contract import BotRef, GameSpec, MatchRecord, MatchResult, MatchSpec


def test_ten_games_meet_every_level() -> None:
    """The weakest come first, and none is left out where there are ten or fewer."""
    for name in GAMES:
        against = levels(find_game(name))
        chosen = spread(against, 10)
        assert len(chosen) == 10
        assert list(dict.fromkeys(chosen)) == against
        assert against[0] == "@random"


TOOLS = ("__pycache__/main.pyc", "target/main.js", "games.jsonl", "games.jsonl")
"""Files that nobody saves, the last one as games are recorded."""
RECORD = MatchRecord(
    spec=MatchSpec(match="1", game=GameSpec(name="heap_nim"), bots=(BotRef(name="a"), BotRef(name="b"))),
    result=MatchResult(match="1", winner=0, reason="empty", score=(1, 0)),
)


class _OverError(Exception):
    """Nothing is written any more."""


def test_a_game_whose_levels_all_play_from_tables_is_played_at_random(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As is one that names no levels, where its tables take long to be made."""
    for named in (("person:70", "perfect"), ()):
        row = replace(GAMES["circle_nim"], levels=named)
        monkeypatch.setattr("arena.local.trying.find_row", lambda _, row=row: row)
        assert levels(find_game("circle_nim", {"rows": 7})) == ["@random"]


def test_a_save_is_seen_once_it_is_over(tmp_path: Path) -> None:
    """At the beginning, and after a change that nothing follows; what tools write beside is no save."""
    (tmp_path / "main.py").write_text("1")
    steps = iter(["", "main.py", "main.py", "", *TOOLS, "", "board.py", ""])
    written: list[str] = []

    def pause() -> None:
        if (name := next(steps, None)) is None:
            raise _OverError
        if name:
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            with path.open("a") as file:
                file.write(f"{RECORD.model_dump_json()}\n" if path.suffix == ".jsonl" else "more")
            written.append(name)

    seen: list[str | None] = []
    with pytest.raises(_OverError):
        seen.extend(written[-1] if written else None for _ in saves(tmp_path, pause))
    assert seen == [None, "main.py", "board.py"]
    assert written.count("main.py") == 2


def test_a_folder_that_goes_while_it_is_looked_at_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when something is built anew."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "main.py").write_text("1")
    scandir = os.scandir

    def gone(path: str = ".") -> object:
        if Path(path).name == "lib":
            raise FileNotFoundError(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", gone)
    assert next(saves(tmp_path, lambda: None)) is None


def test_a_test_that_cannot_be_run_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is none, or its program is missing: neither is the bot's fault."""
    assert own_test(tmp_path, "static") == "it has no test of its own"
    assert own_test(tmp_path, "c") == "it has no test of its own (Makefile)"
    (tmp_path / "Makefile").write_text("test:\n")
    monkeypatch.setattr("arena.local.trying.shutil.which", lambda _: None)
    assert own_test(tmp_path, "c") == (
        "its own test is left out: `make test` needs make, which is not installed"
    )
