"""The courier: what webhooks are told, how often, and what becomes of those that do not take it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json

import httpx2
import pytest
from sqlalchemy.exc import OperationalError

from arena.core.errors import ConflictError, InvalidError, NotFoundError
from arena.events import courier, webhooks
from arena.events.bell import AsyncListener
from arena.events.courier import DELAYS_SECONDS, Courier
from arena.schemas.webhooks import NewWebhook
from arena.store import events
from arena.store.models.event_types import Announced
from arena.tournaments import lifecycle
from tests.collector import telling
from tests.integration.arena.events.office import Office, office
from tests.integration.arena.world import World

__all__ = ["office"]


def test_a_webhook_is_told_signed_what_it_asked_for(office: Office) -> None:
    """Each event of its kinds from its creation on comes once, in order, with an id and a true signature."""
    office.announce("before")
    secret = office.hook("announcement")
    office.hook("match.*", url="http://127.0.0.1:9/other")
    office.announce("one", "two")
    office.work()
    office.work()
    assert office.texts() == ["one", "two"]
    request = office.asked[0]
    assert (request.method, request.url.path, request.headers["host"]) == ("POST", "/hook", "127.0.0.1:9")
    about = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}."
    signed = about.encode() + request.content
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert request.headers["webhook-signature"] == f"v1,{expected}"
    assert len({each.headers["webhook-id"] for each in office.asked}) == 2
    assert [each.state for each in office.deliveries()] == ["delivered"] * 2
    assert json.loads(request.content)["type"] == "announcement"


def test_a_delivery_is_told_in_a_trace(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its number and whether it was taken: neither where it went nor what was said there."""
    office.hook("announcement", url="http://127.0.0.1:9/hidden-path")
    office.announce("hidden-words")
    with telling(monkeypatch) as collector:
        office.work()
    (told,) = collector.spans
    (row,) = office.deliveries()
    assert (told.name, told.failed, told.about) == ("deliver", None, {"webhook": 1, "delivery": row.number})
    assert b"hidden" not in b"".join(collector.raw)


def test_what_is_not_taken_is_tried_again_and_given_up_visibly(office: Office) -> None:
    """Under the same id, ever later; the last failure is told, and the staff may have it tried anew."""
    office.hook("announcement")
    office.announce("one")
    office.answers = [500, httpx2.ConnectError("refused"), 302, *[503] * 100]
    office.work()
    for number, delay in enumerate(DELAYS_SECONDS, start=1):
        office.seconds += 0.89 * delay
        office.work()
        assert len(office.asked) == number
        office.seconds += 0.22 * delay
        office.work()
        assert len(office.asked) == number + 1
    office.seconds += 2 * DELAYS_SECONDS[-1]
    office.work()
    assert len(office.asked) == len(DELAYS_SECONDS) + 1
    (first,) = office.deliveries()
    assert (first.state, first.attempts, first.status) == ("failed", len(DELAYS_SECONDS) + 1, 503)
    (hook,) = office.shown()
    assert hook.failed == 1
    assert "given up" in (hook.trouble or "")
    assert len({each.headers["webhook-id"] for each in office.asked}) == 1
    office.answers = []
    office.seconds += 100_000
    with office.world.database.transaction() as session:
        webhooks.retry(session, webhooks.get(session, 1), first.number)
    office.work()
    assert {each.state for each in office.deliveries()} == {"delivered"}
    with office.world.database.transaction() as session, pytest.raises(ConflictError, match="not given up"):
        webhooks.retry(session, webhooks.get(session, 1), first.number)


