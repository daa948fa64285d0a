"""Bots for the tests of the workers: short scripts, each with one way to behave."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from workers.core.contract import NO_CPU_CONTENTION, BotRef, GameSpec, MatchSpec, TimeControl
from workers.core.settings import get_settings
from workers.play import meter
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


AMPLE = TimeControl(move_ms=600_000, extensions=0, startup_ms=600_000)
"""For bots that are not after the clock: no host is so busy that one of them is late."""
QUICK = TimeControl(move_ms=300, extensions=1, extension_ms=600, startup_ms=60_000, grace_ms=50)
"""For players that are to be late; a process that is not to be may be so too, on a busy host."""

SMALL_BOARD = GameSpec(name="reversed_reversi", params={"size": 4})


def make_spec(**changes: object) -> MatchSpec:
    """A match on a small board, for which there is time enough."""
    fields: dict[str, object] = {
        "match": "test",
        "game": SMALL_BOARD,
        "bots": (BotRef(name="first"), BotRef(name="second")),
        "seeds": (11, 12),
        "time": AMPLE,
    }
    return MatchSpec.model_validate(fields | changes)


@pytest.fixture
def nothing_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a host where whoever wants a processor has one at once: who is late there has no excuse.

    On any other a bot that sleeps too long is saved, or excused, by what it, or the referee, then waits for a
    processor, and on a virtual machine by what is stolen from the processors, which counts for every bot.
    """
    monkeypatch.setattr(meter, "strain", lambda *_, **__: NO_CPU_CONTENTION)
