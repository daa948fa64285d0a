"""Clocks that measure the bot and not its host: frozen between turns, standing still while others run."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest

from bots.protocol.messages import Answer
from tests.hogs import hogs
from tests.unit.workers.conftest import QUICK, BotMaker, make_spec
from tests.unit.workers.play.test_referee import Scripted
from workers.core.contract import (
    CpuContention,
    FaultCode,
    GameSpec,
    Limits,
    MatchRecord,
    MatchResult,
    Policy,
    TimeControl,
)
from workers.host.cores import Cores
from workers.play import referee
from workers.play.clock import NS_PER_MS, excused, patience_ns
from workers.play.match import play_fairly, play_match, replay
from workers.play.player import Fault, Reply
from workers.sandbox.confinement import Command, Confined, Startable
from workers.sandbox.process_group import ProcessGroup

THREE_PLIES = GameSpec(name="heap_nim", params={"heaps": [1, 1, 1]})
PONDERER = """
import threading

longest = last = 0

def ponder():
    global longest, last
    last = time.monotonic()
    while True:
        now = time.monotonic()
        longest, last = max(longest, now - last), now

ready()
threading.Thread(target=ponder, daemon=True).start()
while (m := get())["type"] == "move":
    asked = time.monotonic()
    while last <= asked:
        time.sleep(0.001)
    stood, longest = longest, 0
    send(type="move", id=m["id"], move=m["legal"][0], debug=str(stood))
"""
"""A thread of it never rests; it tells how long that thread stood still at most since the last answer."""
WORKER = """
ready()
while (m := get())["type"] == "move":
    end = time.process_time() + {seconds}
    while time.process_time() < end:
        pass
    send(type="move", id=m["id"], move=m["legal"][0])
"""


class Unfreezing(ProcessGroup):
    """A confinement that cannot freeze."""

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        process: Any = super().launch(program, limits, writable=writable)
        process.freeze = lambda: None
        return process  # type: ignore[no-any-return]  # it is the group's own, with one method replaced


def test_a_bot_does_not_compute_between_its_turns(bot: BotMaker) -> None:
    """A thread that never rests stands still for the whole second for which the other side thinks."""
    slow = bot("ready(); serve(pause=1)")
    result = play_match(make_spec(game=THREE_PLIES), (bot(PONDERER), slow))
    assert result.forfeits == ()
    assert float(result.moves[-1].debug or "") >= 1


def test_what_is_used_between_turns_is_charged(bot: BotMaker) -> None:
    """Where a bot cannot be stopped its clock runs by the processor time that it used meanwhile."""
    busy = bot(WORKER.format(seconds=0.5))
    result = play_match(make_spec(game=THREE_PLIES), (bot(PONDERER), busy), confinement=Unfreezing())
    last = result.moves[-1]
    assert last.off_turn_ns > 10 * NS_PER_MS
    assert last.charged_ns == last.wall_ns + last.off_turn_ns - last.strain.lost_ns
    assert result.seats[0].wall_ns == sum(move.charged_ns for move in result.moves if move.seat == 0)


def test_pondering_can_cost_the_match() -> None:
    """What was used between turns counts like time: first it costs the extension, then the match."""

    def pondered(request: Any) -> Reply:
        return Reply(Answer(request["legal"][0], None), NS_PER_MS, off_turn_ns=400 * NS_PER_MS)

    result = referee.play(make_spec(time=QUICK), (Scripted(pondered), Scripted()))
    assert [move.extension for move in result.moves if move.seat == 0] == [True]
    assert (result.winner, result.reason, result.void) == (1, FaultCode.TIMEOUT, False)
    assert "400 ms of processor time between its turns were charged" in result.forfeits[0].detail


def test_getting_ready_is_no_thinking_time(bot: BotMaker, honest: Command) -> None:
    """What a start takes is counted once: starts and answers together take no longer than the match."""
    late = bot("time.sleep(1); ready(); serve()")
    began = time.monotonic_ns()
    result = play_match(make_spec(game=THREE_PLIES), (late, honest))
    took = time.monotonic_ns() - began
    assert result.forfeits == ()
    assert result.seats[0].startup_ns > 1000 * NS_PER_MS
    assert sum(use.startup_ns + use.wall_ns for use in result.seats) <= took


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="needs Linux's counters")
def test_a_busy_host_costs_no_bot_its_match(bot: BotMaker, tmp_path: Path) -> None:
    """With three programs after every core a bot that needs less than half its time is not late.

    It is done after four times what it needs. In between there is room for what no host tells of.
    """
    half = bot(WORKER.format(seconds=1.5))
    control = TimeControl(move_ms=3500, extensions=0, startup_ms=60_000, grace_ms=500)
    spec = make_spec(game=THREE_PLIES, time=control, policy=Policy(max_plies=1))
    with hogs(os.sched_getaffinity(0), 3), Cores(tmp_path / "own", tmp_path / "cores").reserved():
        result = play_fairly(lambda: play_match(spec, (half, half)))
    assert result.forfeits == ()
    (move,) = result.moves
    assert move.charged_ns < 4000 * NS_PER_MS
    assert move.strain.lost_ns > 0


class SlowToBuild(ProcessGroup):
    """A host that takes 2 s to build a sandbox, and notes when each stood."""

    def __init__(self) -> None:
        super().__init__()
        self.stood_ns: list[int] = []

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        time.sleep(2)
        process = super().launch(program, limits, writable=writable)
        self.stood_ns.append(time.monotonic_ns())
        return process


def test_the_time_to_get_ready_begins_when_the_sandbox_stands(honest: Command) -> None:
    """What the host takes to build it is none of the bot's."""
    slow = SlowToBuild()
    result = play_match(make_spec(game=THREE_PLIES), (honest, honest), confinement=slow)
    assert result.forfeits == ()
    assert result.seats[1].startup_ns <= time.monotonic_ns() - slow.stood_ns[1]


