"""Following a real arena while its parts are killed: nothing is left out, nothing comes twice."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from arena.client.streams import StreamEvent
from tests.acceptance.bots import thinker
from tests.acceptance.conftest import IMPATIENT, PATIENCE, Arena, MakeArena, eventually

pytestmark = pytest.mark.long

NAME = "followed"


class Follower(threading.Thread):
    """Follows the tournament until it is finished and the announcement was made, whichever is later."""

    def __init__(self, arena: Arena) -> None:
        super().__init__(daemon=True)
        self._arena = arena
        self.events: list[StreamEvent] = []

    def run(self) -> None:
        with self._arena.client() as client:
            for event in client.events(NAME, after=0, moves=True, patience=PATIENCE):
                self.events.append(event)
                if _is_all(self.events):
                    return

    def kinds(self) -> list[str]:
        """What came so far."""
        return [event.kind for event in self.events]


@contextmanager
def _receiver() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """An address that takes whatever is posted to it, and what it has taken."""
    taken: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append({"id": self.headers["webhook-id"], **json.loads(body)})
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", taken
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _is_all(events: list[StreamEvent]) -> bool:
    return {"tournament.finished", "announcement"} <= {event.kind for event in events}


def _numbers(events: list[StreamEvent]) -> list[int]:
    return [event.number for event in events if event.number is not None]


def _deliveries(arena: Arena) -> set[str]:
    return {each["state"] for each in arena.json("webhook", "deliveries", "1")["deliveries"]}


def test_who_follows_misses_nothing_while_parts_are_killed(make_arena: MakeArena) -> None:
    """With API, broker, coordinator, recorder and courier killed, each event comes once, in order; moves too.

    The webhook is told of the same, at least once each.
    """
    arena = make_arena(1, ARENA_WEBHOOK_PRIVATE="true", **IMPATIENT)
    arena.command("tournament", "create", NAME, "--param", "size=4", "--openings", "0", "--open")
    with arena.client() as client:
        for name in ("one", "two", "three"):
            client.submit(name, "bot.py", thinker(0.3))
        for name in ("one", "two", "three"):
            assert client.await_check(name, 1).state == "passed"
            client.enter(NAME, name)
    with _receiver() as (url, taken):
        arena.command("webhook", "create", url, "--kind", "match.recorded", "--kind", "tournament.*")
        follower = Follower(arena)
        follower.start()
        arena.command("tournament", "start", NAME)
        eventually(lambda: "moves" in follower.kinds())
        for part in ("api", "valkey", "coordinator", "recorder", "courier"):
            arena.kill(part)
        eventually(arena.healthy)
        arena.command("announce", "still here", "--tournament", NAME)
        eventually(lambda: not follower.is_alive())
        eventually(lambda: "tournament.finished" in [each["type"] for each in taken])
        recorded = [event for event in follower.events if event.kind == "match.recorded"]
        expected = {event.number for event in recorded}
        eventually(
            lambda: {each["data"]["number"] for each in taken if each["type"] == "match.recorded"} == expected
        )
        eventually(lambda: _deliveries(arena) == {"delivered"})
    numbers = _numbers(follower.events)
    assert numbers == sorted(set(numbers))
    with arena.client() as client:
        again: list[StreamEvent] = []
        for event in client.events(NAME, after=0):
            again.append(event)
            if _is_all(again):
                break
        assert _numbers(again) == numbers
        assert sorted(event.data["match"] for event in recorded) == [1, 2, 3]
        assert client.tournament(NAME).matches == {"finished": 3}


def test_streams_do_not_keep_an_arena_from_ending(make_arena: MakeArena) -> None:
    """Told to stop while somebody follows, the API ends by itself."""
    arena = make_arena(0)
    with arena.client() as client:
        arena.command("announce", "one")
        events = client.events(after=0)
        next(events)
        arena.down()
        log = arena.folder.log_of("api").read_text(encoding="utf-8")
        assert "Application shutdown complete" in log
