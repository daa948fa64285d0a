"""What workers take from a queue: what the arena has signed, whatever else stands there."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import redis

from arena.coordinator.broker import CeleryBroker
from arena.coordinator.messages import Message
from tests.integration.arena.coordinator.test_broker import SPEC, TOKEN
from workers.app import create_app, send
from workers.core.signing import new_key
from workers.core.transport import set_aside

QUEUE, CHECKS = "matches.python", "checks.python"
PATIENCE_SECONDS = 300


def test_workers_take_what_the_arena_has_signed(server: tuple[Path, subprocess.Popen[bytes]]) -> None:
    """Also when another host has given it back; other work and garbage are set aside with the reason.

    So is work that was put where the arena has not put it.
    """
    url, found = f"redis+socket://{server[0]}", list[tuple[str, str]]()

    def see(queue: str, why: str, **_: Any) -> None:
        found.append((queue, why))

    set_aside.connect(see)
    key, own, other = new_key(), new_key(), new_key()
    broker = CeleryBroker(url, lambda: key)
    worker = create_app("worker", url, signer=lambda: own, trusted=lambda: key.public)
    stranger = create_app("stranger", url, signer=lambda: other)
    broker.publish(Message(SPEC, 1, TOKEN, "python"))
    with worker.connection() as connection:
        queue = connection.SimpleQueue(QUEUE)
        taken = queue.get(timeout=PATIENCE_SECONDS)
        taken.ack()
        told: dict[str, Any] = {"task_id": TOKEN, "queue": QUEUE}
        send(stranger, taken.headers["task"], taken.payload[1], **told)
        send(worker, taken.headers["task"], taken.payload[1], **told)
        with redis.Redis(unix_socket_path=str(server[0])) as client:
            client.lpush(QUEUE, b"no json", b"[]", b'{"__type__": "uuid", "__value__": 7}')
        back: dict[str, Any] = {"signature": taken.properties["signature"]}
        send(worker, taken.headers["task"], taken.payload[1], **told, **back)
        again = queue.get(timeout=PATIENCE_SECONDS)
        assert (again.headers["id"], again.payload) == (TOKEN, taken.payload)
        again.ack()
        queue.close()
        checks = connection.SimpleQueue(CHECKS)
        send(worker, taken.headers["task"], taken.payload[1], **told | {"queue": CHECKS}, **back)
        with pytest.raises(checks.Empty):
            checks.get(timeout=1)
        checks.close()
    signed, aside = (QUEUE, "signature"), ("", "no_json")
    assert found == [signed, signed, aside, (QUEUE, "shape"), aside, (CHECKS, "signature")]
    for each in (worker, stranger, broker):
        each.close()


def test_a_worker_asks_for_more_after_a_message_that_it_could_not_acknowledge(
    server: tuple[Path, subprocess.Popen[bytes]],
) -> None:
    """Else a worker would never look again for a broker that died when its one message was done."""
    socket, process = server
    app = create_app("worker", f"redis+socket://{socket}")
    with app.connection() as connection:
        channel: Any = connection.channel()
        queue = connection.SimpleQueue(QUEUE, channel=channel)
        channel.basic_qos(0, 1, False)
        queue.put({})
        message = channel.basic_get(QUEUE)
        assert not channel.qos.can_consume()
        process.kill()
        process.wait()
        with pytest.raises(connection.connection_errors):
            channel.basic_ack(message.delivery_tag)
        assert channel.qos.can_consume()
    app.close()
