"""Moves that a worker tells while its match is played, on a Valkey server of the test's own."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.integration.arena.coordinator.conftest import server
from tests.valkey import valkey
from tests.waiting import eventually
from workers.checks.contract import Step, StepReport
from workers.core.contract import MoveRecord
from workers.core.live import MAX_BYTES, place, ply_of, steps_place
from workers.host import live
from workers.host.live import LiveMoves, LiveSteps

__all__ = ["server"]

Server = tuple[Path, subprocess.Popen[bytes]]


@pytest.fixture
def broker(server: Server) -> Iterator[redis.Redis]:
    """A way to what is told."""
    client = redis.Redis(unix_socket_path=str(server[0]))
    yield client
    client.close()


@pytest.fixture
def told(server: Server) -> Iterator[LiveMoves]:
    """Tells moves of one match at a time."""
    made = LiveMoves(f"redis+socket://{server[0]}")
    yield made
    made.close()


def _plies(broker: redis.Redis, token: str) -> list[str]:
    return [ply_of(line).move for line in bytes(broker.get(place(token)) or b"").splitlines()]  # type: ignore[arg-type]


def _move(text: str) -> MoveRecord:
    return MoveRecord(ply=0, seat=0, move=text)


def test_moves_are_told_in_order_and_again_where_the_broker_lost_them(
    told: LiveMoves, broker: redis.Redis
) -> None:
    """What the list grows by is appended; after a loss the whole stands there again; it goes by itself."""
    with told.of("token") as moves:
        moves.append(_move("a1"))
        eventually(lambda: _plies(broker, "token") == ["a1"])
        assert 0 < int(broker.ttl(place("token"))) <= live.KEPT_SECONDS
        moves.extend([_move("b2"), _move("c3")])
        eventually(lambda: _plies(broker, "token") == ["a1", "b2", "c3"])
        broker.flushall()
        moves.append(_move("d4"))
        eventually(lambda: _plies(broker, "token") == ["a1", "b2", "c3", "d4"])
    with told.of("next") as moves:
        moves.append(_move("x1"))
        eventually(lambda: _plies(broker, "next") == ["x1"])
    assert _plies(broker, "token") == ["a1", "b2", "c3", "d4"]


def test_what_lasts_no_moment_is_not_told(told: LiveMoves, broker: redis.Redis) -> None:
    """A match that is over before anybody looks costs the broker nothing."""
    for number in range(100):
        with told.of(f"quick {number}") as moves:
            moves.append(_move("a1"))
    with told.of("slow") as moves:
        moves.append(_move("a1"))
        eventually(lambda: bool(broker.exists(place("slow"))))
    assert int(broker.dbsize()) <= 3


def test_what_is_told_of_a_match_is_bounded(told: LiveMoves, broker: redis.Redis) -> None:
    """A match without end fills no broker."""
    with told.of("token") as moves:
        for _ in range(4):
            before = int(broker.strlen(place("token")))
            moves.extend([_move("m" * 100)] * (MAX_BYTES // 200))
            if before <= MAX_BYTES:
                eventually(lambda before=before: int(broker.strlen(place("token"))) > before)  # type: ignore[misc]
        time.sleep(3 * live.PERIOD_SECONDS)
        assert int(broker.strlen(place("token"))) < 2 * MAX_BYTES


def test_a_broker_that_is_away_ends_no_match(
    told: LiveMoves, broker: redis.Redis, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match goes on without being seen, and the next one is told by the same thread."""
    monkeypatch.setattr(live, "PAUSE_SECONDS", 0.01)
    warned = threading.Event()
    monkeypatch.setattr(live.log, "warning", lambda *_, **__: warned.set())
    server[1].kill()
    server[1].wait()
    with told.of("token") as moves:
        moves.append(_move("a1"))
        eventually(warned.is_set)
    thread = told._thread
    with valkey(server[0].parent), told.of("next") as moves:
        moves.append(_move("b2"))
        eventually(lambda: _plies(broker, "next") == ["b2"])
    assert told._thread is thread


def test_a_match_that_nobody_could_tell_of_is_played_and_the_next_is_told(
    told: LiveMoves, broker: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no thread can be started just then, one is for the next match."""
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", _no_thread)
        with told.of("token") as moves:
            moves.append(_move("a1"))
    with told.of("next") as moves:
        moves.append(_move("b2"))
        eventually(lambda: _plies(broker, "next") == ["b2"])


def _no_thread(_: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_whatever_keeps_a_match_from_being_told_the_next_one_is(
    told: LiveMoves, broker: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread goes on after an error that nobody foresaw, and one that has ended has a successor."""
    monkeypatch.setattr(live, "PAUSE_SECONDS", 0.01)
    warned = threading.Event()
    monkeypatch.setattr(live.log, "warning", lambda *_, **__: warned.set())
    with told.of("token") as moves:
        moves.append("no move")  # type: ignore[arg-type]
        eventually(warned.is_set)
    thread = told._thread
    with told.of("next") as moves:
        moves.append(_move("b2"))
        eventually(lambda: _plies(broker, "next") == ["b2"])
    assert told._thread is thread
    told._thread = threading.Thread()
    with told.of("last") as moves:
        moves.append(_move("c3"))
        eventually(lambda: _plies(broker, "last") == ["c3"])


def test_the_parts_of_a_check_are_told_until_the_broker_is_away(server: Server, broker: redis.Redis) -> None:
    """Each part is a line under the attempt's name, which goes by itself; without a broker none is told."""
    parts = [StepReport(step=step, passed=True, took_ms=5) for step in (Step.BUILD, Step.HANDSHAKE)]
    told = LiveSteps(f"redis+socket://{server[0]}", "token")
    for part in parts:
        told.tell(part)
    text = bytes(broker.get(steps_place("token")) or b"")  # type: ignore[arg-type]
    assert [StepReport.model_validate_json(line) for line in text.splitlines()] == parts
    assert 0 < int(broker.ttl(steps_place("token"))) <= live.KEPT_STEPS_SECONDS
    server[1].kill()
    server[1].wait()
    told.tell(parts[0])
    told.close()
