"""Where reports wait for the recorder, on a Valkey server of the test's own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import redis

from arena.coordinator.broker import CeleryBroker
from arena.coordinator.inbox import Inbox
from workers.app import CHUNK, HEARTBEAT, RECORD, RESULTS, create_app

Server = tuple[Path, subprocess.Popen[bytes]]


def test_reports_wait_until_they_are_removed(server: Server) -> None:
    """What workers send is read oldest first, matches' before chunks', as often as it is not removed."""
    url = f"redis+socket://{server[0]}"
    app, inbox = create_app("worker", url), Inbox(url)
    inbox.wait()
    assert inbox.oldest(10) == []
    told = {"token": "t", "host": "é", "result": {"moves": ["a1"]}}
    for task, number in ((CHUNK, 0), (HEARTBEAT, 1), (RECORD, 2), (RECORD, 3)):
        app.send_task(task, kwargs={**told, "match": number})
    inbox.wait()
    for _ in range(2):
        found = inbox.oldest(2)
        assert [(each.task, each.told) for each in found] == [
            (HEARTBEAT, {**told, "match": 1}),
            (RECORD, {**told, "match": 2}),
        ]
    for _ in range(2):
        inbox.remove(found)
    assert [each.told["match"] for each in inbox.oldest(2)] == [3]
    inbox.remove(inbox.oldest(2))
    assert [(each.task, each.told["match"]) for each in inbox.oldest(2)] == [(CHUNK, 0)]
    app.close()
    inbox.close()


def test_what_is_no_report_is_read_as_none(server: Server) -> None:
    """Whatever stands in the queue is a report without a task, and can be removed."""
    client = redis.Redis(unix_socket_path=str(server[0]))
    for garbage in (b"\xff", b"7", b"{}", b'{"body": "7", "headers": {}}', b'{"body": [], "headers": []}'):
        client.lpush(RESULTS, garbage)
    inbox = Inbox(f"redis+socket://{server[0]}")
    found = inbox.oldest(10)
    assert [(each.task, each.body, each.poison is None) for each in found] == [("", "", False)] * 5
    assert not any(each.poison and each.poison.__traceback__ for each in found), "it keeps all that was read"
    inbox.remove(found)
    assert inbox.oldest(10) == []
    inbox.close()
    client.close()


def test_of_long_elements_not_many_are_read(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once one is longer than reports are, each is read by itself, and no more when they are enough."""
    monkeypatch.setattr("arena.coordinator.inbox.LONG_BYTES", 100)
    monkeypatch.setattr("arena.coordinator.inbox.MAX_BATCH_BYTES", 1000)
    client = redis.Redis(unix_socket_path=str(server[0]))
    client.lpush(RESULTS, b"7", *(b"x" * 200 for _ in range(20)))
    inbox = Inbox(f"redis+socket://{server[0]}")
    assert [len(each.raw) for each in inbox.oldest(16)] == [1, *[200] * 5]
    inbox.close()
    client.close()


def test_what_is_held_is_put_by(server: Server) -> None:
    """Reports that were put by come with the next ones, take turns, and can be removed."""
    url = f"redis+socket://{server[0]}"
    app, inbox, coordinator = create_app("worker", url), Inbox(url), CeleryBroker(url)
    for task, number in ((CHUNK, 0), *((RECORD, number) for number in range(1, 5))):
        app.send_task(task, kwargs={"match": number})
    newest = coordinator.newest_report()
    assert newest is not None
    found = inbox.oldest(10)
    inbox.remove(found, held=found[:3])
    assert coordinator.newest_report() not in {None, newest}
    assert coordinator.report_waits(newest)
    told = []
    for _ in range(3):
        held = inbox.oldest(2)
        told.append([each.told["match"] for each in held])
        inbox.remove(held, held[:2])
    assert told == [[1, 2, 0], [3, 1], [2, 3]]
    inbox.remove(inbox.oldest(3))
    assert (inbox.oldest(10), coordinator.newest_report()) == ([], None)
    assert not coordinator.report_waits(newest)
    app.close()
    inbox.close()
