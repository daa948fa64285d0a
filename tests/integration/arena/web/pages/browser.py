"""A browser that sends the forms of the pages and keeps no cookie but the one it is told to show."""

from __future__ import annotations

import re
from typing import Any

import httpx2

from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site

ORIGIN = {"Origin": "http://testserver"}
PASSWORD = "blue horse 7 lamps"


def send(site: Site, path: str, cookies: str = "", **fields: str) -> Any:
    """Send a form as a browser does from our own page; `cookies` is what it shows."""
    headers = ORIGIN | ({"Cookie": cookies} if cookies else {})
    site.client.cookies.clear()
    return site.client.post(path, data=fields, headers=headers, follow_redirects=False)


def cookie_of(answer: httpx2.Response) -> str:
    """What a browser shows from then on."""
    found = re.match(r"((?:__Host-)?arena=[^;]+)", answer.headers["set-cookie"])
    assert found is not None, answer.headers
    return found[1]


def read(site: Site, path: str, cookies: str = "", **headers: str) -> Any:
    """Read a page as the browser does."""
    site.client.cookies.clear()
    return site.client.get(path, headers={"Cookie": cookies} | headers, follow_redirects=False)


def choose(site: Site, name: str, password: str = PASSWORD) -> None:
    """Have somebody choose a password."""
    headers = {"Cookie": sign_in(site, name)["Cookie"], **ORIGIN}
    answer = site.client.post(
        "/account/password", data={"password": password}, headers=headers, follow_redirects=False
    )
    assert answer.status_code == 303, answer.text
