"""Signing in by a school's provider on the pages: who is sent, who comes back, and what others are told."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from sqlalchemy import select, update

from arena.core.clock import utc_now
from arena.people import attempts, identities
from arena.people.attempts import Limit
from arena.store.models import Event, OpenIdRequest
from tests.integration.arena.people.fake_provider import FakeProvider
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.school import CALLBACK, HERE, Browser, School, alert, signed_in


def test_without_a_provider_nothing_shows(used: Site) -> None:
    """No page speaks of one, and its addresses are none."""
    browser = Browser(School(used, FakeProvider()))
    for path in ("/sign-in", "/join"):
        assert "openid" not in browser.read(path).text
    assert browser.send("/sign-in/openid").status_code == 404
    assert browser.send("/join/openid", code="x").status_code == 404
    assert browser.read(f"{CALLBACK}?code=1&state=2").status_code == 404
    browser = signed_in(browser.school, "red")
    assert "School account" not in browser.read("/account").text
    assert browser.send("/account/openid").status_code == 404


@pytest.mark.parametrize(
    ("setup", "host", "usable", "told"),
    [
        ({}, "localhost:8080", True, "Sign in with Sunny School"),
        ({}, "127.0.0.1", True, "Sign in with Sunny School"),
        ({}, "192.168.1.5", False, "by https only"),
        ({"address": "http://localhost:8080"}, "localhost:8080", True, "Sign in with Sunny School"),
        (
            {"address": "https://arena.example"},
            "localhost",
            False,
            'href="https://arena.example/sign-in?next=',
        ),
    ],
)
def test_it_is_offered_where_nobody_reads_along(
    school: School, setup: dict[str, str], host: str, told: str, *, usable: bool
) -> None:
    """By https or on this machine, and at the one address that the provider knows if that is named."""
    school.set_up(**setup)
    here = {"Host": host, "Origin": f"http://{host}"}
    assert told in school.site.client.get("/sign-in", headers=here).text
    sent = school.site.client.post("/sign-in/openid", headers=here)
    assert sent.status_code == (200 if usable else 403)
    if usable:
        assert f"redirect_uri=http%3A%2F%2F{host.replace(':', '%3A')}%2Fsign-in" in sent.headers["Refresh"]


@pytest.mark.parametrize("host", ["local host", "localhost/evil", "evil\\@localhost", "user@localhost", ""])
def test_a_host_that_is_none_is_sent_nowhere(school: School, host: str) -> None:
    """Nothing that is no host goes into the address to come back to."""
    answer = school.site.client.post(
        "/sign-in/openid", headers={"Host": host, "Sec-Fetch-Site": "same-origin"}
    )
    assert "Refresh" not in answer.headers
    assert answer.status_code >= 400


def test_the_database_cannot_finish_what_a_browser_began(school: School, ann: Browser) -> None:
    """It has neither state, nonce nor verifier; what they are made of is in a cookie that no script reads."""
    sent = ann.send("/sign-in/openid")
    cookie = sent.headers["set-cookie"]
    assert re.fullmatch(r"arena-openid=[\w-]{43}; HttpOnly; Max-Age=600; Path=/; SameSite=lax", cookie)
    assert f'href="{sent.headers["Refresh"][7:]}"'.replace("&", "&amp;") in sent.text
    asked = parse_qs(urlsplit(sent.headers["Refresh"]).query)
    with school.site.world.database.reading() as session:
        (row,) = session.execute(select(OpenIdRequest.__table__)).all()
    kept = " ".join(map(str, row))
    for secret in (asked["state"][0], asked["nonce"][0], ann.cookies["arena-openid"]):
        assert secret not in kept
    assert sent.headers["Cache-Control"] == "no-store"
    school.provider.nonce = asked["nonce"][0]
    ann.back({"state": asked["state"][0]})
    verifier = school.provider.forms[0]["code_verifier"]
    assert re.fullmatch(r"[\w-]{43}", verifier)
    assert verifier not in kept
    assert verifier != asked["nonce"][0]


def test_who_is_linked_is_signed_in(school: School, ann: Browser) -> None:
    """In a session that says by what, and on to where they wanted; the log has it."""
    school.linked("red")
    answer = ann.come("/sign-in/openid", onward="/bots?limit=3")
    assert (answer.status_code, answer.headers["location"]) == (303, "/bots?limit=3")
    page = ann.read("/account").text
    assert "by a school account" in page
    assert "not used yet" not in page
    assert ann.cookies["arena-openid"] == ""
    with school.site.world.database.reading() as session:
        data = session.scalars(select(Event.data).where(Event.kind == "user.signed_in")).all()
    assert data[-1] == {"user": "red", "by": "openid"}


@pytest.mark.parametrize(
    "onward",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "x\r\nY: 1"],
)
def test_nobody_is_led_elsewhere(school: School, ann: Browser, onward: str) -> None:
    """Whatever a page is told to go on to, only addresses of the arena's own are gone to."""
    school.linked("red")
    assert ann.come("/sign-in/openid", onward=onward).headers["location"] == "/account"


def test_who_is_not_linked_is_told_what_to_do(school: School, ann: Browser) -> None:
    """By no name and no address at the provider is anybody taken for a user of that name."""
    school.provider.claims = {
        "preferred_username": "red",
        "email": "red@school.example",
        "email_verified": True,
    }
    answer = ann.come("/sign-in/openid")
    assert answer.status_code == 403
    assert "With a code from your teacher" in alert(answer)
    assert ann.read("/account").status_code == 303


