"""A process that takes nothing new: when it is told so, and after it was started anew."""

from __future__ import annotations

import socket
from types import SimpleNamespace
from typing import Any, cast

import pytest
import redis

from workers.host import draining
from workers.host.draining import Tap, look
from workers.host.drains import Drains, key_of
from workers.host.presence import PRESENCE, Presence


class Consumer:
    """The queues that Celery's consumer takes from."""

    def __init__(self, *queues: str) -> None:
        self.taken = set(queues)
        self.timer: Any = None
        self.app = SimpleNamespace(
            amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=dict.fromkeys(queues)))
        )

    def cancel_task_queue(self, name: str) -> None:
        """Take from it no more."""
        self.taken.remove(name)

    def add_task_queue(self, name: str) -> None:
        """Take from it again."""
        self.taken.add(name)


class Kept:
    """What a broker keeps, or the broker that is away."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.away = False

    def set(self, key: str, _value: int) -> None:
        """Keep the key."""
        self.keys.add(key)

    def delete(self, key: str) -> None:
        """Forget it."""
        self.keys.discard(key)

    def exists(self, key: str) -> int:
        """Whether it is kept."""
        if self.away:
            raise redis.ConnectionError("away")
        return int(key in self.keys)

    def close(self) -> None:
        """Nothing is held open."""


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    """What every client of redis-py reaches."""
    kept = Kept()
    monkeypatch.setattr(redis.Redis, "from_url", lambda *_, **__: kept)
    return kept


def test_a_process_does_as_its_host_is_told(kept: Kept) -> None:
    """It takes from no queue while its host drains, from all of them after; while nobody says, as before."""
    consumer, drains = Consumer("matches", "matches.c"), Drains("redis://localhost/0")
    tap = Tap(consumer)
    drains.tell("other", draining=True)
    look(tap, drains, "pc-7")
    assert consumer.taken == {"matches", "matches.c"}
    drains.tell("pc-7", draining=True)
    assert kept.keys == {key_of("other"), key_of("pc-7")}
    look(tap, drains, "pc-7")
    assert (consumer.taken, PRESENCE.draining) == (set(), True)
    kept.away = True
    look(tap, drains, "pc-7")
    assert consumer.taken == set()
    kept.away = False
    drains.tell("pc-7", draining=False)
    look(tap, drains, "pc-7")
    assert (consumer.taken, PRESENCE.draining) == ({"matches", "matches.c"}, False)
    drains.close()


def test_a_process_that_is_started_anew_takes_nothing(kept: Kept) -> None:
    """What the broker keeps is looked at before the first message."""
    del kept
    drains = Drains("redis://localhost/0")
    drains.tell("pc-7", draining=True)
    consumer = Consumer("checks")
    look(Tap(cast("Any", consumer)), drains, "pc-7")
    assert consumer.taken == set()
    PRESENCE.drain(draining=False)


def test_a_process_looks_again_although_its_first_look_broke_off(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connection was lost while it left its queues, and nobody says again that it is ready."""
    kept.keys.add(key_of(socket.gethostname()))
    consumer, again = Consumer("matches", "moves"), list[Any]()
    consumer.timer = SimpleNamespace(call_repeatedly=lambda _, run, told: again.append((run, told)))
    with monkeypatch.context() as patch:
        patch.setattr(consumer, "cancel_task_queue", lost)
        with pytest.raises(redis.ConnectionError):
            draining._keep_looking(sender=consumer)
    ((run, told),) = again
    run(*told)
    assert consumer.taken == set()
    PRESENCE.drain(draining=False)


def test_a_host_that_is_wanted_again_is_open_although_its_closing_broke_off(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some queues were left by then, and are taken from again."""
    consumer, drains = Consumer("matches", "moves"), Drains("redis://localhost/0")
    tap = Tap(consumer)
    kept.keys.add(key_of("pc-7"))
    consumer.taken.remove("matches")
    with monkeypatch.context() as patch:
        patch.setattr(consumer, "cancel_task_queue", lost)
        with pytest.raises(redis.ConnectionError):
            look(tap, drains, "pc-7")
    kept.keys.clear()
    look(tap, drains, "pc-7")
    assert consumer.taken == {"matches", "moves"}
    PRESENCE.drain(draining=False)


def lost(_name: str) -> None:
    """What becomes of anything that is said to a broker."""
    raise redis.ConnectionError("lost")


def test_what_is_in_hand_is_told_while_it_lasts() -> None:
    """Of work is told what it is, on which core and since when; after its end nothing."""
    presence = Presence()
    with presence.at_work("matches", "17", 2) as doing:
        doing.core = 3
        told = doing.told()
        seen = [presence.doing is doing]
    seen.append(presence.doing is None)
    assert seen == [True, True]
    assert {key: told[key] for key in ("kind", "about", "attempt", "core")} == {
        "kind": "matches",
        "about": "17",
        "attempt": 2,
        "core": 3,
    }


def test_only_what_lasts_is_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for news is woken by work that goes on, and at once by draining, not by work that is over."""
    presence, slept = Presence(), list[float]()
    monkeypatch.setattr("workers.host.presence.time.sleep", slept.append)
    with presence.at_work("matches", "1", 1):
        presence.wait(60)
    assert len(slept) == 1
    with presence.at_work("matches", "2", 1):
        pass
    presence.wait(0.01)
    presence.drain(draining=True)
    presence.wait(60)
    assert presence.draining
