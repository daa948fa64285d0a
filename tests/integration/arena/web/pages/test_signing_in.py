"""Signing in and out on the pages, and what is refused."""

from __future__ import annotations

import datetime as dt

import httpx2
import pytest
from sqlalchemy import select, update

from arena.core.clock import utc_now
from arena.people import administering, attempts, links
from arena.store.models import SignInAttempt, WebSession
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.browser import PASSWORD, choose, cookie_of, read, send
from tests.integration.arena.web.pages.test_pages import Outline


def test_a_session_from_the_first_page_to_the_last(used: Site) -> None:
    """A password signs in, the name is in every header, and after signing out the cookie is worthless."""
    choose(used, "red")
    answer = send(used, "/sign-in/password", name="red", password=PASSWORD, onward="/bots")
    assert (answer.status_code, answer.headers["location"]) == (303, "/bots")
    told = answer.headers["set-cookie"]
    assert "HttpOnly" in told
    assert "SameSite=lax" in told
    assert "Path=/" in told
    assert "Secure" not in told
    assert "Domain" not in told
    cookie = cookie_of(answer)
    for path in ("/", "/bots", "/account", "/nothing"):
        page = read(used, path, cookie)
        assert '<a href="/account">red</a>' in page.text, path
        assert page.headers["cache-control"] == "no-store"
        Outline(page.text)
    answer = send(used, "/sign-out", cookie)
    assert 'arena=""' in answer.headers["set-cookie"]
    assert read(used, "/account", cookie).headers["location"] == "/sign-in?next=/account"
    assert "red</a>" not in read(used, "/", cookie).text


def test_each_sign_in_is_a_session_of_its_own(used: Site) -> None:
    """The id changes with each sign-in and the one that was shown is over; only its hash is kept."""
    first = cookie_of(send(used, "/sign-in/token", token=used.tokens["red"]))
    second = cookie_of(send(used, "/sign-in/token", first, token=used.tokens["red"]))
    assert first != second
    assert read(used, "/account", first).status_code == 303
    assert read(used, "/account", second).status_code == 200
    with used.world.database.reading() as session:
        kept = session.scalars(select(WebSession.hash)).all()
    assert len(kept) == 1
    assert second.partition("=")[2] not in kept


def test_by_https_the_cookie_is_bound_to_it(used: Site) -> None:
    """A session begun by https is never sent by http, and one that http has set does not count there."""
    used.client.base_url = httpx2.URL("https://testserver")
    answer = used.client.post(
        "/sign-in/token",
        data={"token": used.tokens["red"]},
        headers={"Origin": "https://testserver"},
        follow_redirects=False,
    )
    assert cookie_of(answer).startswith("__Host-arena=")
    assert "Secure" in answer.headers["set-cookie"]
    planted = sign_in(used, "blue")["Cookie"]
    assert read(used, "/account", planted).status_code == 303
    assert read(used, "/account", f"{planted}; {cookie_of(answer)}").status_code == 200


@pytest.mark.parametrize("name", ["red", "nobody", "", "\u00fc" * 900])
def test_a_wrong_password_tells_nothing(used: Site, name: str) -> None:
    """Whether there is somebody of that name cannot be told from the answer."""
    choose(used, "red")
    answer = send(used, "/sign-in/password", name=name, password="wrong")
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert "are not known here" in answer.text
    Outline(answer.text)


def test_who_has_no_password_or_is_out_cannot_use_one(used: Site) -> None:
    """Neither the empty password nor an old one of somebody who was let out is taken."""
    assert send(used, "/sign-in/password", name="blue", password="").status_code == 401
    choose(used, "ruby")
    red = sign_in(used, "red")["Cookie"]
    assert send(used, "/account/team/members/ruby/remove", red).status_code == 303
    assert send(used, "/sign-in/password", name="ruby", password=PASSWORD).status_code == 401
    assert used.get("/me", "ruby").status_code == 401


def test_failures_slow_a_name_and_are_forgotten(used: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """After five wrong passwords the right one has to wait, also elsewhere; a success counts nothing then."""
    now = utc_now()
    monkeypatch.setattr(attempts, "utc_now", lambda: now)
    choose(used, "red")
    for _ in range(5):
        assert send(used, "/sign-in/password", name="RED", password="wrong").status_code == 401
    answer = send(used, "/sign-in/password", name="red", password=PASSWORD)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")
    assert "Try again in" in answer.text
    assert send(used, "/sign-in/token", token=used.tokens["red"]).status_code == 303
    with used.world.database.transaction() as session:
        session.execute(update(SignInAttempt).values(last_at=now - dt.timedelta(minutes=6)))
    assert send(used, "/sign-in/password", name="red", password=PASSWORD).status_code == 303
    assert send(used, "/sign-in/password", name="red", password="wrong").status_code == 401


def test_failures_slow_an_address(used: Site) -> None:
    """A hundred wrong codes from one address are enough for a while, for codes and passwords."""
    assert send(used, "/join", code="x", name="eve").status_code == 404
    with used.world.database.transaction() as session:
        session.execute(update(SignInAttempt).values(failures=106, last_at=utc_now()))
    for path, fields in (("/join", {"code": "x"}), ("/sign-in/password", {"name": "a", "password": "b"})):
        answer = send(used, path, **fields)
        assert answer.status_code == 429
        assert 50 <= int(answer.headers["retry-after"]) <= 60


def test_a_password_over_a_network_needs_https(used: Site) -> None:
    """From elsewhere by http neither form is shown nor a password taken; everything else works."""
    used.client._transport.client = ("192.0.2.9", 5000)  # type: ignore[attr-defined]
    cookie = cookie_of(send(used, "/sign-in/token", token=used.tokens["red"]))
    for path in ("/sign-in", "/account"):
        page = read(used, path, cookie).text
        assert "This page came by plain http" in page
        assert 'name="password"' not in page
    assert send(used, "/sign-in/password", name="red", password=PASSWORD).status_code == 403
    assert send(used, "/account/password", cookie, password=PASSWORD).status_code == 403


@pytest.mark.parametrize(
    "onward",
    [
        "//evil.test",
        "https://evil.test/",
        "/\\evil.test",
        "javascript:alert(1)",
        "",
        "\n//x",
        "//[",
        "http://[",
        "//\u2100",
    ],
)
def test_signing_in_leads_to_no_other_site(used: Site, onward: str) -> None:
    """Where a sign-in leads is an address of ours, whatever the form says."""
    answer = send(used, "/sign-in/token", token=used.tokens["red"], onward=onward)
    assert answer.headers["location"] == "/account"
    assert used.client.get("/sign-in", params={"next": onward}).status_code == 200


@pytest.mark.parametrize("origin", ["http://[", "http://testserver]", "null", "http://\u2100"])
def test_an_origin_that_is_none_is_not_ours(used: Site, origin: str) -> None:
    """What a request says of where it comes from may be anything; it is refused and nothing fails."""
    headers = {b"Origin": origin.encode()}
    answer = used.client.post("/sign-in/token", data={"token": used.tokens["red"]}, headers=headers)
    assert answer.status_code == 403


def test_a_failure_is_secured_too(used: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer of 500 has the headers of every other one."""

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(links, "whose", fail)
    monkeypatch.setattr(administering, "list_accounts", fail)
    for path, headers in (("/sign-in/link/x", {}), ("/api/v1/users", used.headers("staff"))):
        answer = used.client.get(path, headers=headers)
        assert answer.status_code == 500
        assert answer.headers["content-security-policy"].startswith("default-src 'self'; script-src 'self';")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
