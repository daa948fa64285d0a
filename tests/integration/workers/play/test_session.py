"""Conversations with real processes: every way to misbehave ends with its own code and leaves nothing."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.unit.workers.conftest import AMPLE, QUICK, BotMaker, make_spec
from workers.core import scratch
from workers.core.contract import FaultCode, Forfeit, GameSpec, Limits, TimeControl
from workers.play import starting
from workers.play.kept import SessionPool
from workers.play.match import play_match
from workers.sandbox.confinement import Command
from workers.sandbox.environment import ONE_CORE
from workers.sandbox.process_group import ProcessGroup

FAULTS = [
    ("sys.exit(3)", "startup", "exit status 3"),
    ("get(); print('hello', flush=True); time.sleep(60)", "startup", "not JSON"),
    ("get(); send(type='ready', protocol='arena/2'); get()", "startup", "arena/1"),
    ("print('Loading model...', flush=True); ready(); serve()", "startup", "not JSON"),
    ("ready(); serve(1); get(); sys.exit(7)", "crash", "exit status 7"),
    ("ready(); serve(1); get(); os.kill(os.getpid(), signal.SIGSEGV)", "crash", "SIGSEGV"),
    ("ready(); serve(1); sys.exit(0)", "crash", "exit status 0"),
    ("ready(); serve(1); get(); os.close(1); time.sleep(60)", "crash", "did not end"),
    ("ready(); serve(1); m = get(); send(type='move', id=m['id'], move='a9')", "illegal_move", "not a move"),
    ("ready(); serve(1); m = get(); send(type='move', id=m['id'], move='b2')", "illegal_move", "not allowed"),
    ("ready(); serve(1); get(); print('thinking', flush=True); time.sleep(60)", "malformed", "not JSON"),
    ("ready(); serve(1); get(); print('[1]', flush=True); time.sleep(60)", "malformed", "an array"),
    ("ready(); serve(1); get(); os.write(1, b'\\xff\\n'); time.sleep(60)", "malformed", "UTF-8"),
    ("ready(); serve(1); m = get(); send(type='move', id=m['id'], move=5); get()", "malformed", "a string"),
    ("ready(); serve(1); m = get(); send(type='move', id=1, move='a1'); get()", "protocol_error", '"id"'),
    ("ready(); serve(1); get(); send(type='move', move='a1'); get()", "protocol_error", '"id"'),
    ("ready(); serve(1); get(); send(type='ready'); get()", "protocol_error", '"type"'),
    ("ready(); serve(1); get()\nwhile True: os.write(1, b'x' * 4096)", "oversize", "bytes"),
    (
        (
            "ready(); m = get(); a = json.dumps({'type': 'move', 'id': m['id'], 'move': m['legal'][0]})\n"
            "os.write(1, a.encode() + b'\\n' * 4096); time.sleep(60)"
        ),
        "protocol_error",
        "before it was asked",
    ),
]
SILENCE = [
    "ready(); get(); time.sleep(600)",
    "ready(); time.sleep(600)",
    "ready(); get(); os.kill(os.getpid(), signal.SIGSTOP)",
    "ready(); get()\nwhile True: sys.stderr.write('x' * 4096)",
    "ready(); get()\nwhile True: os.write(1, b'x'); time.sleep(0.01)",
]


def _descriptors() -> set[str]:
    return {path.name for path in Path("/proc/self/fd").iterdir()}


def lost(bad: Command, honest: Command, time: TimeControl = AMPLE) -> Forfeit:
    """How the bot at fault, which had the first turn, lost its match; nothing else remains of it."""
    scratch.own_folder()  # its lock is this process's, whatever becomes of the bots
    before = _descriptors()
    result = play_match(make_spec(time=time), (bad, honest))
    assert _descriptors() <= before
    assert not [p for p in psutil.process_iter(["cmdline"]) if bad[-1] in (p.info["cmdline"] or [])]
    (forfeit,) = result.forfeits
    assert (result.winner, result.reason) == (1, forfeit.code)
    return forfeit


@pytest.fixture(params=["confined", "plain"])
def _either(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, environment: Callable[..., None]
) -> None:
    """A system that confines bots, and one that starts them as any program."""
    if request.param == "plain":
        monkeypatch.setattr(starting, "CONFINES", False)
        environment(confinement="none")


@pytest.mark.usefixtures("_either")
@pytest.mark.parametrize(("code", "expected", "says"), FAULTS)
def test_each_fault_has_its_own_code_and_leaves_no_process(
    bot: BotMaker, honest: Command, code: str, expected: str, says: str
) -> None:
    """The bot at fault loses at once with its code and evidence; neither process nor descriptor remains."""
    forfeit = lost(bot(code), honest)
    assert says in forfeit.detail
    assert forfeit.code == expected


@pytest.mark.usefixtures("_either")
@pytest.mark.parametrize("code", SILENCE)
def test_silence_is_a_timeout_and_leaves_no_process(bot: BotMaker, honest: Command, code: str) -> None:
    """A bot that sends no line in time loses, whatever else it does; nothing of either remains."""
    forfeit = lost(bot(code), honest, QUICK)
    assert "no answer in time" in forfeit.detail
    assert forfeit.code == FaultCode.TIMEOUT


def test_a_bot_that_closes_its_output_may_take_a_while_to_end(bot: BotMaker, honest: Command) -> None:
    """As long as it computes, or waits for a processor to do so, how it ends is waited for."""
    code = "ready(); get(); os.close(1)\nwhile time.process_time() < 1: pass\nsys.exit(7)"
    assert lost(bot(code), honest).detail == "ended by itself with exit status 7"


def test_an_early_answer_is_refused_even_if_it_is_legal(bot: BotMaker) -> None:
    """An answer that lies ready before the question is a protocol error."""
    eager = bot(
        """
        ready()
        m = get()
        answers = [{"type": "move", "id": m["id"], "move": m["legal"][0]}, {"type": "move", "id": 2}]
        os.write(1, "".join(json.dumps(answer) + "\\n" for answer in answers).encode())
        time.sleep(60)
        """
    )
    slow = bot("ready(); serve(pause=0.1)")
    result = play_match(make_spec(), (eager, slow))
    assert (result.winner, result.reason) == (1, FaultCode.PROTOCOL_ERROR)
    assert "before it was asked" in result.forfeits[0].detail
    assert '"id": 2' in result.forfeits[0].received


def test_memory_and_cpu_are_limited(bot: BotMaker, honest: Command) -> None:
    """Too much CPU is a resource fault, and so is too much memory ends in the bot or ends it."""
    spinner = bot("ready(); get()\nwhile True: pass")
    result = play_match(make_spec(limits=Limits(cpu_seconds=1)), (spinner, honest))
    assert (result.winner, result.reason) == (1, FaultCode.RESOURCE)
    glutton = bot("ready(); get(); bytearray(10 ** 10)")
    result = play_match(make_spec(), (glutton, honest), confinement=ProcessGroup())
    assert (result.winner, result.reason) == (1, FaultCode.CRASH)
    assert "MemoryError" in result.forfeits[0].stderr_tail
    result = play_match(make_spec(), (glutton, honest))
    assert result.winner == 1
    assert result.reason in {FaultCode.RESOURCE, FaultCode.CRASH}


def test_orphans_and_daemons_die_with_the_match(bot: BotMaker, honest: Command, tmp_path: Path) -> None:
    """What a bot starts, in its group or in a session of its own, is gone when the match is over."""
    pids = tmp_path / "pids"
    parent = bot(
        f"""
        for leave in (False, True):
            if os.fork() == 0:
                if leave:
                    os.setsid()
                    if os.fork():
                        os._exit(0)
                with open({str(pids)!r}, "a") as file:
                    print(os.getpid(), file=file)
                time.sleep(600)
        while not os.path.exists({str(pids)!r}) or len(open({str(pids)!r}).readlines()) < 2:
            time.sleep(0.01)
        ready()
        serve()
        """
    )
    started = time.monotonic()
    result = play_match(make_spec(), (parent, honest), confinement=ProcessGroup())
    assert result.forfeits == ()
    assert time.monotonic() - started < 500
    found = [int(line) for line in pids.read_text().split()]
    assert len(found) == 2
    assert not [pid for pid in found if psutil.pid_exists(pid)]


def test_the_clock_of_the_record_is_the_bots_own(bot: BotMaker, honest: Command) -> None:
    """Sleeping costs wall time but no CPU time; working costs both."""
    sleeper = bot("ready(); serve(pause=0.1)")
    result = play_match(make_spec(), (sleeper, honest))
    asked = [move for move in result.moves if move.seat == 0 and move.asked]
    assert asked
    assert all(move.wall_ns >= 100_000_000 for move in asked)
    assert min(100_000_000 if move.cpu_ns is None else move.cpu_ns for move in asked) < 50_000_000
    assert result.seats[0].startup_ns > 0


def test_stderr_is_kept_at_both_ends_and_made_printable(bot: BotMaker, honest: Command) -> None:
    """A chatty bot is not held against it: the first and the last 32 KiB are kept, controls escaped."""
    chatty = bot(
        r"""
        ready()
        sys.stderr.write("first\x1b[31m" + "a" * 200_000 + "last")
        sys.stderr.flush()
        serve()
        """
    )
    result = play_match(make_spec(), (chatty, honest))
    use = result.seats[0]
    assert result.forfeits == ()
    assert use.stderr_head.startswith("first\\x1b[31m")
    assert use.stderr_tail.endswith("last")
    assert use.stderr_bytes == 200_014
    assert len(use.stderr_head) + len(use.stderr_tail) < 70_000


def test_the_environment_holds_nothing_of_the_host(
    bot: BotMaker, honest: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot sees a clean environment and an empty folder of its own as its home."""
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    curious = bot(
        """
        print(json.dumps(dict(os.environ)), os.getcwd(), os.listdir("."), file=sys.stderr)
        ready()
        serve()
        """
    )
    seen = play_match(make_spec(), (curious, honest)).seats[0].stderr_head
    environment, position = json.JSONDecoder().raw_decode(seen)
    assert set(environment) == {
        "PATH",
        "LANG",
        "HOME",
        "TMPDIR",
        "PYTHONPATH",
        "PYTHONHASHSEED",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUTF8",
        *ONE_CORE,
    }
    assert seen[position:].split() == [environment["HOME"], "[]"]
    assert not Path(environment["HOME"]).exists()