def test_an_answer_is_taken_once_by_who_asked_and_in_time(school: School, ann: Browser) -> None:
    """Another browser's try does not use it up; used, too late, or for another provider it is none."""
    school.linked("red")
    asked = ann.go("/sign-in/openid")
    other = Browser(school)
    other.go("/sign-in/openid")
    assert "from another browser" in alert(other.back(asked))
    assert Browser(school).back(asked).status_code == 401
    school.provider.nonce = asked["nonce"]
    assert ann.back(asked).status_code == 303
    assert ann.back(asked).status_code == 401
    ann.cookies["arena-openid"] = "x" * 43
    assert ann.back(asked).status_code == 401
    asked = ann.go("/sign-in/openid")
    with school.site.world.database.transaction() as session:
        session.execute(update(OpenIdRequest).values(expires_at=utc_now() - dt.timedelta(seconds=1)))
    assert ann.back(asked).status_code == 401
    asked = ann.go("/sign-in/openid")
    school.set_up(client_id="another")
    assert ann.back(asked).status_code == 401


def test_a_foreign_token_signs_nobody_in(school: School, ann: Browser) -> None:
    """One that was made for another question of the same reader, as it is replayed."""
    school.linked("red")
    first = ann.go("/sign-in/openid")
    second = ann.go("/sign-in/openid")
    school.provider.nonce = first["nonce"]
    answer = ann.back(second)
    assert answer.status_code == 401
    assert "cannot be believed" in alert(answer)


@pytest.mark.parametrize(
    ("told", "status", "words"),
    [
        ({"code": "", "error": "access_denied"}, 401, "broken off"),
        ({"code": "", "error": "temporarily_unavailable"}, 503, "does not answer"),
        ({"iss": "https://evil.example"}, 401, "cannot be believed"),
    ],
)
@pytest.mark.usefixtures("school")
def test_what_the_provider_says_is_told_in_words(
    ann: Browser, told: dict[str, str], status: int, words: str
) -> None:
    """With the other ways to sign in below, and the place to go on to kept."""
    answer = ann.back(ann.go("/sign-in/openid", onward="/bots"), **told)
    assert answer.status_code == status
    assert words in alert(answer)
    assert 'name="onward" value="/bots"' in answer.text
    assert 'action="/sign-in/password"' in answer.text


def test_failures_slow_down_and_a_provider_s_do_not(
    school: School, ann: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made-up answers are counted as wrong passwords are; that the provider is away counts for nobody."""
    monkeypatch.setattr(attempts, "ADDRESS", Limit(free=3, longest_seconds=60))
    school.linked("red")
    for _ in range(4):
        told = ann.back(ann.go("/sign-in/openid"), code="", error="server_error")
        assert told.status_code == 503
        assert told.headers["Retry-After"] == "5"
    assert ann.come("/sign-in/openid").status_code == 303
    statuses = [ann.read(f"{CALLBACK}?code=1&state=2").status_code for _ in range(4)]
    assert statuses == [401, 401, 401, 429]


def test_no_connection_waits_for_the_provider(school: School, ann: Browser) -> None:
    """Whoever else wants the database has it while the provider thinks."""
    school.linked("red")
    held: list[int] = []
    asked = ann.go("/sign-in/openid")

    def look(_: httpx2.Request) -> httpx2.Response:
        pool: Any = school.services.database.engine.pool
        held.append(pool.checkedout())
        return httpx2.Response(200, json={"id_token": school.provider.id_token(), "access_token": "a"})

    school.provider.answers["/token"] = look
    assert ann.back(asked).status_code == 303
    assert held == [0]


def test_what_the_provider_calls_people_injects_nothing(school: School) -> None:
    """It is text in a page, cut short and alone with its direction."""
    school.provider.claims = {"preferred_username": "<script>alert(1)</script>\u202e"}
    red = signed_in(school, "red")
    assert red.come("/account/openid").status_code == 303
    page = red.read("/account").text
    assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>" in page
    assert "<script>alert" not in page


def test_however_many_are_sent_few_are_kept(
    school: School, ann: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first ones are forgotten, and those that are too old."""
    monkeypatch.setattr(identities, "MAX_REQUESTS", 3)
    for _ in range(5):
        ann.go("/sign-in/openid")
    assert school.count(OpenIdRequest) == 3
    with school.site.world.database.transaction() as session:
        session.execute(update(OpenIdRequest).values(expires_at=utc_now() - dt.timedelta(seconds=1)))
    ann.go("/sign-in/openid")
    assert school.count(OpenIdRequest) == 1


@pytest.mark.parametrize("path", ["/sign-in/openid", "/account/openid", "/join/openid"])
def test_a_provider_that_is_away_is_told_where_one_is(school: School, path: str) -> None:
    """On the page that one came from, with what was typed, and when to come again."""
    browser = signed_in(school, "red")
    school.provider.answers["/.well-known/openid-configuration"] = _away
    fields = {"code": school.class_code(), "name": "anna", "team": "green"} if "join" in path else {}
    answer = browser.send(path, **fields)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "does not answer" in alert(answer)
    assert all(f'value="{value}"' in answer.text for value in fields.values())


def _away(_: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectTimeout("it takes too long")


def test_the_pages_speak_chinese(school: School) -> None:
    """The button for signing in by the school is in Chinese for who reads Chinese."""
    headers = HERE | {"Accept-Language": "zh-TW"}
    assert "以 Sunny School 登入" in school.site.client.get("/sign-in", headers=headers).text
