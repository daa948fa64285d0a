"""Processes of reusable bots that wait for their next match."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.unit.workers.conftest import BotMaker, make_spec
from tests.waiting import Clock, eventually
from workers.core.contract import BotRef, GameSpec, Limits, MatchSpec
from workers.core.errors import LaunchError, StoppedError
from workers.core.halt import Halt
from workers.play import session as session_module
from workers.play.clock import NS_PER_MS
from workers.play.kept import Room, SessionPool
from workers.play.match import play_match
from workers.sandbox import tree
from workers.sandbox.confinement import Command, Confined, Startable
from workers.sandbox.process_group import ProcessGroup

SHORTEST = GameSpec(name="heap_nim", params={"heaps": [1, 1, 1]})
SERVE = """
def serve_again():
    while (m := get())["type"] == "move":
        send(type="move", id=m["id"], move=m["legal"][0])
"""
AGAIN = f"{SERVE}\nwhile True:\n    ready(reusable=True)\n    serve_again()\n"
HANGS_UP = """
ready(reusable=True)
m = get()
send(type="move", id=m["id"], move=m["legal"][0])
os.close(1)
get()
while True: pass
"""
ROOM = Room(sessions=4, memory_mb=1000, seconds=60)
SEVERAL = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")


def spec(first: str = "a", second: str = "b") -> MatchSpec:
    """A short match between two bots of these names."""
    return make_spec(game=SHORTEST, bots=(BotRef(name=first), BotRef(name=second)))


def running(program: Command) -> set[int]:
    """The processes of that program."""
    return {p.pid for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == list(program)}


@pytest.fixture
def clock() -> Clock:
    """The clock of a pool."""
    return Clock()


@pytest.fixture
def pool(clock: Clock) -> Iterator[SessionPool]:
    """A pool with room for four."""
    pool = SessionPool(room=ROOM, monotonic=clock)
    yield pool
    pool.close()


def test_the_same_bot_goes_on_and_another_owners_does_not(bot: BotMaker, pool: SessionPool) -> None:
    """Of one program two bots never share a process, whoever's they are."""
    program = bot(AGAIN)
    play_match(spec(), (program, program), pool=pool)
    first = running(program)
    play_match(spec(), (program, program), pool=pool)
    assert running(program) == first
    assert len(first) == 2
    play_match(spec("c", "d"), (program, program), pool=pool)
    assert len(running(program)) == 4
    assert running(program) > first


def test_a_process_plays_on_in_the_game_that_it_began_with(bot: BotMaker, pool: SessionPool) -> None:
    """What it has learned of one game is no danger to it in another one."""
    program = bot(AGAIN)
    play_match(spec(), (program, program), pool=pool)
    first = running(program)
    other = spec().model_copy(update={"game": GameSpec(name="heap_nim", params={"heaps": [2, 1, 1]})})
    assert play_match(other, (program, program), pool=pool).forfeits == ()
    assert len(running(program)) == 4
    assert running(program) > first


def test_where_there_is_no_room_the_newcomers_are_ended(bot: BotMaker) -> None:
    """Who waits already is not ended for them."""
    program, pool = bot(AGAIN), SessionPool(room=ROOM._replace(sessions=2))
    play_match(spec(), (program, program), pool=pool)
    first = running(program)
    play_match(spec("c", "d"), (program, program), pool=pool)
    kept = running(program)
    pool.close()
    assert kept == first
    assert len(first) == 2


def test_what_has_been_idle_for_too_long_is_ended(bot: BotMaker, pool: SessionPool, clock: Clock) -> None:
    """A pool is tidied by the clock."""
    program = bot(AGAIN)
    play_match(spec(), (program, program), pool=pool)
    clock.now = ROOM.seconds
    pool.tidy()
    assert len(running(program)) == 2
    clock.now += 1
    pool.tidy()
    assert running(program) == set()


def test_memory_of_idle_bots_is_bounded(bot: BotMaker) -> None:
    """Who would take more than is left for all of them is not kept."""
    hungry, modest = bot("hoard = b'x' * 50_000_000\n" + AGAIN), bot(AGAIN)
    pool = SessionPool(room=Room(sessions=9, memory_mb=100, seconds=60))
    play_match(spec(), (hungry, modest), pool=pool)
    play_match(spec("c", "d"), (hungry, modest), pool=pool)
    kept = len(running(hungry)), len(running(modest))
    pool.close()
    assert kept == (1, 2)


