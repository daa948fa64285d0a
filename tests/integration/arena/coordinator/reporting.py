"""Reports as workers send them, and a recorder that takes them in, with fakes of what it answers by."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any, cast

import redis

from arena.coordinator.inbox import Delivery
from arena.coordinator.messages import Message
from arena.coordinator.recorder import Recorder
from arena.store import set_aside
from tests.integration.arena.world import World, play
from workers.app import RECORD
from workers.core.contract import MatchResult
from workers.host.drains import Drains
from workers.host.refusals import Refusals

ENROLLED = {"far-away": "far-away", "pc-7": "pc-7"}
"""The hosts, each with its name for a key."""


class FakeRefusals:
    """Remembers whom it was told to refuse, and is away when told so."""

    def __init__(self) -> None:
        self.tokens: list[str] = []
        self.away = False

    def refuse(self, token: str) -> None:
        """Remember it."""
        if self.away:
            raise redis.ConnectionError("away")
        self.tokens.append(token)


class FakeDrains:
    """Remembers which hosts it was told to drain or not, and is away when told so."""

    def __init__(self) -> None:
        self.told: list[tuple[str, bool]] = []
        self.away = False

    def tell(self, host: str, *, draining: bool) -> None:
        """Remember it."""
        if self.away:
            raise redis.ConnectionError("away")
        self.told.append((host, draining))


def recorder_of(
    world: World,
    refusals: FakeRefusals | None = None,
    database: Any = None,
    drains: FakeDrains | None = None,
) -> Recorder:
    """A recorder of that world, or on another database."""
    told = cast("Refusals", refusals or FakeRefusals()), cast("Drains", drains or FakeDrains())
    return Recorder(database or world.database, world.settings, *told, lambda _: ENROLLED)


def delivery(task: str, **told: Any) -> Delivery:
    """A report as it comes out of its queue."""
    host, body = told.get("host"), b64encode(json.dumps([[], told, {}]).encode()).decode()
    return Delivery("results", b"", task, body, host if isinstance(host, str) else "far-away")


def tell(world: World, task: str, **told: Any) -> None:
    """Have the recorder take in a single report."""
    recorder_of(world).take_in([delivery(task, **told)])


def about_match(message: Message) -> dict[str, Any]:
    """What every report of that match says."""
    about = {"match": message.spec.match, "attempt": message.attempt, "token": message.token}
    return {**about, "host": "far-away"}


def result_of(message: Message, result: MatchResult | None = None, **changes: Any) -> Delivery:
    """A report of that match's result, which fits unless another is given."""
    told = (result or play(message.spec)).model_dump(mode="json")
    return delivery(RECORD, **{**about_match(message), "result": told, **changes})


def reasons_set_aside(world: World) -> list[str]:
    """Why each was set aside, the newest first."""
    with world.database.reading() as session:
        return [each.why for each in session.scalars(set_aside.newest())]
