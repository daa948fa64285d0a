"""The real broker behind the seam, on a Valkey server of the test's own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis

from arena.coordinator.broker import Broker, CeleryBroker
from arena.coordinator.messages import ChunkMessage, Message
from arena.core.errors import FullError, InvalidError, UnavailableError
from tests.integration.arena.coordinator.conftest import PATIENCE_SECONDS
from tests.integration.arena.lab import SPEC as EXPERIMENT
from tests.memory_broker import MemoryBroker
from workers.app import RESULTS, TALLIES, create_app
from workers.core.contract import BotRef, GameSpec, MatchSpec
from workers.programs.serving import MATCHES, SCRIMMAGES, SIMULATIONS

TOKEN = "0123456789abcdef" * 2
SPEC = MatchSpec(
    match="1", game=GameSpec(name="reversed_reversi"), bots=(BotRef(name="one"), BotRef(name="two"))
)
CHUNK = ChunkMessage(EXPERIMENT, experiment=1, start=0, count=20, cut=0, attempt=1, token=TOKEN, needs="")


def _questions(broker: Broker) -> list[Callable[[], object]]:
    return [
        broker.ping,
        broker.waiting_ids,
        broker.waiting,
        broker.taken_ids,
        broker.newest_report,
        lambda: broker.report_waits("{}"),
        lambda: broker.check_steps(TOKEN),
        lambda: broker.withdraw({TOKEN}),
        lambda: broker.publish(Message(SPEC, 2, TOKEN, "c")),
        lambda: broker.publish(CHUNK),
        lambda: broker.waiting_ids(SIMULATIONS),
        lambda: broker.newest_report(SIMULATIONS),
    ]


def test_a_published_match_waits_under_its_token(server: tuple[Path, subprocess.Popen[bytes]]) -> None:
    """The message is in the workers' queue, can be found by its token, and is JSON."""
    socket, _ = server
    broker = CeleryBroker(f"redis+socket://{socket}")
    broker.ping()
    assert set(broker.waiting_ids()) == set()
    broker.publish(Message(SPEC, 3, TOKEN, "c+python"))
    assert set(broker.waiting_ids()) == {TOKEN}
    client = redis.Redis(unix_socket_path=str(socket))
    (raw,) = client.lrange("matches.c+python", 0, -1)
    message = json.loads(raw)
    assert (message["headers"]["task"], message["content-type"]) == ("workers.play", "application/json")
    client.delete("matches.c+python")
    client.close()
    assert set(broker.waiting_ids()) == set()
    broker.close()


def test_what_is_as_always_is_not_said() -> None:
    """So that an older worker reads the rest; the number of the format is said in any case."""
    told = Message(SPEC, 3, TOKEN, "c").arguments["spec"]
    assert told["format"] == SPEC.format
    assert MatchSpec.model_validate(told) == SPEC
    assert {"opening", "reuse"}.isdisjoint(told)


def test_a_message_is_withdrawn_by_its_token(server: tuple[Path, subprocess.Popen[bytes]]) -> None:
    """Only the messages named leave the queue; the newest report is told, and how long it waits."""
    socket, _ = server
    broker = CeleryBroker(f"redis+socket://{socket}")
    other = TOKEN[::-1]
    for token in (TOKEN, other):
        broker.publish(Message(SPEC, 1, token, "python"))
    broker.withdraw({TOKEN, "nobody's"})
    assert set(broker.waiting_ids()) == {other}
    assert (broker.waiting(), broker.newest_report()) == (1, None)
    client = redis.Redis(unix_socket_path=str(socket))
    client.lpush("results", b"{}", b"[]")
    assert broker.newest_report() == "[]"
    assert (broker.report_waits("{}"), broker.report_waits("[]")) == (True, True)
    client.rpop("results")
    client.close()
    assert (broker.report_waits("{}"), broker.report_waits("[]")) == (False, True)
    broker.close()


def test_what_a_worker_has_taken_is_known_until_it_is_acknowledged(
    server: tuple[Path, subprocess.Popen[bytes]],
) -> None:
    """It is in no queue then, and yet not gone."""
    socket, _ = server
    broker = CeleryBroker(f"redis+socket://{socket}")
    broker.publish(Message(SPEC, 1, TOKEN, "c"))
    broker.publish(Message(SPEC, 1, "other", "c"))
    app, taken = create_app("test", f"redis+socket://{socket}"), list[Any]()
    with app.connection_for_read() as connection:
        consumer = app.amqp.TaskConsumer(
            connection.channel(), queues=[app.amqp.queues["matches.c"]], on_message=taken.append
        )
        consumer.qos(prefetch_count=1)
        with consumer:
            connection.drain_events(timeout=PATIENCE_SECONDS)
            assert (set(broker.taken_ids()), set(broker.waiting_ids())) == ({TOKEN}, {"other"})
            taken[0].ack()
            assert set(broker.taken_ids()) == set()
    app.close()
    broker.close()


