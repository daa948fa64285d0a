"""Real processes on the clock: too late with their answer, with reading a question, or with getting ready."""

from __future__ import annotations

import pytest

from tests.unit.workers.conftest import QUICK, BotMaker, make_spec
from tests.unit.workers.play.test_referee import Scripted
from workers.core.contract import FaultCode, GameSpec, Limits, TimeControl
from workers.play import referee
from workers.play.match import play_match
from workers.play.session import Session
from workers.sandbox.confinement import Command
from workers.sandbox.levels import ByTrust


def test_a_bot_that_does_not_get_ready_loses(bot: BotMaker) -> None:
    """Its time for that is over when the match says so, and it is asked nothing."""
    session = Session(bot("get(); time.sleep(600)"), Limits(), ByTrust())
    spec = make_spec(time=TimeControl(startup_ms=300))
    result = referee.play(spec, (session, Scripted()))
    session.kill()
    assert (result.winner, result.reason) == (1, FaultCode.STARTUP)
    assert "was not ready after 0.3 s" in result.forfeits[0].detail


@pytest.mark.usefixtures("nothing_lost")
def test_a_late_answer_is_saved_by_an_extension_once(bot: BotMaker) -> None:
    """The first slow answer spends the extension and counts; the second loses on time."""
    session = Session(bot("ready(); serve(pause=0.4)"), Limits(), ByTrust())
    spec = make_spec(time=QUICK.model_copy(update={"extension_ms": 600_000}))
    result = referee.play(spec, (session, Scripted()))
    session.kill()
    assert (result.winner, result.reason) == (1, FaultCode.TIMEOUT)
    mine = [move for move in result.moves if move.seat == 0]
    assert [move.extension for move in mine] == [True]
    assert "300 ms were allowed, and none of its 1 extensions was left" in result.forfeits[0].detail
    assert result.seats[0].extensions_used == 1
    assert result.forfeits[0].clock_ns > 300_000_000


def test_a_request_that_is_never_read_is_a_timeout(bot: BotMaker, honest: Command) -> None:
    """A full pipe to a bot that does not read ends on the clock, not in a hang."""
    deaf = bot("import fcntl; fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096); ready(); time.sleep(600)")
    many_moves = GameSpec(name="heap_nim", params={"heaps": [500] * 10})
    result = play_match(make_spec(game=many_moves, time=QUICK), (deaf, honest))
    assert (result.winner, result.reason) == (1, FaultCode.TIMEOUT)
    assert result.forfeits[0].detail.startswith("did not read its input")


def test_taking_in_a_question_is_on_the_clock(bot: BotMaker, honest: Command) -> None:
    """A bot that thinks while half of its question still waits has no second time for its answer."""
    hesitant = bot(
        """
        import fcntl
        fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
        ready()
        half = os.read(0, 4096)
        time.sleep(0.2)
        m = json.loads(half + sys.stdin.buffer.readline())
        send(type="move", id=m["id"], move=m["legal"][0])
        """
    )
    many_moves = GameSpec(name="heap_nim", params={"heaps": [500] * 10})
    result = play_match(make_spec(game=many_moves), (hesitant, honest))
    assert result.moves[0].wall_ns >= 200_000_000
