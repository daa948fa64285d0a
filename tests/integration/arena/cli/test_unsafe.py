"""Bots of local matches are confined unless `--unsafe` is given."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.arena.cli.conftest import AMPLE
from tests.unit.arena.cli.conftest import Run
from workers.core.settings import get_settings

CURIOUS = """
import json, os, sys
try:
    print("sees the host", bool(open("/etc/passwd").read()), file=sys.stderr)
except OSError:
    print("sees nothing", file=sys.stderr)
json.loads(input())
print('{"type": "ready", "protocol": "arena/1", "name": "curious", "version": "1"}', flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "move":
        print(json.dumps({"type": "move", "id": message["id"], "move": message["legal"][0]}), flush=True)
"""


@pytest.fixture
def restored() -> Iterator[None]:
    """The environment and the settings as they were, after the test."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)
    get_settings.cache_clear()


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize(("words", "seen"), [((), "sees nothing"), (("--unsafe",), "sees the host")])
def test_only_unsafe_bots_see_the_host(run: Run, tmp_path: Path, words: tuple[str, ...], seen: str) -> None:
    """The same bot, recorded in a match and asked again, with the option and without."""
    bot = tmp_path / "curious.py"
    bot.write_text(CURIOUS)
    record = tmp_path / "games.jsonl"
    match = ("match", "run", str(bot), "@random", "--game", "heap_nim", *AMPLE, "--record", str(record))
    assert run(*match, *words).code == 0
    assert seen in json.loads(record.read_text())["result"]["seats"][0]["stderr_head"]
    replayed = run("match", "replay", f"{record}#1", "--to", str(bot), "--seat", "0", "--json", *words)
    assert seen in replayed.json()["steps"][0]["stderr"]