def test_reusable_bots_keep_their_process_for_the_next_match(bot: BotMaker) -> None:
    """In a pool the same two processes play again; closing the pool ends them."""
    again = bot(
        """
        print("pid", os.getpid(), file=sys.stderr, flush=True)
        while True:
            ready(reusable=True)
            while (m := get())["type"] == "move":
                print("move", file=sys.stderr, flush=True)
                send(type="move", id=m["id"], move=m["legal"][0])
        """
    )
    pool = SessionPool()
    first = play_match(make_spec(), (again, again), pool=pool)
    second = play_match(make_spec(), (again, again), pool=pool)
    assert "pid" in first.seats[0].stderr_head
    assert "pid" not in second.seats[0].stderr_head
    assert second.seats[0].stderr_head.count("move") == second.seats[0].answers
    pool.close()
    assert not [p for p in psutil.process_iter(["cmdline"]) if again[-1] in (p.info["cmdline"] or [])]


def test_a_reusable_bot_never_lacks_processor_time_for_what_it_used_before(
    bot: BotMaker, honest: Command
) -> None:
    """Each of its matches may take all that a match may, however many it has played."""
    busy = bot(
        """
        while True:
            ready(reusable=True)
            while (m := get())["type"] == "move":
                until = time.process_time() + 0.15
                while time.process_time() < until:
                    pass
                send(type="move", id=m["id"], move=m["legal"][0])
        """
    )
    spec = make_spec(
        game=GameSpec(name="heap_nim", params={"heaps": [1, 1, 1]}),
        limits=Limits(cpu_seconds=1),
    )
    pool = SessionPool()
    assert [play_match(spec, (busy, honest), pool=pool).forfeits for _ in range(4)] == [()] * 4
    pool.close()


