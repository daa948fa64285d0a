"""The kit for bots, in real processes: what reaches the protocol, what does not, and how a bot ends."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from subprocess import PIPE
from typing import Any, NamedTuple

import pytest

from bots.protocol.messages import encode, parse_answer, parse_ready
from bots.sdk import arena_bot

HELLO: dict[str, Any] = {
    "type": "hello",
    "protocols": ["arena/1"],
    "match": "m",
    "game": {"name": "reversed_reversi", "params": {"size": 8}, "version": 1},
    "seat": 1,
    "seed": 123,
    "time": {"move_ms": 60000, "extensions": 3, "extension_ms": 120000, "bank_ms": None, "increment_ms": 5},
}
END = {"type": "end", "result": "win", "reason": "fewest_discs", "score": [24, 40]}


def move(request_id: int = 17) -> dict[str, Any]:
    """A request for a move."""
    ledger = {"move_ms": 60000, "extensions_left": 2, "bank_ms": None, "last_ms": 412}
    state = {"board": ["..."], "to_move": "X"}
    return {
        "type": "move",
        "id": request_id,
        "ply": 12,
        "state": state,
        "legal": ["c4", "d3"],
        "history": ["f5"],
        "time": ledger,
    }


class Ended(NamedTuple):
    """What a bot's process wrote, and its exit status."""

    lines: list[bytes]
    stderr: str
    status: int


BARE = (sys.executable, "-I", "-S", "-c", "import sys; sys.path[0:0] = ['.']; import main")


def write(folder: Path, source: str) -> None:
    """Put a bot into a folder, with the one file that it needs next to it."""
    shutil.copy(arena_bot.__file__, folder)
    (folder / "main.py").write_text("from arena_bot import RESIGN, run\n" + textwrap.dedent(source))


def converse(folder: Path, source: str, *messages: dict[str, Any]) -> Ended:
    """Run a bot on a bare interpreter, with all its input there at once."""
    write(folder, source)
    spoken = b"".join(map(encode, messages))
    done = subprocess.run(BARE, input=spoken, capture_output=True, cwd=folder, timeout=600, check=False)
    return Ended(done.stdout.splitlines(), done.stderr.decode(), done.returncode)


def bot(choose: str, more: str = "pass") -> str:
    """A bot's source with that body of `choose`."""
    return f"class MyBot:\n    {more}\n    def choose(self, request):\n        {choose}\nrun(MyBot())\n"


def test_a_bot_gets_ready_answers_and_ends(tmp_path: Path) -> None:
    """A whole conversation: the name is the class's, unknown messages are ignored, the end ends it."""
    ended = converse(tmp_path, bot("return request.legal[1]"), HELLO, {"type": "news"}, move(), END, move(18))
    ready, answer = ended.lines
    assert parse_ready(ready) == ("MyBot", "", False)
    assert parse_answer(answer, 17) == ("d3", None)
    assert (ended.status, ended.stderr) == (0, "")


def test_the_request_tells_everything(tmp_path: Path) -> None:
    """Every field of the request is there under the name that the docs give it."""
    told = (
        "arena_bot.time.monotonic = lambda: request.received + 1; t = request.time;"
        " print([request.id, request.ply, request.state, request.legal, request.history,"
        " t.move_ms, t.extensions_left, t.extension_ms, t.bank_ms, t.increment_ms, t.last_ms, request.game,"
        " request.params, request.version, request.seat, request.seed, round(request.seconds_left(), 6)])"
        "; return 'c4'"
    )
    ended = converse(tmp_path, "import arena_bot\n" + bot(told), HELLO, move(), END)
    board = {"board": ["..."], "to_move": "X"}
    times = [60000, 2, 120000, None, 5, 412]
    match = ["reversed_reversi", {"size": 8}, 1, 1, 123]
    assert ended.stderr == f"{[17, 12, board, ['c4', 'd3'], ['f5'], *times, *match, 59.0]}\n"


def test_the_random_source_repeats_itself(tmp_path: Path) -> None:
    """Two matches with one seed see the same numbers; within a match they go on."""
    source = bot("return request.legal[0], str(request.rng.random())", "reusable = True")
    lines = converse(tmp_path, source, HELLO, move(1), move(2), END, HELLO, move(1), move(2), END).lines
    drawn = [json.loads(line).get("debug") for line in lines]
    assert drawn[1:3] == drawn[4:6]
    assert drawn[1] != drawn[2]


@pytest.mark.parametrize(
    "stray",
    [
        "print('stray')",
        "import sys; sys.stdout.write('stray\\n')",
        "import os; os.write(1, b'stray\\n')",
        "import subprocess; subprocess.run(['echo', 'stray'])",
        "import os; os.system('echo stray')",
    ],
)
def test_stray_prints_go_to_stderr(tmp_path: Path, stray: str) -> None:
    """However a bot or a child process prints, the protocol's stream stays clean."""
    ended = converse(tmp_path, bot(f"{stray}; return 'c4'"), HELLO, move(), END)
    assert [json.loads(line)["type"] for line in ended.lines] == ["ready", "move"]
    assert "stray" in ended.stderr


