"""Bots for the tests of the workers: short scripts, each with one way to behave."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from workers.core.contract import BotRef, GameSpec, MatchSpec, TimeControl
from workers.core.settings import get_settings
from workers.play import pressure
from workers.sandbox.confinement import Command

PRELUDE = """
import json, os, signal, sys, time

def send(**message):
    print(json.dumps(message), flush=True)

def get():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)

def ready(**more):
    get()
    send(type="ready", protocol="arena/1", name="test", version="1", **more)

def serve(limit=None, pause=0):
    answered = 0
    while limit is None or answered < limit:
        message = get()
        if message["type"] == "end":
            sys.exit(0)
        time.sleep(pause)
        send(type="move", id=message["id"], move=message["legal"][0])
        answered += 1
"""

BotMaker = Callable[[str], Command]


@pytest.fixture
def bot(tmp_path: Path) -> BotMaker:
    """Turns the text of a script into the command that runs it."""

    def make(code: str) -> Command:
        path = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        path.write_text(PRELUDE + textwrap.dedent(code))
        return (*shlex.split(get_settings().bot_python), str(path))

    return make


@pytest.fixture
def honest(bot: BotMaker) -> Command:
    """A bot that plays the first legal move."""
    return bot("ready(); serve()")


QUICK = TimeControl(move_ms=300, extensions=1, extension_ms=600, startup_ms=60_000, grace_ms=50)


SMALL_BOARD = GameSpec(name="reversed_reversi", params={"size": 4})


def make_spec(**changes: object) -> MatchSpec:
    """A match on a small board with short times."""
    fields: dict[str, object] = {
        "match": "test",
        "game": SMALL_BOARD,
        "bots": (BotRef(name="first"), BotRef(name="second")),
        "seeds": (11, 12),
        "time": QUICK,
    }
    return MatchSpec.model_validate(fields | changes)


@pytest.fixture
def nothing_stolen(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a host that is no virtual machine, where a bot that sleeps loses nothing to others.

    What is stolen from the processors counts for every bot, as nobody knows whose it was: enough of it saves
    a bot that sleeps too long, or excuses it.
    """
    real = pressure._processors

    def processors(cores: frozenset[int]) -> tuple[int | None, int | None]:
        return real(cores)[0], 0

    monkeypatch.setattr(pressure, "_processors", processors)
