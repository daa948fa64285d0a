"""Manual pages are made of the commands themselves, and readers of such pages take them without a word."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from arena.cli.app import GROUPS
from arena.cli.tree import commands
from deploy import man


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of them."""
    folder = tmp_path_factory.mktemp("man")
    man.write(folder)
    return folder


@pytest.mark.parametrize("language", ["", "zh_TW"])
def test_every_command_is_in_a_page(pages: Path, language: str) -> None:
    """One page of `arena` and one of each group, and in them every command with its example."""
    folder = pages / language / "man1"
    assert {path.stem for path in folder.iterdir()} == {"arena", *(f"arena-{name}" for name in GROUPS)}
    text = "".join(path.read_text(encoding="utf-8") for path in folder.iterdir())
    missing = [
        name for name, _ in commands() if name and name not in GROUPS and f'.SS "arena {name}"' not in text
    ]
    assert not missing
    assert "arena match run ./a ./b \\-n 100" in text
    assert ("Submit bots" in text, "交出機器人" in text.replace("\\:", "")) == (not language, bool(language))


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_no_page_is_warned_of(pages: Path) -> None:
    """Each is formatted without a warning."""
    for path in pages.rglob("*.1"):
        command = ["groff", "-K", "utf8", "-man", "-T", "utf8", "-ww", "-z", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), path
