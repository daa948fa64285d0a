"""The referee as a pure loop, with scripted players and no process."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from bots.protocol.messages import Answer, Ready
from engines.games import find_game
from tests.unit.workers.conftest import QUICK, make_spec
from workers.core.contract import FaultCode, GameSpec, MatchRecord, MatchResult, MoveRecord, TimeControl
from workers.core.errors import SpecError
from workers.core.stderr import Stderr
from workers.play import referee
from workers.play.clock import NS_PER_MS
from workers.play.player import Fault, Reply

Choose = Callable[[Mapping[str, Any]], Reply]


class Scripted:
    """A player that answers as it was told to, and remembers what it was sent."""

    def __init__(self, choose: Choose | None = None, greeting: Ready | Fault | None = None) -> None:
        self.choose = choose or first_move
        self.greeting = greeting or Ready("scripted", "1", reusable=False)
        self.sent: list[Mapping[str, Any]] = []

    def begin(self, hello: Mapping[str, Any]) -> None:
        self.sent.append(hello)

    def ready(self, startup_ms: int) -> tuple[Ready | Fault, int]:
        del startup_ms
        return self.greeting, 5

    def ask(self, request: Mapping[str, Any], allowed_ns: int) -> Reply:
        del allowed_ns
        self.sent.append({**request, "history": list(request["history"])})
        return self.choose(request)

    def end(self, message: Mapping[str, Any]) -> None:
        self.sent.append(message)

    def stderr(self) -> Stderr:
        return Stderr("last words", "", 10)


def first_move(request: Mapping[str, Any]) -> Reply:
    """Plays the first legal move in no time."""
    return Reply(Answer(request["legal"][0], None), NS_PER_MS)


def always(outcome: Answer | Fault, wall_ms: int = 1) -> Choose:
    """Answers every request the same."""
    return lambda request: Reply(outcome, wall_ms * NS_PER_MS) if request else first_move(request)


def test_a_whole_game_follows_the_rules_of_the_engine() -> None:
    """The recorded moves, replayed on the engine, give the recorded outcome."""
    spec = make_spec()
    players = (Scripted(), Scripted())
    result = referee.play(spec, players, "here")
    game = find_game("reversed_reversi", {"size": 4})
    state = game.initial()
    for record in result.moves:
        assert game.to_move(state) == record.seat
        assert (game.forced_pass(state) is None) == record.asked
        state = game.play(state, game.move_from_text(record.move))
    assert game.outcome(state) == (result.winner, result.reason, result.score)
    assert [move.ply for move in result.moves] == list(range(len(result.moves)))
    assert result.host == "here"
    assert any(not move.asked for move in result.moves), "this game has a pass, which nobody was asked for"


def test_a_player_is_sent_hello_requests_and_the_end() -> None:
    """The messages are those of the protocol, with state, history, legal moves and ledger."""
    spec = make_spec(time=QUICK)
    players = (Scripted(), Scripted())
    result = referee.play(spec, players)
    hello, request, *_, end = players[0].sent
    assert hello == {
        "type": "hello",
        "protocols": ["arena/1"],
        "match": "test",
        "game": {"name": "reversed_reversi", "params": {"size": 4, "reversed": True}, "version": 1},
        "seat": 0,
        "seed": 11,
        "time": {
            "move_ms": 300,
            "extensions": 1,
            "extension_ms": 600,
            "bank_ms": None,
            "increment_ms": 0,
            "startup_ms": 60_000,
        },
        "limits": {"line_bytes": 65536, "output_bytes": 1048576, "memory_mb": 512, "ponder": False},
        "policy": {"repetition": None, "max_plies": None},
    }
    assert request == {
        "type": "move",
        "id": request["id"],
        "ply": 0,
        "state": {"board": ["....", ".XO.", ".OX.", "...."], "to_move": "X"},
        "legal": ["c1", "d2", "a3", "b4"],
        "history": [],
        "time": {"move_ms": 300, "extensions_left": 1, "bank_ms": None, "last_ms": 0},
    }
    assert players[1].sent[1]["history"] == ["c1"]
    assert end == {
        "type": "end",
        "result": "win" if result.winner == 0 else "loss",
        "reason": result.reason,
        "score": result.score,
    }


def test_request_numbers_follow_from_the_seeds_of_both() -> None:
    """The same match has the same ids; another seed of the opponent has others, so they cannot be guessed."""

    def ids(seeds: tuple[int, int]) -> list[int]:
        player = Scripted()
        referee.play(make_spec(seeds=seeds), (player, Scripted()))
        return [message["id"] for message in player.sent if message["type"] == "move"]

    assert ids((1, 2)) == ids((1, 2))
    assert ids((1, 2)) != ids((1, 3))
    assert len(set(ids((1, 2)))) == len(ids((1, 2)))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("code", list(FaultCode))
def test_every_fault_is_a_forfeit_with_its_evidence(seat: int, code: FaultCode) -> None:
    """Whoever errs loses with the code, the ply, the request and what was received; the other wins."""
    bad = Scripted(always(Fault(code, "did wrong", b"\x1b[31mred"), wall_ms=7))
    players = (bad, Scripted()) if seat == 0 else (Scripted(), bad)
    result = referee.play(make_spec(), players)
    assert result.winner == 1 - seat
    assert result.reason == code
    assert result.score == ((16, 0) if seat == 0 else (0, 16))
    assert result.half_points == ((0, 2) if seat == 0 else (2, 0))
    (forfeit,) = result.forfeits
    assert (forfeit.seat, forfeit.code, forfeit.ply) == (seat, code, seat)
    assert forfeit.received == "\\x1b[31mred"
    assert f'"id": {forfeit.id}' in forfeit.request
    assert str(forfeit.id) in forfeit.expected
    assert forfeit.stderr_tail == "last words"
    assert forfeit.clock_ns == 7 * NS_PER_MS
    assert players[1 - seat].sent[-1]["result"] == "win"
    assert players[seat].sent[-1]["result"] == "loss"


@pytest.mark.parametrize("text", ["a1", "e5", "", "pass", "C1", "zz"])
def test_a_move_that_is_not_legal_never_counts(text: str) -> None:
    """Illegal and unreadable moves forfeit; nothing is played instead of them."""
    result = referee.play(make_spec(), (Scripted(always(Answer(text, None))), Scripted()))
    assert result.reason == FaultCode.ILLEGAL_MOVE
    assert result.moves == ()
    assert result.forfeits[0].received == f'"{text}"'


def test_a_late_answer_loses_however_good() -> None:
    """The clock judges the measured time, not whether a line came."""
    slow = Scripted(lambda request: first_move(request)._replace(wall_ns=10**9))
    result = referee.play(make_spec(time=QUICK), (slow, Scripted()))
    assert result.reason == FaultCode.TIMEOUT
    assert result.seats[0].extensions_used == 1


def test_the_record_says_what_each_ply_took() -> None:
    """Wall time, CPU time, lag, the extension spent and the debug text are kept ply by ply and in sum."""

    def choose(request: Mapping[str, Any]) -> Reply:
        wall = 500 if request["ply"] == 0 else 20
        return Reply(Answer(request["legal"][0], f"ply {request['ply']}"), wall * NS_PER_MS, 3, 4)

    result = referee.play(make_spec(time=QUICK), (Scripted(choose), Scripted()))
    mine = [move for move in result.moves if move.seat == 0 and move.asked]
    assert [move.extension for move in mine] == [True] + [False] * (len(mine) - 1)
    assert [move.debug for move in mine] == [f"ply {move.ply}" for move in mine]
    assert {(move.cpu_ns, move.lag_ns) for move in mine} == {(3, 4)}
    use = result.seats[0]
    assert use.wall_ns == sum(move.wall_ns for move in mine)
    assert use.slowest_ns == 500 * NS_PER_MS
    assert (use.answers, use.extensions_used, use.cpu_ns, use.startup_ns) == (len(mine), 1, 3 * len(mine), 5)
    assert (use.bot_name, use.bot_version) == ("scripted", "1")


def test_resigning_loses_without_a_forfeit() -> None:
    """A resignation is a loss by the widest margin, and no fault."""
    result = referee.play(make_spec(), (Scripted(), Scripted(always(Answer(None, None)))))
    assert (result.winner, result.reason, result.score) == (0, "resign", (0, 16))
    assert result.forfeits == ()


def test_one_bot_that_does_not_start_loses_before_any_move() -> None:
    """The opponent wins without being asked anything."""
    dead = Scripted(greeting=Fault(FaultCode.STARTUP, "ended"))
    other = Scripted()
    result = referee.play(make_spec(), (other, dead))
    assert (result.winner, result.reason, result.score) == (0, "startup", (0, 16))
    assert [message["type"] for message in other.sent] == ["hello", "end"]
    (forfeit,) = result.forfeits
    assert (json.loads(forfeit.request), forfeit.id) == (dead.sent[0], None)


def test_two_bots_that_do_not_start_both_lose() -> None:
    """A double forfeit gives nobody a point and both the worst score."""
    fault = Fault(FaultCode.STARTUP, "ended")
    players = (Scripted(greeting=fault), Scripted(greeting=fault))
    result = referee.play(make_spec(), players)
    assert (result.winner, result.half_points, result.score) == (None, (0, 0), (16, 16))
    assert [forfeit.seat for forfeit in result.forfeits] == [0, 1]
    assert [player.sent[-1]["result"] for player in players] == ["loss", "loss"]


def test_an_opening_is_played_before_anybody_is_asked() -> None:
    """Opening moves are in the history and the record, and were asked of nobody."""
    players = (Scripted(), Scripted())
    result = referee.play(make_spec(opening=("c1", "b1", "a1")), players)
    assert players[1].sent[1]["history"] == ["c1", "b1", "a1"]
    assert [(move.move, move.asked) for move in result.moves[:4]][:3] == [
        ("c1", False),
        ("b1", False),
        ("a1", False),
    ]
    assert result.seats[0].answers == sum(move.seat == 0 and move.asked for move in result.moves)


@pytest.mark.parametrize(
    "changes",
    [
        {"game": GameSpec(name="chess")},
        {"game": GameSpec(name="reversed_reversi", params={"size": 5})},
        {"game": GameSpec(name="reversed_reversi", version=99)},
        {"opening": ("a1",)},
        {"opening": ("what",)},
    ],
)
def test_an_impossible_match_is_our_error_and_no_result(changes: dict[str, Any]) -> None:
    """What was asked wrongly raises; no bot loses by it."""
    with pytest.raises(SpecError):
        referee.play(make_spec(**changes), (Scripted(), Scripted()))


def test_spec_and_result_survive_json() -> None:
    """What goes over the wire comes back equal, whole records too."""
    spec = make_spec(time=TimeControl(bank_ms=5))
    result = referee.play(spec, (Scripted(), Scripted(always(Fault(FaultCode.CRASH, "x")))))
    record = MatchRecord(spec=spec, result=result)
    assert MatchRecord.model_validate_json(record.model_dump_json()) == record
    assert MatchResult.model_validate(result.model_dump(mode="json")) == result


def test_a_game_goes_on_after_what_was_played_before() -> None:
    """The moves so far stand in the result with their times, and the clocks are as these have left them."""
    spec = make_spec(time=TimeControl(move_ms=60_000, extensions=2, extension_ms=120_000))
    whole = referee.play(spec, (Scripted(late_once()), Scripted()))
    before = list(whole.moves[:3])
    player = Scripted()
    result = referee.play(spec, (player, Scripted()), moves=before)
    assert [move.move for move in result.moves] == [move.move for move in whole.moves]
    assert result.moves[:3] == whole.moves[:3]
    asked = [message for message in player.sent if message["type"] == "move"]
    assert asked[0]["ply"] >= 3
    assert asked[0]["history"][:3] == [move.move for move in whole.moves[:3]]
    assert asked[0]["time"]["extensions_left"] == 1
    assert result.seats[0].extensions_used == 1
    with pytest.raises(SpecError, match="what was played before cannot be played"):
        referee.play(spec, (player, Scripted()), moves=[MoveRecord(0, 0, "nowhere")])


def late_once() -> Choose:
    """Takes 90 s for its first move, and no time for the others."""
    waits = iter([90_000])
    return lambda request: Reply(Answer(request["legal"][0], None), next(waits, 1) * NS_PER_MS)
