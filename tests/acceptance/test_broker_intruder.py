"""Somebody reaches the broker and does there what users may: nothing of it counts, and all of it is seen."""

from __future__ import annotations

import json
import socket
import threading
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psutil
import pytest
import redis

from tests.acceptance.bots import thinker
from tests.acceptance.conftest import Arena, MakeArena, eventually
from tests.acceptance.queries import query
from tests.acceptance.tables import check_tables
from workers.app import CHECKED, HEARTBEAT, HOST, LOST, PLAY, RECORD, create_app, send
from workers.core.signing import new_key

SECRETS = {"PGPASSWORD": "hidden-password", "AWS_SECRET_ACCESS_KEY": "hidden-key"}
CALM, ATTACKED = "calm", "attacked"
QUEUE = "matches.python"
WINNERS = (
    "SELECT matches.number, winner, reason, first_score FROM results"
    " JOIN matches ON matches.id = results.match_id"
    " JOIN tournaments ON tournaments.id = matches.tournament_id"
    " WHERE tournaments.name = '{name}' ORDER BY matches.number"
)
FORGED = "python of an intruder"
GARBAGE = (b"\xff\xfe", b"no json", b"7", b"[]", b"{}", b"[" * 50_000, b'{"__type__":"uuid","__value__":7}')
ORDERS = (
    ("CONFIG", "SET", "maxmemory", "1"),
    ("SHUTDOWN",),
    ("FLUSHALL",),
    ("FLUSHDB",),
    ("EVAL", "return 1", "0"),
)


class Intruder(threading.Thread):
    """Reads the workers' messages, sends them again, and forges reports and work with what stands there."""

    def __init__(self, arena: Arena) -> None:
        super().__init__(daemon=True)
        self._server: Any = redis.Redis(unix_socket_path=str(arena.folder.run / "valkey.sock"))
        url = f"redis+socket://{arena.folder.run}/valkey.sock"
        key = new_key()
        self._apps = [create_app("nobody", url), create_app("stranger", url, signer=lambda: key)]
        self.forged, self._again = 0, set[bytes]()
        self.stop = threading.Event()

    def run(self) -> None:
        for order in ORDERS:
            with pytest.raises(redis.exceptions.NoPermissionError):
                self._server.execute_command(*order)
        self._apps[0].control.shutdown()
        for queue in ("results", "tallies", QUEUE, "checks.python"):
            self._server.lpush(queue, *GARBAGE)
        while not self.stop.wait(0.02):
            for queue in (QUEUE, "results"):
                for raw in self._server.lrange(queue, 0, -1):
                    if raw.startswith(b'{"body"') and b"signature" in raw:
                        self._send_again(queue, raw)
                        self._forge(json.loads(raw) if queue == QUEUE else {})

    def _send_again(self, queue: str, raw: bytes) -> None:
        if raw not in self._again:
            self._again.add(raw)
            self._server.lpush(queue, raw)

    def _forge(self, message: dict[str, Any]) -> None:
        if not message:
            return
        told = json.loads(b64decode(message["body"]))[1]
        about = {"match": told["spec"]["match"], "attempt": told["attempt"], "token": told["token"]}
        result = {"match": about["match"], "winner": 1, "reason": "resign", "score": [0, 1], "moves": []}
        for app in self._apps:
            for host in ("stranger", socket.gethostname()):
                send(app, HEARTBEAT, {**about, "host": host})
                send(app, RECORD, {**about, "host": host, "result": result})
                send(app, LOST, {**about, "host": host, "trouble": "none"})
                send(app, HOST, {"host": host, "languages": {"python": FORGED}})
                send(app, CHECKED, {"check": 1, "attempt": 1, "token": told["token"], "report": {}})
            send(app, PLAY, told, task_id="forged", queue=QUEUE)
            self.forged += 10  # besides the work, which the coordinator may withdraw before a worker sees it

    def close(self) -> None:
        """Stop, once something was forged."""
        self.stop.set()
        self.join()
        for each in (*self._apps, self._server):
            each.close()


@contextmanager
def _intruder(arena: Arena) -> Iterator[Intruder]:
    with closing(Intruder(arena)) as intruder:
        intruder.start()
        yield intruder


def _played(arena: Arena, name: str) -> tuple[list[tuple[str, float, int]], list[Any]]:
    """Play a tournament to its end; what the bots have made, and how each game ended."""
    plan = {"name": name, "game": "heap_nim", "format": "double_round_robin", "openings": 2, "seed": 7}
    with arena.client() as client:
        client.create_tournament(plan | {"opening_plies": 2, "params": {"heaps": [1, 2, 3, 4]}})
        client.change(name, "open")
        for bot in ("one", "other"):
            client.enter(name, bot)
        client.change(name, "start")
        eventually(lambda: client.tournament(name).state == "finished")
        board = client.leaderboard(name)
        assert board.played == board.matches
    check_tables(arena, name)
    games = query(arena, WINNERS.format(name=name))
    return sorted((row.bot, row.points, row.wins) for row in board.items), games


@pytest.fixture(scope="module")
def arena(make_shared: MakeArena) -> Arena:
    """An arena with one worker, in whose environment are secrets."""
    return make_shared(1, **SECRETS)


@pytest.mark.long
def test_who_reaches_the_broker_changes_nothing(arena: Arena) -> None:
    """The table is that of an undisturbed tournament; what was forged is counted, and no process ended."""
    with arena.client() as client:
        for bot in ("one", "other"):
            client.submit(bot, "bot.py", thinker(0.05), games=["heap_nim"])
        for bot in ("one", "other"):
            assert client.await_check(bot, 1).state == "passed"
        calm = _played(arena, CALM)
        with _intruder(arena) as intruder:
            assert _played(arena, ATTACKED) == calm
            assert intruder.forged > 0
        eventually(lambda: _counted(arena) >= intruder.forged)
        why = {each.why for each in client.set_aside()}
    assert {"signature"} <= why
    assert {each.restarts for each in arena.state.children} == {0}
    assert query(arena, "SELECT number FROM matches WHERE lost > 0") == []
    ((name, languages),) = query(arena, "SELECT name, languages FROM hosts")
    assert (name, FORGED in str(languages)) == (socket.gethostname(), False)


def _counted(arena: Arena) -> int:
    return int(query(arena, "SELECT max(id) FROM set_aside")[0][0] or 0)


@pytest.mark.long
def test_a_worker_knows_neither_database_nor_the_arenas_key(arena: Arena) -> None:
    """In the environment of its process is nothing that leads there, whatever the arena's own has."""
    for child in arena.state.children:
        if not child.name.startswith(("worker", "checker")):
            continue
        told = psutil.Process(child.pid).environ()
        text = "\n".join(f"{name}={value}" for name, value in told.items())
        for hidden in (*SECRETS.values(), "sqlite", "signing-key", "DATABASE", "admin-token"):
            assert hidden not in text