def test_one_that_does_not_take_anything_keeps_no_other_waiting(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a failure nothing more is sent there for a while; the other is told everything."""
    office.hook("announcement", url="http://127.0.0.1:9/broken")
    office.hook("announcement", url="http://127.0.0.1:9/well")
    office.announce("one", "two", "three")

    def answer(request: httpx2.Request) -> httpx2.Response:
        office.asked.append(request)
        return httpx2.Response(500 if request.url.path == "/broken" else 200)

    office.transport.handler = answer
    monkeypatch.setattr(courier, "COOL_SECONDS", 60.0)
    office.work(6)
    paths = [each.url.path for each in office.asked]
    assert (paths.count("/well"), paths.count("/broken")) == (3, 1)
    assert [each.state for each in office.deliveries(2)] == ["delivered"] * 3


def test_a_killed_courier_leaves_nothing_out(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed before it wrote down that something was told, its successor tells it again under the same id."""
    office.hook("announcement")
    office.announce("one")

    def end(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(office.courier, "_write", end)
        office.work(1)
    assert [each.state for each in office.deliveries()] == ["waiting"]
    office.announce("two")
    office.courier = office.successor()
    office.work(1)
    office.seconds += courier.CLAIMED_SECONDS + 1
    office.work(2)
    assert sorted(office.texts()) == ["one", "one", "two"]
    assert len({each.headers["webhook-id"] for each in office.asked}) == 2


@pytest.mark.parametrize("failed", [0, 1, 3])
def test_a_clock_that_was_set_back_keeps_nothing_waiting(office: Office, failed: int) -> None:
    """What was noted, or tried in vain, while the clock was a day ahead is told as if that was now."""
    day = 86_400.0
    office.hook("announcement")
    office.seconds = day
    office.announce("one")
    office.answers = [500] * failed
    for delay in DELAYS_SECONDS[:failed]:
        office.work()
        office.seconds += 2 * delay
    assert len(office.asked) == failed
    office.courier.collect()
    office.seconds -= day
    office.work()
    assert len(office.asked) == failed + 1
    assert [each.state for each in office.deliveries()] == ["delivered"]


def test_two_couriers_tell_nothing_twice(office: Office) -> None:
    """What one has noted or taken the other leaves alone."""
    office.hook("announcement")
    office.announce("one", "two")
    other = Courier(office.world.database, office.world.settings, office.transport, office.now)
    office.courier.collect()
    other.collect()
    assert len(office.deliveries()) == 2
    claimed, _ = other._claim(set())
    assert (len(claimed), office.courier._claim(set())[0]) == (2, [])


def test_an_address_that_is_gone_is_told_no_more(office: Office) -> None:
    """410 stops a webhook, and says why; started again it is told what waited."""
    office.hook("announcement", "webhook.stopped")
    office.announce("one", "two")
    office.answers = [410]
    office.work()
    (hook,) = office.shown()
    assert (hook.state, len(office.asked)) == ("stopped", 1)
    assert "410" in (hook.trouble or "")
    office.seconds += 1000
    office.work()
    assert len(office.asked) == 1
    office.start()
    office.work()
    assert {each.state for each in office.deliveries()} == {"delivered"}


def test_a_backlog_ends(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A webhook for which too much waits is stopped, and the staff is told."""
    monkeypatch.setattr(courier, "MAX_WAITING", 2)
    office.hook("announcement")
    office.announce("1", "2", "3", "4", "5")
    office.work(1)
    (hook,) = office.shown()
    assert (hook.state, hook.trouble) == ("stopped", "more than 4 events wait for it")


def test_what_waited_goes_on_when_it_is_started_again(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told in order, though it is more than stops a webhook that does not take anything."""
    monkeypatch.setattr(courier, "MAX_WAITING", 2)
    office.hook("announcement")
    office.answers = [500] * 3
    office.announce("1")
    office.work(1)
    office.announce("2", "3")
    office.work(1)
    assert [(each.state, each.trouble) for each in office.shown()] == [
        ("stopped", "more than 2 events wait for it")
    ]
    office.answers = []
    office.start()
    office.announce("4")
    office.work(4)
    assert [each.state for each in office.shown()] == ["active"]
    assert office.texts()[-4:] == ["1", "2", "3", "4"]


def test_private_addresses_are_not_told_unless_the_staff_allows_it(office: Office) -> None:
    """Neither at creation nor, by a name that leads inside, when something is to be sent."""
    office.hook("announcement", url="http://localhost:9/hook")
    office.courier = Courier(office.world.database, office.world.settings, office.transport, office.now)
    office.announce("one")
    office.work(1)
    assert office.asked == []
    (delivery,) = office.deliveries()
    assert "ARENA_WEBHOOK_PRIVATE" in (delivery.trouble or "")


def test_old_deliveries_are_forgotten(office: Office) -> None:
    """What was delivered goes after a week."""
    office.hook("announcement")
    office.announce("one")
    office.work()
    office.seconds += 8 * 24 * 3600
    office.courier._tidy_at = 0
    office.work(1)
    assert office.deliveries() == []


def test_each_webhook_has_its_events_at_its_own_pace(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look takes some for every webhook, and the next look comes as soon as one of them is free again."""
    monkeypatch.setattr(courier, "GAP_SECONDS", 1e6)
    monkeypatch.setattr(courier, "LOOK_SECONDS", 1e6)
    office.hook("announcement")
    office.hook("announcement", url="http://127.0.0.1:9/other")
    office.announce(*map(str, range(12)))

    class SilentBell(AsyncListener):
        async def heard(self, seconds: float) -> bool:
            await asyncio.sleep(seconds)
            return False

    async def deliver() -> None:
        stop = asyncio.Event()

        def answer(request: httpx2.Request) -> httpx2.Response:
            office.asked.append(request)
            if len(office.asked) == 24:
                stop.set()
            return httpx2.Response(204)

        office.transport.handler = answer
        await asyncio.wait_for(office.courier.run(SilentBell("redis://localhost:1"), stop), 300)

    asyncio.run(deliver())
    assert sorted({each.url.path for each in office.asked[:10]}) == ["/hook", "/other"]
    assert sorted(office.texts(), key=int) == sorted([*map(str, range(12))] * 2, key=int)


def test_a_host_that_cannot_be_looked_up_is_a_visible_failure(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a host's name comes to at the attempt is told as any other trouble, and the next attempt waits."""
    office.hook("announcement")
    office.announce("one")

    async def refuse(*_: object, **__: object) -> str:
        raise UnicodeError("label empty or too long")

    monkeypatch.setattr(courier, "resolve", refuse)
    office.work()
    (delivery,) = office.deliveries()
    assert (delivery.attempts, delivery.trouble) == (1, "label empty or too long")


@pytest.mark.parametrize("question", ["_body", "_write", "_put_back"])
def test_a_database_that_fails_in_a_round_ends_no_other(
    office: Office, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    """What was not written down is told again once its claim has run out."""
    office.hook("announcement")
    office.announce("one", "two")
    office.answers = [500]
    with monkeypatch.context() as patch:

        def fail(*_: object) -> None:
            raise OperationalError(question, {}, Exception("gone away"))

        patch.setattr(office.courier, question, fail)
        office.work()
    office.answers = []
    for _ in range(3):
        office.seconds += 2 * courier.CLAIMED_SECONDS
        office.work()
    assert {each.state for each in office.deliveries()} == {"delivered"}
    assert {"one", "two"} <= set(office.texts())


@pytest.mark.parametrize(
    ("url", "kinds", "why"),
    [
        ("ftp://example.org/", ["announcement"], "no address to POST to"),
        ("https:///path", ["announcement"], "no address to POST to"),
        ("http://[::1", ["announcement"], "no address to POST to"),
        ("http://a b/", ["announcement"], "no address to POST to"),
        ("http://hooks..example.org/", ["announcement"], "no address to POST to"),
        (f"http://{'a' * 64}.org/", ["announcement"], "no address to POST to"),
        ("http://user:secret@example.org/", ["announcement"], "a user, a password"),
        ("http://169.254.169.254/latest", ["announcement"], "private address"),
        ("http://example.org/", ["match.played"], "no events of kind"),
        ("http://example.org/", ["nothing.*"], "no events of kind"),
    ],
)
def test_what_cannot_be_told_is_refused(world: World, url: str, kinds: list[str], why: str) -> None:
    """An address or a kind that cannot be used is refused with what is wrong with it."""
    with world.database.transaction() as session, pytest.raises(InvalidError, match=why):
        webhooks.create(session, world.staff, NewWebhook(url=url, kinds=kinds), private=False)


def test_a_webhook_of_one_tournament_hears_of_no_other(office: Office) -> None:
    """Kinds and tournament are both looked at, and a tournament must be there."""
    office.world.tournament("mine", bots=2, start=False)
    with pytest.raises(NotFoundError):
        office.hook("tournament.*", tournament="missing")
    office.hook("entry.made", "tournament.*", tournament="mine")
    office.world.tournament("other", bots=2, start=False)
    with office.world.database.transaction() as session:
        mine = office.world.get(session, "mine")
        events.log(session, Announced("not this kind"), tournament=mine)
        lifecycle.cancel(session, office.world.staff, mine)
    office.work()
    assert [json.loads(each.content)["type"] for each in office.asked] == ["tournament.cancelled"]
