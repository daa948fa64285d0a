"""Every page in a browser: in English on a laptop, in Chinese on a phone."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, Route, ViewportSize

from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import browser, playwright
from tests.acceptance.screens import LAPTOP, PHONE, Screen
from tests.integration.arena.roles import ADMIN, MEMBER, WHO, sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.test_page_permissions import MAY, address_of, used

__all__ = ["browser", "playwright", "used"]

ORIGIN = "http://localhost"
NOT_SERVED = {"transfer-encoding", "content-encoding", "content-length"}
"""Of how an answer was sent, not of what is in it."""

pytestmark = [needs_chromium, pytest.mark.long]


def _server(site: Site, who: dict[str, str]) -> Callable[[Route], None]:
    """Answers what somebody's browser asks for; what goes on and on ends at once."""

    def serve(route: Route) -> None:
        asked = route.request
        if urlsplit(asked.url).path.endswith("/events"):
            route.fulfill(status=204)
            return
        answer = site.client.request(
            asked.method,
            asked.url.removeprefix(ORIGIN),
            headers=asked.headers | who,
            follow_redirects=False,
        )
        headers = {name: value for name, value in answer.headers.items() if name not in NOT_SERVED}
        route.fulfill(status=answer.status_code, headers=headers, body=answer.content)

    return serve


def _is_page(answer: httpx2.Response) -> bool:
    is_file = "attachment" in answer.headers.get("content-disposition", "")
    return answer.headers.get("content-type", "").startswith("text/html") and not is_file


@pytest.mark.parametrize(
    ("locale", "screen"), [("en-GB", LAPTOP), ("zh-TW", PHONE)], ids=["english", "chinese"]
)
def test_every_page_is_fit_for_everybody(used: Site, browser: Browser, locale: str, screen: Screen) -> None:
    """Axe finds nothing on any page that can be read, and none is wider than its window."""
    size = ViewportSize(width=screen.width, height=screen.height)
    seen, faults = 0, list[str]()
    for role in (MEMBER, ADMIN):
        who = sign_in(used, WHO[role])
        context = browser.new_context(locale=locale, viewport=size, color_scheme=screen.scheme)
        context.route("**/*", _server(used, who))
        reader = Reader(context.new_page(), ORIGIN)
        for (method, path), may in MAY.items():
            if method != "GET" or role not in may or (role == ADMIN and MEMBER in may):
                continue
            if _is_page(used.client.get(address_of(path), headers=who)):
                reader.visit(address_of(path))
                faults += reader.faults()
                seen += 1
        context.close()
        faults += reader.foreign + reader.complaints
    assert faults == []
    assert seen > 60
