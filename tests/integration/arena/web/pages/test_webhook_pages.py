"""The administrators' pages of webhooks, as a browser without scripts has them."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from arena.core.clock import utc_now
from arena.core.terms import DeliveryState
from arena.store import event_log, events
from arena.store.models import Delivery
from arena.store.models.event_types import Announced
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site

HOOKS = "/staff/webhooks"
URL = "https://hooks.example.org/arena"


def _get(site: Site, path: str, language: str = "en") -> str:
    answer = site.client.get(path, headers=sign_in(site, "staff") | {"Accept-Language": language})
    assert answer.status_code == 200
    return unescape(str(answer.text))


def _send(site: Site, path: str, language: str = "en", **fields: Any) -> Any:
    headers = sign_in(site, "staff") | {"Accept-Language": language}
    return site.client.post(path, headers=headers, data=fields, follow_redirects=False)


def _give_up(site: Site) -> None:
    """Have a delivery of the first webhook that was given up."""
    with site.world.database.transaction() as session:
        events.log(session, Announced("one"))
        session.flush()
        number = event_log.last_number(session)
        now = utc_now()
        told = {"webhook_id": 1, "event_id": number, "attempts": 9, "status": 500, "trouble": "no <success>"}
        session.add(Delivery(**told, state=DeliveryState.FAILED, next_at=None, created_at=now, done_at=now))


def test_a_webhook_from_the_form_to_its_end(site: Site) -> None:
    """Its secret is shown once; it is stopped, started, and removed, and what cannot be done is said why."""
    assert "There is none yet." in _get(site, HOOKS)
    made = _send(
        site, HOOKS, url=URL, kind=["tournament.*", "announcement"], more="match.lost", tournament=""
    )
    assert made.status_code == 200
    assert made.headers["Cache-Control"] == "no-store"
    (secret,) = re.findall(r"whsec_[A-Za-z0-9+/=]+", unescape(made.text))
    (hook,) = site.get("/webhooks", "staff").json()["items"]
    assert hook["kinds"] == ["tournament.*", "announcement", "match.lost"]
    assert (hook["url"], hook["tournament"]) == (URL, None)
    listed = _get(site, HOOKS)
    assert f'<a href="{HOOKS}/1"><bdi>{URL}</bdi></a>' in listed
    assert secret not in listed + _get(site, f"{HOOKS}/1")
    assert _send(site, f"{HOOKS}/1/stop").headers["location"] == f"{HOOKS}/1"
    assert "stopped by staff" in _get(site, f"{HOOKS}/1")
    refused = _send(site, f"{HOOKS}/1/stop", "zh-TW")
    assert (refused.status_code, "Webhook 1 已經停止" in refused.text) == (409, True)
    assert _send(site, f"{HOOKS}/1/start").status_code == 303
    assert site.get("/webhooks/1", "staff").json()["state"] == "active"
    assert f'action="{HOOKS}/1/remove"' in _get(site, f"{HOOKS}/1")
    assert _send(site, f"{HOOKS}/1/remove").headers["location"] == HOOKS
    assert site.get("/webhooks", "staff").json()["total"] == 0
    gone = site.client.get(f"{HOOKS}/1", headers=sign_in(site, "staff"))
    assert gone.status_code == 404


def test_what_was_given_up_is_tried_again(site: Site) -> None:
    """Its trouble stands there, not as markup, and a second click says that it waits already."""
    _send(site, HOOKS, url=URL, kind="announcement")
    _give_up(site)
    page = site.client.get(f"{HOOKS}/1?state=failed", headers=sign_in(site, "staff")).text
    assert "no &lt;success&gt;" in page
    assert f'action="{HOOKS}/1/deliveries/1/retry"' in page
    assert "None." in _get(site, f"{HOOKS}/1?state=delivered")
    assert _send(site, f"{HOOKS}/1/deliveries/1/retry").status_code == 303
    (delivery,) = site.get("/webhooks/1/deliveries", "staff").json()["items"]
    assert (delivery["state"], delivery["attempts"]) == ("waiting", 0)
    again = _send(site, f"{HOOKS}/1/deliveries/1/retry", "zh-TW")
    assert (again.status_code, "目前是「等候中」" in again.text) == (409, True)
    assert _send(site, f"{HOOKS}/1/deliveries/7/retry").status_code == 404


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"url": ""}, "請填要通知的位址"),
    ({"url": "ftp://example.org"}, "不是可以 POST 的位址"),
    ({"url": "https://a:b@example.org/"}, "位址含有使用者"),
    ({"url": "http://10.0.0.1/"}, "10.0.0.1 是私有位址"),
    ({"kind": [], "more": " "}, "請選擇要通知的事件"),
    ({"more": "tournament.nothing"}, "沒有「tournament.nothing」這種事件"),
    ({"more": "Match!"}, "請選擇要通知的事件"),
    ({"tournament": "nowhere"}, "nowhere"),
]


def test_what_makes_no_webhook_is_said_in_chinese(site: Site) -> None:
    """The form stays as it was sent, and nothing was made."""
    for changes, told in REFUSED:
        sent = {"url": URL, "kind": ["match.*"], "more": "", "tournament": ""} | changes
        answer = _send(site, HOOKS, "zh-TW", **sent)
        assert answer.status_code in {404, 422}
        page = unescape(answer.text)
        (alert,) = re.findall(r'<p class="notice" role="alert">.*?</p>', page, re.DOTALL)
        assert told in alert
        assert f'name="url" value="{sent["url"]}"' in page
        assert ('value="match.*" checked' in page) == (sent["kind"] != [])
    assert site.get("/webhooks", "staff").json()["total"] == 0