def test_a_reusable_bot_that_forfeits_is_not_used_again(bot: BotMaker, honest: Command) -> None:
    """After a fault the process is gone, reusable or not."""
    broken = bot("ready(reusable=True); get(); print('oops', flush=True); time.sleep(60)")
    pool = SessionPool()
    for _ in range(2):
        assert play_match(make_spec(), (broken, honest), pool=pool).reason == FaultCode.MALFORMED
    assert not [p for p in psutil.process_iter(["cmdline"]) if broken[-1] in (p.info["cmdline"] or [])]
    pool.close()


def test_what_a_killed_worker_left_is_swept_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders whose lock nobody holds go; a living worker's, and whatever is none of ours, stay."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch._own_folder.cache_clear()
    alive = scratch.scratch_folder().parent
    dead = tmp_path / "arena-bots-dead"
    (dead / "bot").mkdir(parents=True)
    (dead / ".lock").touch()
    others = [tmp_path / "arena-bots-1x-y", tmp_path / "arena-bots-file", tmp_path / "arena-bots-link"]
    others[0].mkdir()
    others[1].touch()
    others[2].symlink_to(dead)
    scratch._own_folder.cache_clear()
    mine = scratch.scratch_folder().parent
    assert {path.name for path in tmp_path.iterdir()} == {p.name for p in (alive, mine, *others)}
    scratch._own_folder.cache_clear()


