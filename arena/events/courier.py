"""The courier: tells webhooks of events, until each has taken them: ``python -m arena.events.courier``.

What is to be told is written down with how far the log was read, so that nothing is left out. What was told
is written down afterwards: who is killed in between tells it again, under the same id. A webhook gets its
events one by one, beside all others; one that does not take them is tried again, ever more patiently.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import random
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx2
import redis
import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena.core.clock import utc_now
from arena.core.errors import InvalidError
from arena.core.settings import Settings
from arena.core.terms import DeliveryState, WebhookState
from arena.events import webhooks
from arena.events.addresses import resolve
from arena.events.bell import AsyncListener, Bell
from arena.events.log import EventLog
from arena.events.signing import signed
from arena.events.visible import event_of
from arena.store import event_log
from arena.store import webhooks as store
from arena.store.database import Database
from arena.store.event_log import LoggedEvent
from arena.store.models import Delivery, Webhook
from arena.store.startup import begin
from arena.store.webhooks import Due
from workers.core import tracing
from workers.core.configuration import or_exit
from workers.core.logs import configure_logs

DELAYS_SECONDS = (5, 30, 120, 600, 1800, 7200, 21_600, 43_200)
"""So long after each attempt that failed comes the next one, if there is one: 21 hours in all."""
JITTER = 0.1
ATTEMPT_SECONDS = 15.0
"""So long an attempt may take in all."""
CLAIMED_SECONDS = 120.0
LONGEST_SECONDS = [CLAIMED_SECONDS + (1 + JITTER) * delay for delay in (0, *DELAYS_SECONDS)]
"""So long at most something waits after so many attempts, also where another courier's clock is ahead."""
COOL_SECONDS = 60.0
"""So long at most nothing is sent to a webhook after it did not take something."""
BATCH = 500
AT_ONCE = 5
"""So many events are sent to a webhook before it is looked what else there is."""
MAX_WAITING = 10_000
"""A webhook for which more wait is stopped."""
LOOK_SECONDS = 5.0
GAP_SECONDS = 0.2
KEPT = {DeliveryState.DELIVERED: dt.timedelta(days=7), DeliveryState.FAILED: dt.timedelta(days=30)}
TIDY_SECONDS = 3600.0
POSITION_STEP = 1000
"""A webhook's position is written down at least so often, also where nothing is for it."""

log = structlog.get_logger()


class Outcome(NamedTuple):
    """What came of an attempt: the status of the answer, or the trouble there was."""

    status: int | None
    trouble: str | None

    @property
    def is_delivered(self) -> bool:
        """Whether it was taken."""
        return self.trouble is None


