"""The commands about notices, against a fake of the API."""

from __future__ import annotations

from arena.schemas.events import EventOut
from arena.schemas.webhooks import DeliveryOut, WebhookOut
from tests.unit.arena.cli.conftest import Run
from tests.unit.arena.cli.fake_api import FakeApi, api, page, sample

__all__ = ["api"]

HOOK = sample(WebhookOut, number=3, url="https://x.test/", kinds=["match.*"], state="active", failed=2)


def test_a_webhook_is_created_and_its_secret_shown_once(run: Run, api: FakeApi) -> None:
    """The kinds and the tournament are sent; the secret alone is on standard output."""
    api.answers["POST", "/webhooks"] = {"webhook": HOOK, "secret": "whsec_x"}
    words = ("webhook", "create", "https://x.test/", "--kind", "match.*", "--kind", "announcement")
    assert run(*words, "--tournament", "spring").out == "whsec_x\n"
    told = {"url": "https://x.test/", "kinds": ["match.*", "announcement"], "tournament": "spring"}
    assert api.sent(0) == told
    assert run(*words, "--json").json() == {"number": 3, "url": "https://x.test/", "secret": "whsec_x"}


def test_webhooks_are_listed_with_what_they_could_not_deliver(run: Run, api: FakeApi) -> None:
    """The list tells state and failures, the deliveries their troubles."""
    api.answers["GET", "/webhooks"] = page(HOOK)
    delivery = sample(DeliveryOut, number=9, kind="match.lost", state="failed", trouble="no success")
    api.answers["GET", "/webhooks/3/deliveries"] = page(delivery)
    assert "https://x.test/" in run("webhook", "list").out
    assert run("webhook", "list", "--json").json()["webhooks"][0]["failed"] == 2
    shown = run("webhook", "deliveries", "3", "--state", "failed").out
    assert "no success" in shown
    assert run("webhook", "deliveries", "3", "--json").json()["deliveries"][0]["number"] == 9


def test_webhooks_are_changed(run: Run, api: FakeApi) -> None:
    """Stopped, started, removed, and a delivery tried anew."""
    for action in ("stop", "start"):
        api.answers["POST", f"/webhooks/3/{action}"] = HOOK
        assert run("webhook", action, "3").out == "webhook 3 is active\n"
    api.answers["DELETE", "/webhooks/3"] = {"number": 3}
    assert run("webhook", "remove", "3", "--yes").out == "webhook 3 is removed\n"
    api.answers["POST", "/webhooks/3/deliveries/9/retry"] = sample(DeliveryOut, number=9, state="waiting")
    assert run("webhook", "retry", "3", "9").out == "delivery 9 is waiting\n"


def test_an_announcement_is_made(run: Run, api: FakeApi) -> None:
    """The text is sent, with the tournament where one is named."""
    api.answers["POST", "/announcements"] = sample(EventOut, number=12)
    assert run("announce", "hello", "--tournament", "spring").out == "announced as event 12\n"
    assert api.sent(0) == {"text": "hello", "tournament": "spring"}


def test_announcements_are_shown(run: Run, api: FakeApi) -> None:
    """Everybody reads them without a token, from all pages, with the tournament that they are about."""
    told = [
        sample(EventOut, number=2, tournament="spring", data={"text": "Round 3 begins at two."}),
        sample(EventOut, number=1, data={"text": "Welcome."}),
    ]
    api.answers["GET", "/announcements"] = page(*told)
    ran = run("announcements")
    assert ran.out.index("Round 3 begins at two.") < ran.out.index("Welcome.")
    assert "spring" in ran.out
    assert run("announcements", "--json").json() == {"announcements": told}