def test_patience_and_excuses_have_bounds() -> None:
    """A clock stands still for at most fifteen times its allowance; a quarter of it lost is an excuse."""
    assert patience_ns(50, 100) == 50
    assert patience_ns(5000, 100) == 1500
    assert patience_ns(50, -100) == 0
    assert excused(25, 100)
    assert not excused(24, 100)


def late(lost_ms: int) -> Scripted:
    """A player that is late, on a host that kept it from running for so long."""
    reply = Reply(
        Fault(FaultCode.TIMEOUT, "sent no answer in time"),
        900 * NS_PER_MS,
        cpu_ns=7,
        strain=CpuContention(waited_ns=lost_ms * NS_PER_MS, lost_ns=lost_ms * NS_PER_MS),
    )
    return Scripted(lambda _: reply)


def test_an_overrun_that_the_host_explains_is_excused() -> None:
    """The result is void, with the evidence; without contention the same overrun is a plain forfeit."""
    void = referee.play(make_spec(time=QUICK), (late(250), Scripted()))
    assert void.void
    (forfeit,) = void.forfeits
    assert (forfeit.code, forfeit.excused, forfeit.cpu_ns) == (FaultCode.TIMEOUT, True, 7)
    assert forfeit.strain.lost_ns == 250 * NS_PER_MS
    assert "250 ms of it were lost to others" in forfeit.detail
    plain = referee.play(make_spec(time=QUICK), (late(0), Scripted()))
    assert not plain.void
    assert "lost to others" not in plain.forfeits[0].detail


def test_a_start_that_the_host_explains_is_excused() -> None:
    """A bot that was not ready in time on a busy host makes the match void too, with the evidence."""
    strain = CpuContention(waited_ns=9, lost_ns=8)
    greeting = Fault(FaultCode.STARTUP, "was not ready after 5 s", strain=strain, excused=True)
    result = referee.play(make_spec(), (Scripted(greeting=greeting), Scripted()))
    assert result.void
    assert result.forfeits[0].strain == strain


def test_a_void_match_is_played_once_more_and_no_more() -> None:
    """The second result counts, whatever it is, and tells of the first one's evidence."""
    results = iter([referee.play(make_spec(time=QUICK), (late(250), Scripted())) for _ in range(3)])
    result = play_fairly(lambda: next(results))
    assert result.void
    assert [forfeit.ply for forfeit in result.voided] == [0]
    assert len(list(results)) == 1
    plain = referee.play(make_spec(), (Scripted(), Scripted()))
    assert play_fairly(lambda: plain) is plain


def test_a_replay_shows_the_ledger_as_it_was_charged(honest: Command) -> None:
    """What was not charged in the match is not charged in its replay: every request is the same again."""

    def answer(request: Any) -> Reply:
        strain = CpuContention(lost_ns=400 * NS_PER_MS)
        return Reply(
            Answer(request["legal"][0], None), 500 * NS_PER_MS, off_turn_ns=20 * NS_PER_MS, strain=strain
        )

    player = Scripted(answer)
    spec = make_spec()
    result: MatchResult = referee.play(spec, (player, Scripted()))
    asked = [message for message in player.sent if message["type"] == "move"]
    assert [message["time"]["last_ms"] for message in asked[1:]] == [120] * (len(asked) - 1)
    steps = list(replay(MatchRecord(spec=spec, result=result), 0, honest))
    assert [step.request for step in steps] == asked


def test_last_words_tell_what_a_crashed_bot_had_used(bot: BotMaker, honest: Command) -> None:
    """The forfeit has the question, the clock and the processor time, although the process is gone."""
    code = WORKER.format(seconds=0.3).replace("    send(", "    sys.exit('lost my way')\n    send(")
    began = time.monotonic_ns()
    result = play_match(make_spec(game=THREE_PLIES), (bot(code), honest), confinement=ProcessGroup())
    took = time.monotonic_ns() - began
    (forfeit,) = result.forfeits
    assert forfeit.code == FaultCode.CRASH
    assert json.loads(forfeit.request)["id"] == forfeit.id
    assert forfeit.cpu_ns is not None
    assert 250 * NS_PER_MS < forfeit.cpu_ns <= took
    assert 250 * NS_PER_MS < forfeit.clock_ns <= took
    assert forfeit.stderr_tail.endswith("lost my way\n")


@pytest.mark.parametrize(
    ("code", "limits", "says"),
    [
        ("ready(); serve(pause=0.6)", Limits(wall_seconds=1), "took more than 1 s for its answers"),
        (WORKER.format(seconds=0.6), Limits(cpu_seconds=1), "processor time in one match|too much .*CPU"),
    ],
)
def test_a_whole_match_has_limits_too(
    bot: BotMaker, honest: Command, code: str, limits: Limits, says: str
) -> None:
    """Answers that are each in time take too long together, on the clock or in processor time."""
    result = play_match(make_spec(game=THREE_PLIES, limits=limits), (bot(code), honest))
    assert (result.winner, result.reason) == (1, FaultCode.RESOURCE)
    assert re.search(says, result.forfeits[0].detail)
