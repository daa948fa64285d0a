"""Many simulated workers in one process: ``python -m benchmarks.fleet_workers`` reads its orders as JSON.

What they say to the broker is what workers say: each waits for a message in its queues with a connection of
its own, as Celery does with kombu, notes what it has taken, gives signs of life, asks whether it is still
listened to, reports a result with legal moves, and says now and then what its host runs. Only no bot is
started: a match is a pause. Messages are those that Celery writes, with other contents.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import signal
import sys
import time
import uuid
from base64 import b64decode, b64encode
from collections import Counter
from functools import cache
from typing import Any, NamedTuple

import redis
import redis.asyncio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from benchmarks.standings import played
from workers.app import HEARTBEAT, HOST, RECORD, create_app, send
from workers.core.contract import MatchSpec
from workers.core.signing import SigningKey
from workers.host.refusals import key_of
from workers.programs.runtimes.languages import LANGUAGES
from workers.programs.serving import MATCHES, SIMULATIONS, queue_names

QUEUES = sorted(name for kind in (MATCHES, SIMULATIONS) for name in queue_names(kind))
BLOCK_SECONDS = 1
"""So long Celery waits at a time."""
ANSWERED_WITHIN_SECONDS = 1.0
SAMPLES = "bench.samples"
UNACKED, INDEX = "unacked", "unacked_index"


class Orders(NamedTuple):
    """What a process is told: its workers' numbers, how long things take, and how many of them fail.

    On SIGUSR1 `killed` of the workers are gone, and `silent` say nothing until `silence_seconds` later.
    """

    socket: str
    first: int
    workers: int
    slots: int
    match_seconds: float
    heartbeat_seconds: float
    register_seconds: float
    killed: int
    silent: int
    silence_seconds: float


@cache
def signing_key_of(host: str) -> SigningKey:
    """The key of a host, which follows from its name."""
    return SigningKey(Ed25519PrivateKey.from_private_bytes(hashlib.sha256(host.encode()).digest()))


class Messages:
    """Celery's own messages, as samples of which the contents are exchanged."""

    def __init__(self, socket: str) -> None:
        self._samples: dict[str, tuple[str, dict[str, Any]]] = {}
        app = create_app("fleet", f"redis+socket://{socket}")
        with redis.Redis(unix_socket_path=socket) as client:
            for task in (HEARTBEAT, RECORD, HOST):
                queue = app.conf.task_routes[task]["queue"]
                send(app, task, {}, queue=f"{SAMPLES}.{task}")
                raw: Any = client.rpop(f"{SAMPLES}.{task}")
                sample = json.loads(raw)
                sample["properties"]["delivery_info"]["routing_key"] = queue
                self._samples[task] = queue, sample
        app.close()

    def made(self, task: str, told: dict[str, Any]) -> tuple[str, bytes]:
        """The queue and the message of a task that is told that."""
        queue, sample = self._samples[task]
        name = str(uuid.uuid4())
        body = json.dumps([[], told, {"callbacks": None, "errbacks": None, "chain": None, "chord": None}])
        headers = {**sample["headers"], "id": name, "root_id": name}
        properties = {**sample["properties"], "correlation_id": name, "delivery_tag": str(uuid.uuid4())}
        content = b64encode(body.encode()).decode()
        properties["signature"] = signing_key_of(told["host"]).signature(queue, task, name, content)
        return queue, json.dumps(
            {**sample, "body": content, "headers": headers, "properties": properties}
        ).encode()


class Fleet:
    """The workers of a process, and what they have seen."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.messages = Messages(orders.socket)
        self.waits: list[tuple[float, float]] = []
        self.seen = Counter[str]()
        self._failing, self._stopped = asyncio.Event(), asyncio.Event()

    async def work(self) -> None:
        """Let all work until SIGTERM."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, self._failing.set)
        loop.add_signal_handler(signal.SIGTERM, self._stopped.set)
        numbers = range(self.orders.first, self.orders.first + self.orders.workers)
        workers = [Worker(self, number) for number in numbers]
        tasks = [asyncio.create_task(worker.run()) for worker in workers]
        signs = [asyncio.create_task(worker.keep_registered()) for worker in workers]
        await self._failing.wait()
        for at, worker in enumerate(workers):
            if at < self.orders.killed:
                self.seen["killed"] += 1
                tasks[at].cancel()
                signs[at].cancel()
            elif at < self.orders.killed + self.orders.silent:
                worker.silent = True
        await self._stopped.wait()
        for task in (*tasks, *signs):
            if task.done() and not task.cancelled():
                task.result()

    def told(self) -> dict[str, Any]:
        """What was seen."""
        return {"waits": self.waits, **self.seen}