class Courier:
    """Tells webhooks of events; it holds nothing in memory that matters."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        transport: httpx2.AsyncBaseTransport | None = None,
        now: Callable[[], dt.datetime] = utc_now,
    ) -> None:
        self._database = database
        self._private = settings.webhook_private
        self._transport = transport
        self._now = now
        self._log: EventLog | None = None
        self._seen: dict[int, int] = {}
        self._cool: dict[int, float] = {}
        self._rounds: dict[int, asyncio.Task[None]] = {}
        self._ended = asyncio.Event()
        self._tidy_at = 0.0

    async def run(self, bell: AsyncListener, stop: asyncio.Event) -> None:
        """Go on until `stop` is set; a database or broker that is away is waited for."""
        limits = httpx2.Limits(max_keepalive_connections=0)
        async with httpx2.AsyncClient(
            transport=self._transport, limits=limits, trust_env=False, timeout=ATTEMPT_SECONDS
        ) as client:
            while not stop.is_set():
                wait = LOOK_SECONDS
                try:
                    wait = await self.look(client)
                    await _either(stop.wait(), bell.heard(wait), self._ended.wait())
                except (DBAPIError, redis.RedisError) as error:
                    log.warning("waiting for the database or the broker", error=str(error))
                    await _either(stop.wait(), asyncio.sleep(LOOK_SECONDS))
                await _either(stop.wait(), self._ended.wait(), asyncio.sleep(GAP_SECONDS))
            await self.finish()

    async def finish(self) -> None:
        """Wait for the attempts that are being made."""
        for outcome in await asyncio.gather(*self._rounds.values(), return_exceptions=True):
            if isinstance(outcome, Exception):
                log.error("a round of deliveries broke off; they are made again", error=repr(outcome))

    async def look(self, client: httpx2.AsyncClient) -> float:
        """Note what is to be told, and begin to tell what is due; the seconds until something else is."""
        self._ended.clear()
        self._rounds = {number: task for number, task in self._rounds.items() if not task.done()}
        if not await asyncio.to_thread(self.collect):
            return LOOK_SECONDS
        busy = {*self._rounds, *(number for number, until in self._cool.items() if until > time.monotonic())}
        due, wait = await asyncio.to_thread(self._claim, busy)
        for number in {each.webhook for each in due}:
            told = [each for each in due if each.webhook == number]
            self._rounds[number] = asyncio.create_task(self._tell(client, told))
            self._rounds[number].add_done_callback(lambda _: self._ended.set())
        return wait

    def collect(self) -> int:
        """Note what is to be told of all events that are not noted yet; how many webhooks are active."""
        while True:
            with self._database.reading() as session:
                hooks = store.active(session)
            if not hooks:
                return 0
            start = min(max(each.position, self._seen.get(each.id, 0)) for each in hooks)
            if self._log is None or self._log.position != start:
                self._log = EventLog(self._database, start)
            lines = self._log.read(BATCH)
            wanted = any(webhooks.wants(each, line) for each in hooks for line in lines)
            if wanted or self._log.position > min(each.position for each in hooks) + POSITION_STEP:
                with self._database.transaction() as session:
                    self._note(session, lines, self._log.position)
            self._seen = {each.id: self._log.position for each in hooks}
            if len(lines) < BATCH:
                return len(hooks)

    def _note(self, session: Session, lines: Sequence[LoggedEvent], position: int) -> None:
        now = self._now()
        hooks = store.lock_active(session)
        numbers = [each.id for each in hooks]
        counts, failing = store.counts(session, numbers), store.failing(session, numbers)
        for hook in hooks:
            events = [line for line in lines if line.number > hook.position and webhooks.wants(hook, line)]
            session.add_all(_delivery(hook, line, now) for line in events)
            hook.position = max(hook.position, position)
            most = MAX_WAITING if hook.id in failing else 2 * MAX_WAITING
            if counts.get((hook.id, DeliveryState.WAITING), 0) + len(events) > most:
                webhooks.stop(session, hook, f"more than {most} events wait for it")

    def _claim(self, busy: set[int]) -> tuple[list[Due], float]:
        """What is due of webhooks that are not busy, a few of each, and when something of others is."""
        now = self._now()
        with self._database.transaction() as session:
            if time.monotonic() >= self._tidy_at:
                self._tidy_at = time.monotonic() + TIDY_SECONDS
                for state, kept in KEPT.items():
                    store.forget(session, state, now - kept)
            store.bring_forward(session, now, LONGEST_SECONDS)
            until = now + dt.timedelta(seconds=CLAIMED_SECONDS)
            free = store.with_due(session, now, busy)
            due = [told for each in free for told in store.claim_due(session, now, until, each, AT_ONCE)]
            following = store.next_due(session, {*busy, *free})
        wait = LOOK_SECONDS if following is None else (following - now).total_seconds()
        return due, min(max(wait, GAP_SECONDS), LOOK_SECONDS)

    async def _tell(self, client: httpx2.AsyncClient, due: Sequence[Due]) -> None:
        """Tell one webhook of some events; after one that it did not take, the others wait."""
        for each in due:
            began_ns = time.time_ns()
            try:
                outcome = await self._attempt(client, each)
                _trace(each, outcome, began_ns)
                delay = await asyncio.to_thread(self._write, each, outcome)
                if not outcome.is_delivered:
                    self._cool[each.webhook] = time.monotonic() + min(delay, COOL_SECONDS)
                    rest = [later for later in due if later.event > each.event]
                    await asyncio.to_thread(self._put_back, rest)
                    return
            except DBAPIError as error:  # what is not written down is told again
                log.warning("the database failed during a delivery", delivery=each.delivery, error=str(error))
                return

    async def _attempt(self, client: httpx2.AsyncClient, due: Due) -> Outcome:
        message = f"msg_{due.webhook}_{due.event}"
        body = await asyncio.to_thread(self._body, due.event)
        headers = {"Content-Type": "application/json", "User-Agent": "bot-arena"}
        headers |= signed(due.secret, message, int(self._now().timestamp()), body)
        try:
            async with asyncio.timeout(ATTEMPT_SECONDS):
                return await self._post(client, due.url, headers, body)
        except (httpx2.HTTPError, httpx2.InvalidURL, InvalidError, OSError, ValueError) as error:
            return Outcome(None, str(error) or type(error).__name__)

    def _body(self, number: int) -> bytes:
        """What is sent of an event: what the staff sees of it."""
        with self._database.reading() as session:
            (line,) = event_log.after(session, number - 1, 1)
        event = event_of(line, staff=True)
        data = event.model_dump(mode="json") if event else {}
        told = {"type": line.kind, "timestamp": data.get("at"), "data": data}
        return json.dumps(told, ensure_ascii=False).encode()

    async def _post(
        self, client: httpx2.AsyncClient, url: str, headers: dict[str, str], body: bytes
    ) -> Outcome:
        """Send it to an address of the URL's host that was checked; of the answer only the status is read."""
        target = httpx2.URL(url)
        host = target.host
        port = target.port or (443 if target.scheme == "https" else 80)
        address = await resolve(host, port, private=self._private)
        headers = headers | {"Host": urlsplit(url).netloc}
        request = client.build_request(
            "POST",
            target.copy_with(host=address),
            headers=headers,
            content=body,
            extensions={"sni_hostname": host},
        )
        response = await client.send(request, stream=True)
        await response.aclose()
        if response.is_success:
            return Outcome(response.status_code, None)
        words = "a redirection, which is not followed" if response.is_redirect else "no success"
        return Outcome(response.status_code, f"the answer was {response.status_code}: {words}")

    def _write(self, due: Due, outcome: Outcome) -> float:
        """Write down what came of an attempt; the seconds until the next one."""
        now = self._now()
        delay = 0.0
        with self._database.transaction() as session:
            row = store.lock(session, due.delivery)
            if row is None:  # its webhook was removed
                return delay
            row.attempts += 1
            row.status, row.trouble = outcome.status, outcome.trouble and outcome.trouble[:500]
            if outcome.is_delivered:
                row.state, row.next_at, row.done_at = DeliveryState.DELIVERED, None, now
                return delay
            hook = store.by_number(session, due.webhook)
            if row.attempts > len(DELAYS_SECONDS):
                row.state, row.next_at, row.done_at = DeliveryState.FAILED, None, now
                if hook is not None:
                    hook.trouble = f"delivery {row.id} was given up: {row.trouble}"[:500]
                log.error(
                    "a delivery was given up", webhook=due.webhook, delivery=row.id, trouble=row.trouble
                )
            else:
                spread = random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311  (nothing is kept secret by it)
                delay = DELAYS_SECONDS[row.attempts - 1] * spread
                row.next_at = now + dt.timedelta(seconds=delay)
            if outcome.status == HTTPStatus.GONE and hook is not None and hook.state == WebhookState.ACTIVE:
                webhooks.stop(session, hook, "the address says that nobody listens there any more (410)")
        return delay

    def _put_back(self, due: Sequence[Due]) -> None:
        """Let others of a webhook be due again that were claimed and not tried."""
        with self._database.transaction() as session:
            for each in due:
                row = store.lock(session, each.delivery)
                if row is not None and row.state == DeliveryState.WAITING:
                    row.next_at = self._now()