@pytest.mark.parametrize(
    ("what", "code"),
    [
        (
            "has a child",
            f"{SERVE}\nif not os.fork(): time.sleep(600)\nready(reusable=True)\nserve_again()\nget()",
        ),
        (
            "writes more than it was asked for",
            """
            ready(reusable=True)
            m = get()
            answer = json.dumps({"type": "move", "id": m["id"], "move": m["legal"][0]})
            print(answer + "\\n" + "more", flush=True)
            m = get()
            send(type="move", id=m["id"], move=m["legal"][0])
            get()
            """,
        ),
        ("says it is not reusable", "ready(reusable=False)\nserve()"),
    ],
)
def test_who_leaves_something_open_is_not_kept(
    bot: BotMaker, honest: Command, pool: SessionPool, what: str, code: str
) -> None:
    """Whatever a bot has going on besides what it was asked, its process ends with its match."""
    program = bot(code)
    play_match(spec(), (honest, program), pool=pool)
    assert running(program) == set(), what


def test_each_match_of_a_kept_process_has_a_halt_of_its_own(bot: BotMaker, pool: SessionPool) -> None:
    """A match is broken off by its own halt, and not by that of the one before, which is closed."""
    program = bot(AGAIN)
    before = Halt()
    play_match(spec(), (program, program), pool=pool, halt=before)
    before.call(StoppedError("the one before"))
    before.close()
    now = Halt()
    assert play_match(spec(), (program, program), pool=pool, halt=now).forfeits == ()
    now.call(StoppedError("this one"))
    with pytest.raises(StoppedError, match="this one"):
        play_match(spec(), (program, program), pool=pool, halt=now)
    assert running(program) == set()
    now.close()


def test_how_a_bot_ends_that_hung_up_after_its_answer_is_not_waited_for(
    bot: BotMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not let go on until it ends, which could take as long as it likes: it is ended."""
    waited_for: list[object] = []
    monkeypatch.setattr(session_module, "status_of", lambda *of: waited_for.append(of))
    pool, program = SessionPool(ProcessGroup()), bot(HANGS_UP)
    session = pool.take(program, Limits())
    session.begin({"type": "hello"})
    session.ready(600_000)
    session.ask({"type": "move", "id": 1, "ply": 0, "legal": ["c1"], "history": []}, 600_000 * NS_PER_MS)
    session._running.thaw()
    pipe = select.poll()
    pipe.register(session._running.stdout, 0)
    eventually(lambda: pipe.poll(0))
    session.end({"type": "end"})
    pool.release(program, Limits(), session)
    assert waited_for == []
    assert running(program) == set()
    assert pool._idle == []


def test_a_process_that_ended_while_it_was_idle_costs_its_bot_nothing(
    bot: BotMaker, pool: SessionPool
) -> None:
    """Whatever ended it, the next match gets a new one."""
    program = bot(AGAIN)
    play_match(spec(), (program, program), pool=pool)
    ended = running(program)
    for pid in ended:
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: not running(program))
    result = play_match(spec(), (program, program), pool=pool)
    assert result.forfeits == ()
    assert len(running(program)) == 2


@SEVERAL
@pytest.mark.parametrize("movable", [True, False])
def test_a_kept_process_plays_on_the_core_of_its_match_or_not_at_all(
    bot: BotMaker, pool: SessionPool, monkeypatch: pytest.MonkeyPatch, *, movable: bool
) -> None:
    """It is put there, and its lost time judged by that core; where nobody may do so there is a new one."""
    before, keep = os.sched_getaffinity(0), os.sched_setaffinity
    one, other = sorted(before)[:2]

    def refuse(pid: int, cores: set[int]) -> None:
        if pid:
            raise PermissionError("no CAP_SYS_NICE")
        keep(pid, cores)

    program = bot(AGAIN)
    try:
        os.sched_setaffinity(0, {one})
        play_match(spec(), (program, program), pool=pool)
        first = running(program)
        os.sched_setaffinity(0, {other})
        if not movable:
            monkeypatch.setattr(os, "sched_setaffinity", refuse)
        assert play_match(spec(), (program, program), pool=pool).forfeits == ()
    finally:
        keep(0, before)
    assert (running(program) == first) == movable
    assert all(os.sched_getaffinity(pid) == {other} for pid in running(program))
    assert [kept.session.meter._gauge._cores for kept in pool._idle] == [frozenset({other})] * 2


class Narrow(ProcessGroup):
    """Room for two bots that run at once."""

    def launch(self, program: Startable, limits: Limits, *, writable: Path | None = None) -> Confined:
        if len(tree.leaders) >= 2:
            raise LaunchError("all slots are in use")
        return super().launch(program, limits, writable=writable)


def test_who_is_to_play_goes_before_what_is_idle(bot: BotMaker) -> None:
    """Where no process can be started any more, those that wait are ended first."""
    program, pool = bot(AGAIN), SessionPool(Narrow(), ROOM)
    play_match(spec(), (program, program), pool=pool)
    idle = running(program)
    assert play_match(spec("c", "d"), (program, program), pool=pool).forfeits == ()
    assert not idle & running(program)
    assert play_match(spec("e", "f"), (program, program), confinement=pool).forfeits == ()
    assert running(program) == set()
    pool.close()
