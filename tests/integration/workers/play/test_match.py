"""Replaying a recorded match to one bot alone."""

from __future__ import annotations

import json

import pytest

from bots.protocol.messages import Answer
from tests.unit.workers.conftest import BotMaker, make_spec
from workers.core.contract import FaultCode, MatchRecord
from workers.core.errors import LaunchError, SpecError
from workers.play.match import ReplayStartError, play_match, replay
from workers.play.player import Fault
from workers.sandbox.confinement import Command

ECHO = """
ready()
while True:
    m = get()
    if m["type"] == "end":
        break
    print(json.dumps(m), file=sys.stderr, flush=True)
    send(type="move", id=m["id"], move=m["legal"][0])
"""


def test_a_replay_sends_exactly_what_was_sent(bot: BotMaker, honest: Command) -> None:
    """Request for request, byte for byte, timing ledger included, the bot is fed what it saw in the match."""
    echo = bot(ECHO)
    spec = make_spec(opening=("c1",))
    result = play_match(spec, (honest, echo))
    steps = list(replay(MatchRecord(spec=spec, result=result), 1, echo))
    assert [step.recorded_move for step in steps] == [m.move for m in result.moves if m.seat == 1 and m.asked]
    assert [step.answer for step in steps] == [Answer(step.recorded_move, None) for step in steps]
    saw = result.seats[1].stderr_head.splitlines()
    assert [step.request for step in steps] == [json.loads(line) for line in saw]


def test_a_replay_goes_on_although_the_bot_now_answers_otherwise(bot: BotMaker, honest: Command) -> None:
    """A corrected bot is asked every recorded question, and `until` ends the replay at that ply."""
    spec = make_spec()
    result = play_match(spec, (honest, honest))
    last = bot(ECHO.replace('["legal"][0]', '["legal"][-1]'))
    record = MatchRecord(spec=spec, result=result)
    steps = list(replay(record, 0, last))
    assert len(steps) == result.seats[0].answers
    assert any(step.answer != Answer(step.recorded_move, None) for step in steps)
    assert [step.ply for step in replay(record, 0, last, until=4)] == [s.ply for s in steps if s.ply <= 4]


def test_a_replay_reaches_the_request_that_a_bot_failed_at(bot: BotMaker, honest: Command) -> None:
    """The last step of a lost match is the fault itself, with no recorded move beside it."""
    broken = bot("ready(); serve(2); get(); print('my last words', file=sys.stderr); sys.exit(5)")
    spec = make_spec()
    result = play_match(spec, (broken, honest))
    *_, last = replay(MatchRecord(spec=spec, result=result), 0, broken)
    assert last.ply == result.forfeits[0].ply
    assert last.recorded_move is None
    assert isinstance(last.answer, Fault)
    assert last.answer.code is FaultCode.CRASH
    assert last.stderr.head == "my last words\n"


def test_a_bot_that_does_not_start_cannot_be_replayed_to(bot: BotMaker, honest: Command) -> None:
    """What it said instead of ready is told."""
    spec = make_spec()
    record = MatchRecord(spec=spec, result=play_match(spec, (honest, honest)))
    with pytest.raises(ReplayStartError, match="exit status 9"):
        list(replay(record, 0, bot("sys.exit(9)")))


def test_a_command_that_does_not_exist_is_our_error(honest: Command) -> None:
    """Nobody loses because a program is missing on the host, and the other bot's process is ended."""
    with pytest.raises(LaunchError, match="cannot start /no/such/program"):
        play_match(make_spec(), (honest, ("/no/such/program",)))


def test_an_impossible_opening_leaves_no_process(honest: Command) -> None:
    """Processes already started are ended when the match turns out to be impossible."""
    with pytest.raises(SpecError, match="opening"):
        play_match(make_spec(opening=("a1",)), (honest, honest))