def test_a_bot_with_much_to_say_never_waits_for_us(bot: BotMaker) -> None:
    """What a bot writes to stderr is taken in while it thinks, more than any pipe holds."""
    chatty = bot(
        """
        ready()
        while (m := get())["type"] == "move":
            sys.stderr.write("y" * 500_000)
            send(type="move", id=m["id"], move=m["legal"][0])
        """
    )
    three_plies = GameSpec(name="heap_nim", params={"heaps": [1, 1, 1]})
    result = play_match(make_spec(game=three_plies), (chatty, chatty))
    assert [move.seat for move in result.moves] == [0, 1, 0]
    assert result.seats[0].stderr_bytes == 1_000_000


def test_each_bot_gets_ready_in_its_own_time(bot: BotMaker, honest: Command) -> None:
    """How long the first one takes is not charged to the second: both starts together fit into the match."""
    late = bot("time.sleep(1); ready(); serve()")
    began = time.monotonic_ns()
    result = play_match(make_spec(), (late, honest))
    took = time.monotonic_ns() - began
    assert result.forfeits == ()
    assert result.seats[0].startup_ns > 1_000_000_000
    assert result.seats[0].startup_ns + result.seats[1].startup_ns <= took


def test_dead_children_of_bots_are_collected(bot: BotMaker, honest: Command) -> None:
    """Orphans that ended by themselves, and daemons that hid their origin, leave nothing behind."""
    parent = bot(
        """
        import subprocess
        ready()
        for seconds in (0, 600):
            subprocess.Popen(["sleep", str(seconds)], start_new_session=True, env={})
        serve()
        """
    )
    before = set(psutil.Process().children(recursive=True))
    play_match(make_spec(), (parent, honest))
    assert set(psutil.Process().children(recursive=True)) <= before


def test_the_evidence_of_an_illegal_move_is_the_line_that_was_sent(bot: BotMaker, honest: Command) -> None:
    """Not only the move that was read from it."""
    wrong = bot("ready(); m = get(); send(type='move', id=m['id'], move='a9', debug='sure')")
    (forfeit,) = play_match(make_spec(), (wrong, honest)).forfeits
    assert (forfeit.code, "a9" in forfeit.received) == (FaultCode.ILLEGAL_MOVE, True)
    assert '"debug": "sure"' in forfeit.received


def test_more_output_than_a_match_may_have_is_noticed_at_once(bot: BotMaker, honest: Command) -> None:
    """Good answers are refused once all of them together are too long, also the last."""
    wordy = bot(
        """
        ready()
        while (m := get())["type"] == "move":
            send(type="move", id=m["id"], move=m["legal"][0], debug="x" * 400)
        """
    )
    result = play_match(make_spec(limits=Limits(output_bytes=1024)), (wordy, honest))
    assert (result.winner, result.reason) == (1, FaultCode.OVERSIZE)
    assert result.forfeits[0].detail == "wrote more than 1024 bytes in one match"
    assert result.forfeits[0].received
