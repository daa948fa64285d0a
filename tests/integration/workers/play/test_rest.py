"""What a bot does between its turns: it sleeps, or it is frozen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bots.protocol.messages import Answer
from tests.unit.workers.conftest import BotMaker
from tests.waiting import eventually
from workers.core.contract import Limits
from workers.play import session as session_module
from workers.play.clock import NS_PER_MS
from workers.play.player import Reply
from workers.play.session import Session
from workers.sandbox.confinement import Command
from workers.sandbox.probe import READS_STDIN
from workers.sandbox.process_group import ProcessGroup

pytestmark = pytest.mark.skipif(READS_STDIN is None, reason="nothing tells here what a process waits for")

PLENTY_NS = 60_000 * NS_PER_MS
ALARMED = """
import signal
def compute(*_):
    end = time.process_time() + 0.02
    while time.process_time() < end: pass
signal.signal(signal.SIGALRM, compute)
ready()
while (m := get())["type"] == "move":
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    send(type="move", id=m["id"], move="c1")
"""
THREADED = """
import threading
threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
ready()
serve()
"""
LATE = """
ready()
while (m := get())["type"] == "move":
    time.sleep(0.05)
    send(type="move", id=m["id"], move="c1")
"""


@contextmanager
def playing(command: Command) -> Iterator[Session]:
    """A session of a bot that has got ready."""
    session = Session(command, Limits(), ProcessGroup())
    try:
        session.begin({"type": "hello"})
        session.ready(60_000)
        yield session
    finally:
        session.kill()


def asked(session: Session, number: int = 1) -> Reply:
    """What comes of a question."""
    request: dict[str, Any] = {"type": "move", "id": number, "ply": 0, "legal": ["c1"], "history": []}
    return session.ask(request, PLENTY_NS)


def state(session: Session) -> str:
    """The kernel's letter for what the bot's process does."""
    return Path(f"/proc/{session._running.pid}/stat").read_text().rpartition(")")[2].split()[0]


def until_asleep(session: Session) -> None:
    """Ask until the bot has come to rest in time, for which it may not have had the processor at once."""
    eventually(lambda: asked(session).off_turn_ns >= 0 and session.rest.asleep)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_bot_that_sleeps_is_not_stopped(
    bot: BotMaker, monkeypatch: pytest.MonkeyPatch, *, compiled: bool
) -> None:
    """Between its turns it sleeps as it does by itself, and uses no processor time, whoever asks it."""
    if not compiled:
        monkeypatch.setattr(session_module, "exchange", lambda *_: None)
    with playing(bot("ready(); serve()")) as session:
        until_asleep(session)
        before = session._running.cpu_ns()
        assert state(session) == "S"
        assert session._running.cpu_ns() == before


def test_a_bot_with_a_second_thread_is_frozen(bot: BotMaker) -> None:
    """Where there is more than the thread that waits for a line, all of it is stopped."""
    with playing(bot(THREADED)) as session:
        assert isinstance(asked(session).outcome, Answer)
        eventually(lambda: state(session) == "T")


def test_a_long_turn_of_the_opponent_freezes_the_other(bot: BotMaker) -> None:
    """Who sleeps is frozen when the turn beside it gets long, and goes on when it is asked."""
    with playing(bot("ready(); serve()")) as sleeper, playing(bot(LATE)) as thinker:
        until_asleep(sleeper)
        thinker.beside = sleeper
        asked(thinker)
        eventually(lambda: state(sleeper) == "T")
        assert asked(sleeper).outcome == Answer("c1", None)


def test_a_bot_that_wakes_itself_pays_and_is_never_again_left_to_sleep(bot: BotMaker) -> None:
    """What an alarm let it compute is charged to its next turn, and from then on it is frozen at once."""
    with playing(bot(ALARMED)) as session:
        until_asleep(session)
        rested = session._running.cpu_ns() or 0
        eventually(lambda: (session._running.cpu_ns() or 0) >= rested + 20 * NS_PER_MS)
        assert asked(session).off_turn_ns >= 20 * NS_PER_MS
        eventually(lambda: state(session) == "T")
        assert asked(session).off_turn_ns < 20 * NS_PER_MS
        assert not session.rest.asleep
