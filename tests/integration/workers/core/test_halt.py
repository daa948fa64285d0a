"""Work that is broken off before its end, by whom and where."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.integration.workers.workshops import Bench, bench, require
from tests.unit.workers.conftest import BotMaker, make_spec
from workers.core.contract import Limits
from workers.core.errors import StoppedError, TimeUpError, UnwantedError
from workers.core.halt import Halt
from workers.host import stopping
from workers.host.cores import Cores
from workers.play.match import play_match
from workers.programs.tools import run_to_end
from workers.sandbox.confinement import Program
from workers.sandbox.levels import ByTrust

__all__ = ["bench"]

SOON_SECONDS = 500
"""Less than what is broken off would take."""


@pytest.fixture
def halt() -> Iterator[Halt]:
    """A halt that is given back."""
    with closing(Halt()) as made:
        yield made


def test_the_first_reason_stays(halt: Halt) -> None:
    """Nothing happens before it is called, and a second call changes nothing."""
    halt.check()
    halt.call(UnwantedError("nobody waits"))
    halt.call(StoppedError("stopped"))
    with pytest.raises(UnwantedError, match="nobody waits"):
        halt.check()


def test_a_moment_counts_within_its_block_only(halt: Halt) -> None:
    """After it nothing more is asked; before and outside everything goes on."""
    with halt.until(time.monotonic() + 3600):
        halt.check()
    with pytest.raises(TimeUpError), halt.until(time.monotonic() - 1):
        halt.check()
    halt.check()


@pytest.mark.parametrize(
    "code",
    [
        "ready(); get(); time.sleep(600)",
        "time.sleep(600)",
        "ready(); get(); os.close(1)\nwhile True: pass",
    ],
    ids=["answer", "ready", "end"],
)
def test_a_match_is_broken_off_while_a_bot_is_waited_for(bot: BotMaker, halt: Halt, code: str) -> None:
    """Called from another thread, it ends at once, and its bots with it."""
    command = bot(code)
    began = time.monotonic()
    timer = threading.Timer(0.5, halt.call, [UnwantedError("nobody waits")])
    timer.start()
    with pytest.raises(UnwantedError):
        play_match(make_spec(), (command, command), halt=halt)
    assert time.monotonic() - began < SOON_SECONDS
    timer.join()


def test_a_match_that_is_not_halted_is_played(bot: BotMaker, halt: Halt) -> None:
    """A halt that nobody calls changes nothing."""
    command = bot("ready(); serve()")
    with halt.until(time.monotonic() + 3600):
        assert play_match(make_spec(), (command, command), halt=halt).forfeits == ()


def test_a_build_is_broken_off(bench: Bench, halt: Halt) -> None:
    """A compiler is not waited for, and nothing of its work is kept."""
    require("python")
    halt.call(StoppedError("stopped"))
    program = Program(("/bin/sh", "-c", "sleep 600"))
    began = time.monotonic()
    with pytest.raises(StoppedError):
        run_to_end(ByTrust(), program, Limits(), 600, halt=halt)
    assert time.monotonic() - began < SOON_SECONDS
    require("c")
    sha = bench.put("bot.c", "int main(void) { return 0; }")
    with pytest.raises(StoppedError):
        bench.workshop.build(sha, halt)
    assert bench.workshop.build(sha).program


def test_a_match_that_waits_for_a_core_is_broken_off(tmp_path: Path, halt: Halt) -> None:
    """It has not begun, and leaves the core to others."""
    cores = Cores(tmp_path / "own", tmp_path / "shared", 1)
    with cores.reserved():
        halt.call(StoppedError("stopped"))
        with pytest.raises(StoppedError), cores.reserved(halt):
            pass


def test_a_cold_stop_reaches_what_is_in_hand_and_what_comes_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """Celery asks to cancel the request; the work is told so, and no other is begun."""
    monkeypatch.setattr(stopping, "_stop", stopping._Stop())
    request = stopping.Stoppable.__new__(stopping.Stoppable)
    with stopping.in_hand() as halt:
        halt.check()
        request.cancel(None)
        with pytest.raises(StoppedError, match="the worker was stopped"):
            halt.check()
    with stopping.in_hand() as later, pytest.raises(StoppedError):
        later.check()