def _trace(due: Due, outcome: Outcome, began_ns: int) -> None:
    """Tell of an attempt at a delivery; where it went and what was answered may be secret."""
    tracing.tell(
        "deliver",
        began_ns,
        {"webhook": due.webhook, "delivery": due.delivery},
        kind="client",
        failed=None if outcome.is_delivered else str(outcome.status or "no answer"),
    )


def _delivery(hook: Webhook, line: LoggedEvent, now: dt.datetime) -> Delivery:
    return Delivery(
        webhook_id=hook.id,
        event_id=line.number,
        state=DeliveryState.WAITING,
        attempts=0,
        next_at=now,
        created_at=now,
    )


async def _either(*waits: Awaitable[object]) -> None:
    """Return when one of these is over; an error of any is raised, and the others are given up."""
    tasks = [asyncio.ensure_future(each) for each in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _main(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    bell, ringing = AsyncListener(settings.broker_url), Bell(settings.broker_url)
    database = Database(settings.database_url, on_news=ringing.ring)
    try:
        await Courier(database, settings).run(bell, stop)
    finally:
        await bell.close()
        ringing.close()
        database.close()


def main() -> None:
    """Run until SIGTERM or SIGINT."""
    settings = begin()
    configure_logs("courier", settings.log_format)
    or_exit(lambda: tracing.begin("courier"))
    asyncio.run(_main(settings))


if __name__ == "__main__":
    main()
