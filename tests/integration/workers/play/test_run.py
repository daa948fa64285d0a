"""Matches played by compiled code against the same matches played ply by ply."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.unit.workers.conftest import BotMaker, make_spec
from workers.core.contract import GameSpec, MatchResult
from workers.play import run
from workers.play import session as session_module
from workers.play.match import play_match
from workers.sandbox.probe import READS_STDIN
from workers.sandbox.process_group import ProcessGroup

pytestmark = [
    pytest.mark.skipif(vars(run)["run_plies"] is None, reason="nothing was compiled here"),
    pytest.mark.skipif(READS_STDIN is None, reason="nothing tells here what a process waits for"),
]

RECORDING = """
import random
odd, lines = random.Random(ODD), open(PATH, "a")
def say(text, *, more=""):
    sys.stdout.write(text + more); sys.stdout.flush()
ready()
while line := sys.stdin.readline():
    lines.write(line); lines.flush()
    message = json.loads(line)
    if message["type"] == "end":
        break
    number, move = message["id"], message["legal"][-1]
    plain = '{"type":"move","id":%d,"move":"%s"}' % (number, move)
    kind = odd.randrange(40) if ODD else 99
    if kind == 0:
        say(json.dumps({"type": "move", "id": number, "move": move, "debug": "because"}), more="\\n")
    elif kind == 1:
        sys.stderr.write("thinking\\n"); sys.stderr.flush(); say(plain, more="\\n")
    elif kind == 2:
        say(plain[:9]); time.sleep(0.003); say(plain[9:], more="\\n")
    elif kind == 3:
        time.sleep(0.005); say(plain, more="\\n")
    elif kind == 4:
        say(json.dumps({"move": move, "id": number, "type": "move"}, indent=None), more="\\n")
    elif kind == 5 and odd.randrange(3) == 0:
        say(odd.choice([
            plain.replace(move, "z9"),
            plain.replace(str(number), str(number + 1)),
            plain.replace(str(number), "0%d" % number),
            '{"type":"resign","id":%d}' % number,
            plain[:-1],
            plain + "\\n" + plain,
            plain.replace(move, "a" * 65),
            "x" * 70000,
        ]), more="\\n")
    elif kind == 6 and odd.randrange(6) == 0:
        sys.exit(3)
    else:
        say(plain, more="\\n")
"""
LAST = re.compile(rb'"last_ms":\d+')


class Seen(NamedTuple):
    """A match: its result, and what each of the bots was sent, with nothing in it that the host decides."""

    result: dict[str, Any]
    moves: Sequence[tuple[object, ...]]
    sent: list[bytes]


def told(result: MatchResult) -> dict[str, Any]:
    """A result without times and moves."""
    forfeits = [
        each.model_dump(exclude={"clock_ns", "cpu_ns", "strain", "request"}) for each in result.forfeits
    ]
    requests = [LAST.sub(b"", (each.request or "").encode().replace(b" ", b"")) for each in result.forfeits]
    seats = [
        (each.bot_name, each.answers, each.extensions_used, each.stderr_head, each.stderr_bytes)
        for each in result.seats
    ]
    return {
        "winner": result.winner,
        "reason": result.reason,
        "score": result.score,
        "forfeits": forfeits,
        "requests": requests,
        "seats": seats,
    }


def played(bot: BotMaker, folder: Path, size: int, odd: int) -> Seen:
    """A match of two bots, of which the first answers oddly unless `odd` is 0."""
    paths = [folder / f"sent{number}" for number in (0, 1)]
    for path in paths:
        path.unlink(missing_ok=True)
    one, other = (
        bot(RECORDING.replace("ODD", str(odd * (seat == 0))).replace("PATH", repr(str(path))))
        for seat, path in enumerate(paths)
    )
    spec = make_spec(game=GameSpec(name="reversed_reversi", params={"size": size}), seeds=(odd, size))
    result = play_match(spec, (one, other), confinement=ProcessGroup())
    moves = [
        (each.ply, each.seat, each.move, each.asked, each.cpu_ns is None, each.debug, each.extension)
        for each in result.moves
    ]
    sent = [
        LAST.sub(b"", path.read_bytes()).split(b'{"type":"end"')[0] for path in paths
    ]  # ended, or told first
    return Seen(told(result), moves, sent)


@pytest.mark.parametrize("size", [4, *(pytest.param(size, marks=pytest.mark.long) for size in (6, 8))])
def test_both_ways_ask_the_same_and_come_to_the_same(
    bot: BotMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Of plain and odd answers alike requests, moves, forfeits and evidence are the same, byte for byte."""
    rows = 0

    def counted(*args: Any) -> Any:
        nonlocal rows
        answer = compiled(*args)
        rows += len(answer[0])
        return answer

    compiled: Any = vars(run)["run_plies"]
    for odd in range(9):
        monkeypatch.setattr(run, "run_plies", counted)
        quick = played(bot, tmp_path, size, odd)
        with monkeypatch.context() as plain:
            plain.setattr(run, "run_plies", None)
            plain.setattr(session_module, "exchange", lambda *_: None)
            assert played(bot, tmp_path, size, odd) == quick
    assert rows > 0


def test_what_is_measured_of_a_ply_is_there_and_booked(bot: BotMaker) -> None:
    """A ply of compiled code has its times, and the sums of the seats are those of their plies."""
    honest = bot("ready(); serve()"), bot("ready(); serve()")
    result = play_match(make_spec(), honest, confinement=ProcessGroup())
    for seat, use in enumerate(result.seats):
        asked = [move for move in result.moves if move.asked and move.seat == seat]
        assert all(move.wall_ns > 0 and move.cpu_ns for move in asked)
        assert use.cpu_ns == sum(move.cpu_ns or 0 for move in asked)
        assert use.wall_ns == sum(move.charged_ns for move in asked)
        assert use.answers == len(asked)
