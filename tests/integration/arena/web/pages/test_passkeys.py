"""Passkeys on the pages: where they are offered, and what is told of those that are refused."""

from __future__ import annotations

import json

import pytest

from arena.people import passkeys, users
from arena.people.passkeys import Place
from tests.integration.arena.people.authenticator import Authenticator
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.browser import ORIGIN, cookie_of, read, send

LOCAL = {"Host": "localhost:8080", "Origin": "http://localhost:8080"}
PLACE = Place("http://localhost:8080", "localhost")


def kept(site: Site, name: str) -> Authenticator:
    """A device with a passkey of somebody's."""
    device = Authenticator(origin=PLACE.origin)
    with site.world.database.transaction() as session:
        user = users.get(session, name)
        options = passkeys.registration_options(session, user, PLACE)
        passkeys.register(session, user, PLACE, device.make(options), "library")
    return device


def shown(site: Site, device: Authenticator) -> str:
    """What a browser sends of it."""
    answer = site.client.post("/sign-in/passkey/options", headers=LOCAL)
    assert answer.status_code == 200
    return device.show(answer.json())


@pytest.mark.parametrize("host", ["testserver", "127.0.0.1:8080", "192.168.1.5"])
def test_passkeys_are_offered_where_browsers_have_them(used: Site, host: str) -> None:
    """By https or as localhost, and by a name; elsewhere what is sent all the same is refused with words."""
    cookie = sign_in(used, "red")["Cookie"]
    for path in ("/sign-in", "/account"):
        assert "data-passkey" in read(used, path, cookie, Host="localhost:8080").text
        assert "data-passkey" not in read(used, path, cookie, Host=host).text
    headers = {"Host": host, "Origin": f"http://{host}"}
    refused = used.client.post("/sign-in/passkey", data={"credential": "{}"}, headers=headers)
    assert refused.status_code == 422
    assert 'role="alert"' in refused.text
    assert used.client.post("/sign-in/passkey/options", headers=headers).status_code == 422


def test_a_passkey_begins_a_session_of_its_own(used: Site) -> None:
    """Which says so where sessions are listed, and goes on to the page that was asked for."""
    device = kept(used, "red")
    fields = {"credential": shown(used, device), "onward": "/bots"}
    answer = used.client.post("/sign-in/passkey", data=fields, headers=LOCAL, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/bots")
    cookie = cookie_of(answer)
    assert "by a passkey" in read(used, "/account", cookie).text
    assert used.get("/me/sessions", "red").json()["items"][0]["signed_in_by"] == "passkey"


def test_a_refused_passkey_is_told_on_the_page(used: Site) -> None:
    """Shown twice, or of nobody's, and after too many with the time to wait."""
    device = kept(used, "red")
    sent = shown(used, device)
    statuses = [
        used.client.post(
            "/sign-in/passkey", data={"credential": sent}, headers=LOCAL, follow_redirects=False
        ).status_code
        for _ in range(7)
    ]
    assert statuses == [303, *[401] * 5, 429]


def test_one_removes_one_s_own_by_page_and_api(used: Site) -> None:
    """And nobody else's; what was made is listed without its key."""
    kept(used, "red")
    kept(used, "red")
    first, second = (each["id"] for each in used.get("/me/passkeys", "red").json()["items"])
    assert "public_key" not in json.dumps(used.get("/me/passkeys", "red").json())
    mine, others = (sign_in(used, name)["Cookie"] for name in ("red", "blue"))
    assert send(used, f"/account/passkeys/{first}/remove", others).status_code == 404
    assert used.delete(f"/me/passkeys/{first}", "blue").status_code == 404
    assert send(used, f"/account/passkeys/{first}/remove", mine).status_code == 303
    assert used.delete(f"/me/passkeys/{second}", "red").status_code == 204
    assert used.get("/me/passkeys", "red").json()["items"] == []


def test_making_a_passkey_that_is_none_shows_the_page_again(used: Site) -> None:
    """An empty credential is refused with 422 by the page itself, which shows an alert."""
    headers = {"Cookie": sign_in(used, "red")["Cookie"], **ORIGIN, **LOCAL}
    answer = used.client.post("/account/passkeys", data={"credential": "{}"}, headers=headers)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
