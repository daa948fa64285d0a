"""Conversations with processes that nothing confines, as on Windows: the same faults, the same games."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bots.protocol.messages import Ready
from bots.reference import command
from tests.integration.workers.play.test_session import lost
from tests.unit.workers.conftest import AMPLE, BotMaker, make_spec
from workers.core.contract import Limits
from workers.core.errors import HaltError, LaunchError, NoConfinementError, TimeUpError
from workers.core.halt import Halt
from workers.play import starting
from workers.play.match import play_match
from workers.play.plain_session import PlainSession
from workers.sandbox import tree
from workers.sandbox.confinement import Command, Program


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, environment: Callable[..., None]) -> None:
    """A system that cannot confine bots, on which somebody plays with `--unsafe`."""
    monkeypatch.setattr(starting, "CONFINES", False)
    environment(confinement="none")


def test_the_games_are_those_of_confined_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Move by move, with what the bots are called; and what one wrote to stderr is kept."""
    programs = Program(command("greedy"), trusted=True), Program(command("random"), trusted=True)
    here = play_match(make_spec(time=AMPLE), programs)
    monkeypatch.setattr(starting, "CONFINES", True)
    there = play_match(make_spec(time=AMPLE), programs)
    assert [move.move for move in here.moves] == [move.move for move in there.moves]
    assert [seat.bot_name for seat in here.seats] == [seat.bot_name for seat in there.seats]
    assert here.forfeits == there.forfeits == ()
    assert all(seat.cpu_ns == 0 for seat in here.seats)


def test_what_is_written_to_stderr_is_kept(bot: BotMaker, honest: Command) -> None:
    """Its beginning and its end, as evidence."""
    result = play_match(
        make_spec(), (bot("sys.stderr.write('a' * 50_000 + 'end')\nready(); serve()"), honest)
    )
    assert (result.seats[0].stderr_bytes, result.seats[0].stderr_tail[-3:]) == (50_003, "end")


def test_why_a_bot_crashed_is_kept_to_its_last_word(bot: BotMaker, honest: Command) -> None:
    """However much it wrote before, the end of its stderr is there once it is known to have ended."""
    wordy = bot(
        "ready(); get(); sys.stderr.write('a' * 500_000 + 'KeyError'); sys.stderr.flush(); sys.exit(1)"
    )
    for _ in range(5):
        assert lost(wordy, honest).stderr_tail.endswith("KeyError")


def test_strangers_are_not_started(environment: Callable[..., None], honest: Command) -> None:
    """But with `--unsafe`; reference bots need no sandbox."""
    environment(confinement="landlock")
    with pytest.raises(NoConfinementError, match="--unsafe"):
        play_match(make_spec(), (honest, honest))
    ours = Program(command("random"), trusted=True)
    assert play_match(make_spec(), (ours, ours)).forfeits == ()


def test_it_is_not_taken_for_what_another_bot_left(honest: Command) -> None:
    """When a confined bot of this process ends, what outlived its parents is killed, and nothing else."""
    session = PlainSession(Program(honest), Limits())
    session.begin({"type": "hello", "protocols": ["arena/1"]})
    tree.kill_orphans(min(map(tree.start_of, tree.leaders)))
    answer, _ = session.ready(60_000)
    session.kill()
    assert isinstance(answer, Ready)


def test_a_program_that_is_not_there_is_our_trouble(tmp_path: Path, honest: Command) -> None:
    """It cannot be started, and nobody loses for it."""
    with pytest.raises(LaunchError, match="cannot start"):
        play_match(make_spec(), ((str(tmp_path / "nothing"),), honest))


def test_a_match_is_broken_off(bot: BotMaker, honest: Command) -> None:
    """Between two questions, where its halt says so."""
    with closing(Halt()) as halt:
        halt.call(TimeUpError("enough"))
        with pytest.raises(HaltError, match="enough"):
            play_match(make_spec(), (bot("ready(); serve()"), honest), halt=halt)
