"""Headers that no browser sends cost little, and are no fault of the arena."""

from __future__ import annotations

import time

import pytest

from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.browser import ORIGIN

MAX_SECONDS = 5.0


@pytest.mark.parametrize("path", ["/", "/sign-in", "/api/v1/tournaments"])
def test_a_cookie_that_is_quoted_keeps_nobody_waiting(site: Site, path: str) -> None:
    """One whose quotation takes long to be taken apart is passed over, and the others are read."""
    cookies = 'a="' + "\\" * 60_000 + '"; lang=zh-Hant-TW'
    began = time.process_time()
    answer = site.client.get(path, headers={"Cookie": cookies})
    assert answer.status_code == 200
    assert time.process_time() - began < MAX_SECONDS
    assert 'lang="zh-Hant-TW"' in answer.text or path.startswith("/api/")


def test_whoever_comes_from_what_is_no_address_is_led_to_sign_in(site: Site) -> None:
    """A form of somebody who is not signed in, with a `Referer` that cannot be read, is no failure."""
    headers = {**ORIGIN, "Referer": "http://["}
    answer = site.client.post("/account/sessions/end", headers=headers, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
