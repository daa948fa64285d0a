"""A browser makes a passkey, signs in by it without a name, and removes it, with a virtual authenticator."""

from __future__ import annotations

import httpx2
import pytest
from playwright.sync_api import CDPSession

from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import PATIENCE, Arena, MakeArena

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
MADE = 'section[aria-labelledby="passkeys"] li'

pytestmark = [needs_chromium, pytest.mark.long]


@pytest.fixture(scope="module")
def arena(make_shared: MakeArena) -> Arena:
    """An arena that nobody plays in."""
    return make_shared(0)


@pytest.fixture
def address(arena: Arena) -> str:
    """The arena as localhost, where browsers have passkeys."""
    return arena.state.url.replace("127.0.0.1", "localhost")


@pytest.fixture
def device(reader: Reader) -> CDPSession:
    """The way to the reader's device, which opens passkeys for whoever is at it."""
    session = reader.page.context.new_cdp_session(reader.page)
    session.send("WebAuthn.enable")
    return session


def test_a_passkey_signs_in_without_a_name(arena: Arena, reader: Reader, device: CDPSession) -> None:
    """It is made once a device, signs in by itself, is listed with its use, and removed signs in no more."""
    authenticator = device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]
    token = arena.json("user", "create", "ann")["token"]
    reader.open("/sign-in")
    reader.send('[action="/sign-in/token"]', token=token)
    make = '[action="/account/passkeys"]'
    reader.send(make, name="library")
    assert reader.page.locator(MADE).count() == 1
    reader.page.click(f"{make} button")
    reader.page.locator(f"{make} [role=alert]:not(:empty)").wait_for()
    reader.check()
    assert reader.page.locator(MADE).count() == 1
    reader.press('form[action="/sign-out"] button')
    show = '[action="/sign-in/passkey"]'
    reader.open("/sign-in?next=/bots")
    reader.press(f"{show} button")
    assert reader.page.url.endswith("/bots")
    assert reader.page.inner_text(".who") == "ann"
    authorized = {"Authorization": f"Bearer {token}"}
    answer = httpx2.get(f"{arena.state.url}/api/v1/me/passkeys", headers=authorized, timeout=PATIENCE)
    kept = answer.json()["items"]
    assert [(each["name"], each["host"]) for each in kept] == [("library", "localhost")]
    assert kept[0]["used_at"] is not None
    reader.open("/account")
    reader.page.click(f"{MADE} summary")
    reader.check()
    reader.press(f"{MADE} form button")
    assert reader.page.locator(MADE).count() == 0
    reader.press('form[action="/sign-out"] button')
    reader.open("/sign-in")
    reader.press(f"{show} button")
    assert reader.page.locator("main > [role=alert]").is_visible()
    device.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": authenticator})


def test_what_a_device_does_not_do_is_told(arena: Arena, reader: Reader, device: CDPSession) -> None:
    """A device without its owner, and one without passkeys, come to words on the page, which goes on."""
    options = DEVICE | {"isUserVerified": False}
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    token = arena.json("user", "create", "bea")["token"]
    show = '[action="/sign-in/passkey"]'
    reader.open("/sign-in")
    reader.page.click(f"{show} button")
    reader.page.locator(f"{show} [role=alert]:not(:empty)").wait_for()
    reader.check()
    reader.send('[action="/sign-in/token"]', token=token)
    make = '[action="/account/passkeys"]'
    reader.page.click(f"{make} button")
    reader.page.locator(f"{make} [role=alert]:not(:empty)").wait_for()
    reader.check()
    assert reader.page.locator(MADE).count() == 0