class Worker:
    """One process of a worker host."""

    def __init__(self, fleet: Fleet, number: int) -> None:
        self._fleet, self._orders = fleet, fleet.orders
        self._host = f"host-{number // fleet.orders.slots}"
        self._process = f"slot{number % fleet.orders.slots}@{self._host}"
        path = fleet.orders.socket
        self._waiting = redis.asyncio.Redis(unix_socket_path=path, single_connection_client=True)
        self._speaking = redis.asyncio.Redis(unix_socket_path=path, single_connection_client=True)
        self.silent = False

    async def keep_registered(self) -> None:
        """Say what the host runs, again and again."""
        await asyncio.sleep(random.uniform(0, min(5.0, self._orders.register_seconds)))
        versions = {name: f"{language.title} 1.0" for name, language in LANGUAGES.items()}
        about = {"host": self._host, "languages": versions, "process": self._process, "speed": 1.0}
        while True:
            if not self.silent:
                await self._say(HOST, about | {"cores": self._orders.slots, "takes": [MATCHES, SIMULATIONS]})
            await asyncio.sleep(self._orders.register_seconds)

    async def run(self) -> None:
        """Take matches and play them."""
        await asyncio.sleep(random.uniform(0, 5))
        began = time.time()
        while True:
            taken = await self._waiting.brpop(QUEUES, timeout=BLOCK_SECONDS)
            if taken is None:
                continue
            now = time.time()
            self._fleet.waits.append((now, now - began))
            self._fleet.seen["taken"] += 1
            await self._play(*taken)
            began = time.time()

    async def _play(self, queue: bytes, raw: bytes) -> None:
        message = json.loads(raw)
        tag = message["properties"]["delivery_tag"]
        noted = self._waiting.pipeline()
        noted.zadd(INDEX, {tag: time.time()})
        noted.hset(UNACKED, tag, json.dumps([message, "", queue.decode()]))
        await noted.execute()
        _, told, _ = json.loads(b64decode(message["body"]))
        spec = MatchSpec.model_validate(told["spec"])
        about = {"match": spec.match, "attempt": told["attempt"], "token": told["token"], "host": self._host}
        if await self._last(about):
            await self._say(RECORD, about | {"result": played(spec)})
            self._fleet.seen["late" if self.silent else "reported"] += 1
            self.silent = False
        done = self._waiting.pipeline()
        done.zrem(INDEX, tag)
        done.hdel(UNACKED, tag)
        await done.execute()

    async def _last(self, about: dict[str, Any]) -> bool:
        """Let a match last, with its signs of life; whether it was played to its end."""
        left = self._orders.match_seconds * random.uniform(0.5, 1.5)
        await self._say(HEARTBEAT, about)
        while left > 0:
            pause = min(left, self._orders.heartbeat_seconds)
            answered = min(pause, ANSWERED_WITHIN_SECONDS)
            await asyncio.sleep(answered)
            if not self.silent and await self._speaking.exists(key_of(str(about["token"]))):
                self._fleet.seen["broken off"] += 1
                return False
            await asyncio.sleep(pause - answered)
            left -= pause
            if self.silent:
                await asyncio.sleep(self._orders.silence_seconds)
                return True
            if left > 0:
                await self._say(HEARTBEAT, about)
        return True

    async def _say(self, task: str, told: dict[str, Any]) -> None:
        queue, message = self._fleet.messages.made(task, told)
        await self._speaking.lpush(queue, message)


def main() -> None:
    """Work as the orders in the standard input say, and print what was seen; connections end as they are."""
    fleet = Fleet(Orders(**json.load(sys.stdin)))
    loop = asyncio.new_event_loop()
    loop.run_until_complete(fleet.work())
    print(json.dumps(fleet.told()), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
