"""A broker with the rights of each role as deployments have them: each can do its own work only."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from arena.coordinator.broker import CeleryBroker
from arena.coordinator.inbox import Inbox
from arena.coordinator.messages import Message
from arena.events.bell import Bell, Listener
from tests.integration.arena.coordinator.test_broker import SPEC, TOKEN
from tests.valkey import valkey
from workers.app import HEARTBEAT, RECORD, create_app, send
from workers.core.live import place
from workers.host.drains import Drains
from workers.host.live import LiveMoves
from workers.host.refusals import Refusals

RIGHTS = Path(__file__).parents[4] / "deploy" / "redis" / "users.acl"
ROLES = ("worker", "coordinator", "api")
Roles = Callable[[str], str]


@pytest.fixture(scope="module")
def roles() -> Iterator[Roles]:
    """The broker's address for each role."""
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        shutil.copy(RIGHTS, Path(folder) / "users.acl")
        with valkey(Path(folder), "--aclfile", f"{folder}/users.acl") as (socket, _):
            yield lambda role: f"redis+socket://{role}:change-{role}@{socket}"


def _client(socket: Path, role: str) -> Any:
    return redis.Redis(unix_socket_path=str(socket), username=role, password=f"change-{role}")


def _socket_of(roles: Roles) -> Path:
    return Path(roles("api").partition("@")[2])


def test_each_role_can_do_its_work(roles: Roles) -> None:
    """Work is given out, taken and given back, reported and taken in, and what is told beside it arrives."""
    coordinator, api = CeleryBroker(roles("coordinator")), CeleryBroker(roles("api"))
    worker, inbox = create_app("worker", roles("worker")), Inbox(roles("coordinator"))
    coordinator.publish(Message(SPEC, 1, TOKEN, "python"))
    assert set(api.waiting_ids()) == {TOKEN}
    with worker.connection() as connection:
        queue = connection.SimpleQueue("matches.python")
        message = queue.get(timeout=60)
        assert coordinator.taken_ids() == {TOKEN}
        message.requeue()
        queue.get(timeout=60).ack()
        queue.close()
    for task in (HEARTBEAT, RECORD):
        send(worker, task, {"match": 1})
    inbox.wait()
    found = inbox.oldest(5)
    assert [each.task for each in found] == [HEARTBEAT, RECORD]
    newest = coordinator.newest_report()
    assert newest is not None
    assert coordinator.report_waits(newest)
    inbox.remove(found, held=found[:1])
    inbox.remove(inbox.oldest(5))
    for each in (coordinator, api):
        each.ping()
        each.drain("pc-7", draining=True)
        assert each.check_steps(TOKEN) == b""
    Refusals(roles("coordinator")).refuse(TOKEN)
    assert Refusals(roles("worker")).refused(TOKEN)
    assert Drains(roles("worker")).asked("pc-7")
    listener = Listener(roles("api"), 60)
    assert listener.heard(60)
    Bell(roles("coordinator")).ring()
    assert listener.heard(60) or listener.heard(60)  # the first may be told of the subscription
    LiveMoves(roles("worker"))._redis.append(place(TOKEN), b"x")


@pytest.mark.parametrize("role", ROLES)
def test_no_role_rules_the_server(roles: Roles, role: str) -> None:
    """It cannot be ended, emptied or set otherwise, nor do strangers come in at all."""
    socket = _socket_of(roles)
    client = _client(socket, role)
    for order in (
        *(
            ("CONFIG", "SET", "maxmemory", "1"),
            ("CONFIG", "GET", "*"),
            ("SHUTDOWN",),
            ("FLUSHALL",),
            ("FLUSHDB",),
        ),
        *(("KEYS", "*"), ("SCAN", "0"), ("EVAL", "return 1", "0"), ("MONITOR",)),
        *(
            ("ACL", "LIST"),
            ("ACL", "SETUSER", role, "+@all"),
            ("CLIENT", "KILL", "ID", "1"),
            ("REPLICAOF", "x", "1"),
        ),
    ):
        with pytest.raises(redis.exceptions.NoPermissionError):
            client.execute_command(*order)
    client.close()
    stranger = redis.Redis(unix_socket_path=str(socket), retry=Retry(NoBackoff(), 0))
    with pytest.raises(redis.exceptions.AuthenticationError):
        stranger.ping()


@pytest.mark.parametrize(
    ("role", "order"),
    [
        ("worker", ("LRANGE", "results", 0, -1)),
        ("worker", ("RPOP", "results")),
        ("worker", ("DEL", "results")),
        ("worker", ("LRANGE", "matches.python", 0, -1)),
        ("worker", ("SET", "arena.refused.x", 1)),
        ("worker", ("SET", "arena.draining.pc-7", 1)),
        ("worker", ("GET", "arena.live.x")),
        ("worker", ("PUBLISH", "arena.bell", "")),
        ("worker", ("LPUSH", "results.held", "x")),
        ("coordinator", ("BRPOP", "matches.python", 1)),
        ("coordinator", ("APPEND", "arena.live.x", "x")),
        ("api", ("LPUSH", "results", "x")),
        ("api", ("LRANGE", "results", 0, -1)),
        ("api", ("LPUSH", "matches.python", "x")),
        ("api", ("SET", "arena.refused.x", 1)),
    ],
    ids=str,
)
def test_no_role_does_the_work_of_another(roles: Roles, role: str, order: tuple[Any, ...]) -> None:
    """What it has no use for is refused."""
    with (
        contextlib.closing(_client(_socket_of(roles), role)) as client,
        pytest.raises(redis.exceptions.NoPermissionError),
    ):
        client.execute_command(*order)
