"""A courier whose clock and receivers tests have in hand."""

from __future__ import annotations

import asyncio
import datetime as dt
import json

import httpx2
import pytest

from arena.core.clock import utc_now
from arena.events import courier, webhooks
from arena.events.courier import Courier
from arena.schemas.webhooks import DeliveryOut, NewWebhook, WebhookOut
from arena.store import events
from arena.store.models.event_types import Announced
from tests.integration.arena.world import World

URL = "http://127.0.0.1:9/hook"


class Office:
    """A courier over a world whose clock is turned by tests, and an address that answers as told."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world = world
        self.seconds = 0.0
        self.answers: list[int | Exception] = []
        self.asked: list[httpx2.Request] = []
        self._began = utc_now()
        monkeypatch.setattr(courier, "COOL_SECONDS", 0.0)
        monkeypatch.setattr(webhooks, "utc_now", self.now)
        settings = world.settings.model_copy(update={"webhook_private": True})
        self.transport = httpx2.MockTransport(self._answer)
        self.settings = settings
        self.courier = self.successor()

    def successor(self) -> Courier:
        """Another courier, which knows nothing."""
        return Courier(self.world.database, self.settings, self.transport, self.now)

    def now(self) -> dt.datetime:
        """The moment that it is."""
        return self._began + dt.timedelta(seconds=self.seconds)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        answer = self.answers.pop(0) if self.answers else 204
        if isinstance(answer, Exception):
            raise answer
        return httpx2.Response(answer, headers={"Location": "http://127.0.0.1/"})

    def hook(self, *kinds: str, url: str = URL, tournament: str | None = None) -> str:
        """A new webhook; its secret."""
        with self.world.database.transaction() as session:
            new = NewWebhook(url=url, kinds=list(kinds), tournament=tournament)
            return webhooks.create(session, self.world.staff, new, private=True).secret

    def start(self) -> None:
        """Start the first webhook again."""
        with self.world.database.transaction() as session:
            webhooks.start(session, webhooks.get(session, 1))

    def announce(self, *texts: str) -> None:
        """Log announcements."""
        with self.world.database.transaction() as session:
            for text in texts:
                events.log(session, Announced(text))

    def work(self, times: int = 3) -> None:
        """Let the courier look so often, and deliver what is due."""

        async def look() -> None:
            async with httpx2.AsyncClient(transport=self.transport) as client:
                for _ in range(times):
                    await self.courier.look(client)
                    await self.courier.finish()

        asyncio.run(look())

    def texts(self) -> list[str]:
        """What was sent so far."""
        return [json.loads(each.content)["data"]["data"]["text"] for each in self.asked]

    def shown(self) -> list[WebhookOut]:
        """The webhooks as the staff sees them."""
        with self.world.database.reading() as session:
            return webhooks.listed(session, offset=0, limit=100)[0]

    def deliveries(self, number: int = 1) -> list[DeliveryOut]:
        """What a webhook was told, oldest first."""
        with self.world.database.reading() as session:
            hook = webhooks.get(session, number)
            return webhooks.deliveries(session, hook, None, offset=0, limit=100)[0][::-1]


@pytest.fixture
def office(world: World, monkeypatch: pytest.MonkeyPatch) -> Office:
    """An office on a migrated database, once of each kind."""
    return Office(world, monkeypatch)