def test_chunks_and_their_reports_have_queues_of_their_own(
    server: tuple[Path, subprocess.Popen[bytes]],
) -> None:
    """A chunk waits, is found and is withdrawn without a match being touched."""
    socket, _ = server
    broker = CeleryBroker(f"redis+socket://{socket}")
    broker.publish(CHUNK)
    broker.publish(Message(SPEC, 1, "match", "go"))
    client = redis.Redis(unix_socket_path=str(socket))
    (raw,) = client.lrange("simulations", 0, -1)
    assert json.loads(raw)["headers"]["task"] == "workers.simulate"
    client.lpush("tallies", b"{}")
    client.close()
    assert (set(broker.waiting_ids()), set(broker.waiting_ids(SIMULATIONS))) == ({"match"}, {TOKEN})
    assert (broker.newest_report(), broker.newest_report(SIMULATIONS)) == (None, "{}")
    broker.withdraw({TOKEN, "match"}, SIMULATIONS)
    assert (broker.waiting(), broker.waiting(SIMULATIONS)) == (1, 0)
    broker.close()


@pytest.mark.parametrize(
    ("first", "second"), [(MATCHES, SCRIMMAGES), (SCRIMMAGES, SIMULATIONS), (RESULTS, TALLIES)]
)
def test_what_concerns_matches_is_taken_first(
    server: tuple[Path, subprocess.Popen[bytes]], first: str, second: str
) -> None:
    """Whoever takes from both queues gets to the second one only when the first is empty."""
    socket, _ = server
    app = create_app("test", f"redis+socket://{socket}")
    taken: list[str] = []

    def take(message: Any) -> None:
        taken.append(message.delivery_info["routing_key"])
        message.ack()

    for queue in (second, first) * 3:
        app.send_task("a task", queue=queue)
    with app.connection_for_read() as connection:
        consumer = app.amqp.TaskConsumer(
            connection.channel(),
            queues=[app.amqp.queues[second], app.amqp.queues[first]],
            on_message=take,
        )
        consumer.qos(prefetch_count=1)
        with consumer:
            while len(taken) < 6:
                connection.drain_events(timeout=PATIENCE_SECONDS)
    assert taken == [first] * 3 + [second] * 3
    app.close()


def test_a_broker_that_is_gone_is_unavailable(server: tuple[Path, subprocess.Popen[bytes]]) -> None:
    """Every method says so in the arena's own error, whether it was connected before or not."""
    socket, process = server
    broker = CeleryBroker(f"redis+socket://{socket}")
    broker.publish(Message(SPEC, 1, TOKEN, "c"))
    process.kill()
    process.wait()
    for ask in _questions(broker):
        with pytest.raises(UnavailableError):
            ask()
    broker.close()


def test_a_broker_without_room_says_so(server: tuple[Path, subprocess.Popen[bytes]]) -> None:
    """A server that answers and takes nothing is not taken for one that works, until it has room again."""
    socket, _ = server
    broker = CeleryBroker(f"redis+socket://{socket}")
    client = redis.Redis(unix_socket_path=str(socket))
    client.config_set("maxmemory-policy", "noeviction")
    client.config_set("maxmemory", "1mb")
    with pytest.raises(redis.OutOfMemoryError):
        client.set("ballast", bytes(1_000_000))
    with pytest.raises(FullError, match="memory is full"):
        broker.ping()
    with pytest.raises(UnavailableError):
        broker.publish(Message(SPEC, 1, TOKEN, "c"))
    client.config_set("maxmemory", 0)
    broker.ping()
    client.close()
    broker.close()


@pytest.mark.parametrize("url", ["amqp://localhost", "memory://", "nonsense"])
def test_other_brokers_are_refused(url: str) -> None:
    """A queue that cannot be looked into is no broker for the coordinator."""
    with pytest.raises(InvalidError, match="Redis or Valkey"):
        CeleryBroker(url)


def test_the_fake_keeps_the_same_promises() -> None:
    """The broker in memory shows what waits, and is unavailable while it is away."""
    broker = MemoryBroker()
    broker.publish(Message(SPEC, 1, TOKEN, "c"))
    broker.publish(Message(SPEC, 1, "other", "c"))
    broker.withdraw({"other"})
    broker.publish(CHUNK)
    broker.withdraw({TOKEN}, SIMULATIONS)
    assert set(broker.waiting_ids()) == {TOKEN}
    assert (broker.waiting(), broker.newest_report()) == (1, None)
    broker.reported = 1
    assert broker.report_waits(broker.newest_report() or "")
    broker.taken_in = 1
    assert not broker.report_waits("1")
    broker.away = True
    for ask in _questions(broker):
        with pytest.raises(UnavailableError):
            ask()