def test_prints_before_run_go_to_stderr_too(tmp_path: Path) -> None:
    """A print at the top of the file is not sent as the first message."""
    ended = converse(tmp_path, "print('loading')\n" + bot("return 'c4'"), HELLO, move(), END)
    assert len(ended.lines) == 2
    assert ended.stderr == "loading\n"


def test_input_finds_nothing(tmp_path: Path) -> None:
    """A bot that reads stdin by mistake, or its child, cannot swallow a message."""
    source = bot("import subprocess; return 'c4', repr(subprocess.run('cat', capture_output=True).stdout)")
    answer = converse(tmp_path, source, HELLO, move(), END).lines[1]
    assert parse_answer(answer, 17).debug == "b''"


def test_a_bot_resigns(tmp_path: Path) -> None:
    """`RESIGN` becomes the protocol's message."""
    answer = converse(tmp_path, bot("return RESIGN"), HELLO, move(), END).lines[1]
    assert parse_answer(answer, 17).move is None


def test_any_debug_text_is_made_fit(tmp_path: Path) -> None:
    """A text too long, with NUL or with half a character, would lose the game; the kit cleans it."""
    source = bot("return 'c4', chr(0) + chr(0xD800) + 'é' * 5000")
    debug = parse_answer(converse(tmp_path, source, HELLO, move(), END).lines[1], 17).debug
    assert debug is not None
    assert debug == "?" + "é" * 2047


@pytest.mark.parametrize("fault", ["raise ValueError('lost')", "return None", "return 5", "return ('c4',)"])
def test_an_exception_ends_the_process_with_its_traceback(tmp_path: Path, fault: str) -> None:
    """A crash is a crash: nothing is answered, stderr says why, the status is not 0."""
    ended = converse(tmp_path, bot(fault), HELLO, move(), END)
    assert len(ended.lines) == 1
    assert "Traceback" in ended.stderr
    assert "Error" in ended.stderr
    assert ended.status == 1


def test_a_thread_left_behind_does_not_hide_a_crash(tmp_path: Path) -> None:
    """The protocol's stream is closed at once, although a thread keeps the process alive."""
    fault = (
        "import threading, time; threading.Thread(target=time.sleep, args=[3600]).start(); raise ValueError"
    )
    write(tmp_path, bot(fault))
    with subprocess.Popen(BARE, cwd=tmp_path, stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(encode(HELLO) + encode(move()))
        process.stdin.flush()
        lines = process.stdout.readlines()
        alive = process.poll() is None
        process.kill()
    assert len(lines) == 1
    assert alive


def test_a_reusable_bot_plays_match_after_match(tmp_path: Path) -> None:
    """`start` and `end` are called once a match, and the second match has its own seat and seed."""
    source = """
        class MyBot:
            name, version, reusable = "twice", 2, True
            def start(self, hello): print("start", hello["seat"])
            def end(self, message): print("end", message["result"])
            def choose(self, request): return "c4", str(request.seed)
        run(MyBot())
    """
    second = {**HELLO, "seat": 0, "seed": 7}
    ended = converse(tmp_path, source, HELLO, move(1), END, second, move(2), END)
    assert parse_ready(ended.lines[0]) == ("twice", "2", True)
    assert [json.loads(line).get("debug") for line in ended.lines] == [None, "123", None, "7"]
    assert ended.stderr == "start 1\nend win\nstart 0\nend win\n"
    assert ended.status == 0


def test_a_bot_ends_when_its_input_does(tmp_path: Path) -> None:
    """Without a referee there is nothing to wait for."""
    assert converse(tmp_path, bot("return 'c4'"), HELLO) == converse(tmp_path, bot("return 'c4'"), HELLO)
    assert converse(tmp_path, bot("return 'c4'")) == ([], "", 0)


def test_another_protocol_is_refused(tmp_path: Path) -> None:
    """A referee that does not offer `arena/1` is told so on stderr."""
    ended = converse(tmp_path, bot("return 'c4'"), {**HELLO, "protocols": ["arena/9"]})
    assert ended.lines == []
    assert "speaks arena/1" in ended.stderr
    assert ended.status == 1


def test_a_long_request_arrives_in_pieces(tmp_path: Path) -> None:
    """A message longer than any pipe's buffer is put together again."""
    message = {**move(), "history": ["d3"] * 100_000}
    answer = converse(tmp_path, bot("return 'c4', str(len(request.history))"), HELLO, message, END).lines[1]
    assert parse_answer(answer, 17).debug == "100000"
