"""Which files a bot is shown, and from where."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from workers.core.errors import LaunchError
from workers.core.scratch import remove_tree
from workers.core.settings import WorkerSettings
from workers.sandbox import staging
from workers.sandbox.staging import View, moved, runnable, views

SHELL = Path("/bin/sh")
STRANGER = 64_000


def shown(tmp_path: Path, path: Path, uid: int | None = STRANGER) -> Path:
    """Where the path's contents are for that user."""
    folder = tmp_path / "copies"
    folder.mkdir(exist_ok=True)
    return next(view.source for view in views((SHELL, path), uid, folder) if view.path == path)


def test_what_everybody_can_read_is_not_copied() -> None:
    """The system's folders are not even named: every bot sees them."""
    seen = views((SHELL, Path("/usr/share/doc"), Path("/dev/null")), STRANGER, Path("/nowhere"))
    assert not [view for view in seen if view.path.is_relative_to("/usr") or view.path.is_relative_to("/dev")]


def test_what_a_bot_s_user_cannot_read_is_copied(tmp_path: Path) -> None:
    """Files and folders, with links as links: what they point to is not taken along."""
    bot = tmp_path / "bot"
    (bot / "deep").mkdir(parents=True)
    (bot / "deep" / "book").write_bytes(b"1")
    (bot / "run").write_bytes(b"2")
    (bot / "run").chmod(0o700)
    (bot / "secret").symlink_to("/etc/passwd")
    os.mkfifo(bot / "pipe")
    bot.chmod(0o700)
    copy = shown(tmp_path, bot)
    assert copy != bot
    assert (copy / "deep/book").read_bytes() == b"1"
    assert (copy / "deep/book").stat().st_mode & 0o777 == 0o644
    assert (copy / "run").stat().st_mode & 0o777 == 0o755
    assert (copy / "secret").readlink() == Path("/etc/passwd")
    assert not (copy / "pipe").exists()
    assert shown(tmp_path, bot, None) == bot


def test_what_is_too_big_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says how to make it readable instead."""
    monkeypatch.setattr(staging, "MAX_BYTES", 10)
    bot = tmp_path / "bot"
    bot.mkdir(mode=0o700)
    (bot / "book").write_bytes(bytes(11))
    with pytest.raises(LaunchError, match="readable for everybody"):
        shown(tmp_path, bot)


def test_words_of_a_command_follow_their_files() -> None:
    """Where files are found elsewhere, a command names them there; other words stay."""
    seen = [View(Path("/a/bot"), Path("/copies/0"))]
    words = ("/usr/bin/python3", "-S", "/a/bot/main.py", "/a/bottle", "a/bot")
    assert moved(words, seen) == ("/usr/bin/python3", "-S", "/copies/0/main.py", "/a/bottle", "a/bot")


def test_our_own_interpreter_stands_for_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where others cannot run ours they get the bots'; our own user keeps it, and other programs stay."""
    monkeypatch.setattr(staging, "_is_open", lambda _: False)
    elsewhere = WorkerSettings.model_construct(bot_python="/else/python3 -S")
    monkeypatch.setattr(staging, "get_settings", lambda: elsewhere)
    assert runnable((sys.executable, "bot.py"), None) == (sys.executable, "bot.py")
    assert runnable(("/bin/cat",), STRANGER) == ("/bin/cat",)
    assert runnable((sys.executable, "bot.py"), STRANGER) == ("/else/python3", "-S", "bot.py")
    monkeypatch.setattr(staging, "_is_open", lambda _: True)
    assert runnable((sys.executable, "bot.py"), STRANGER) == (sys.executable, "bot.py")


def test_trees_of_any_depth_and_mode_are_removed(tmp_path: Path) -> None:
    """Deeper than Python can follow, with names that are no text, and closed to their owner."""
    top = tmp_path / "top"
    top.mkdir()
    here = os.open(top, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.mkdir(b"\xff", mode=0, dir_fd=here)
    os.close(here)
    (top / "closed").mkdir(mode=0)
    remove_tree(top)
    remove_tree(top)
    assert not top.exists()
