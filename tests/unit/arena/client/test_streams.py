"""Streams of events as programs read them."""

from __future__ import annotations

import httpx2
import pytest

from arena.client import http
from arena.client.errors import ForeignError, RefusedError
from arena.client.http import ArenaClient
from arena.client.streams import StreamEvent, events_in

TOLD = (
    'retry: 2000\n\nid: 4\nevent: match.recorded\ndata: {"match": 1}\n\n: \n\n'
    'event: moves\ndata: {"a":\ndata: 2}\n\n'
)


def test_a_stream_is_read_event_by_event() -> None:
    """Numbers, kinds and data of several lines are read; comments are signs of life; the rest is skipped."""
    assert list(events_in([*TOLD.split("\n"), "id: 7", ": here", "", "id: 9", "data: {}"])) == [
        StreamEvent(4, "match.recorded", {"match": 1}),
        StreamEvent(None, "", {}),
        StreamEvent(None, "moves", {"a": 2}),
        StreamEvent(7, "", {}),
    ]


@pytest.mark.parametrize("line", ["data: nonsense", "data: [1]", 'data: "text"', "data: 7", "id: seven"])
def test_what_no_arena_sends_is_refused(line: str) -> None:
    """Data that are no object, and numbers that are none, are of something else."""
    with pytest.raises(ForeignError):
        list(events_in([line, ""]))


def test_following_from_now_on_misses_nothing_of_a_break(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was told no event yet, but where the stream begins, reads on from there."""
    monkeypatch.setattr(http, "RETRY_SECONDS", 0)
    asked: list[str | None] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.headers.get("last-event-id"))
        begins = "retry: 2000\n\nid: 7\n: here begins the present\n\n"
        told = "id: 8\nevent: announcement\ndata: {}\n\n" if len(asked) == 2 else ""
        return httpx2.Response(200, text=begins + told)

    with ArenaClient("http://arena.test", transport=httpx2.MockTransport(answer)) as client:
        assert next(client.events("cup")).number == 8
    assert asked == [None, "7"]


def test_following_goes_on_where_it_was_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a broken connection, and one that just ended, the last number is sent; a refusal is raised."""
    monkeypatch.setattr(http, "RETRY_SECONDS", 0)
    asked: list[tuple[str | None, str]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append((request.headers.get("last-event-id"), request.url.path))
        if len(asked) == 1:
            return httpx2.Response(200, text=TOLD)
        if len(asked) == 2:
            raise httpx2.ConnectError("gone")
        if len(asked) == 3:
            return httpx2.Response(200, text="id: 5\nevent: announcement\ndata: {}\n\n")
        return httpx2.Response(404, json={"title": "Not found", "detail": "there is no tournament"})

    with ArenaClient("http://arena.test", transport=httpx2.MockTransport(answer)) as client:
        events = client.events("cup")
        found = [next(events) for _ in range(3)]
        with pytest.raises(RefusedError):
            next(events)
    assert [(each.number, each.kind) for each in found] == [
        (4, "match.recorded"),
        (None, "moves"),
        (5, "announcement"),
    ]
    assert [number for number, _ in asked] == [None, "4", "4", "5"]
    assert {path for _, path in asked} == {"/api/v1/tournaments/cup/events"}
