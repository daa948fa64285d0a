"""Whoever is not known here writes nothing, and takes no lock that others wait for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute
from sqlalchemy import event

from arena.web.app import PREFIX, ROUTERS
from arena.web.http.body_limit import STRANGERS_BYTES
from arena.web.pages import ROUTERS as PAGES
from tests.integration.arena.site import Site
from workers.core.signing import new_key

BEGINS = re.compile(r"\s*(BEGIN IMMEDIATE|INSERT|UPDATE|DELETE)", re.IGNORECASE)
FOR_STRANGERS = re.compile(r"/sign-in/.*|/join|/join/openid|/sign-out|/play/.*")
"""The pages that are there for who is not signed in: attempts are counted (decision 51), and guests play."""


@contextmanager
def written(site: Site) -> Iterator[list[str]]:
    """What requests begin to write, or do; not the watch, which tries whether it could."""
    seen: list[str] = []

    def look(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if BEGINS.match(statement):
            seen.append(statement)

    engine = site.client.app.state.services.database.engine  # type: ignore[attr-defined]
    event.listen(engine, "before_cursor_execute", look)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", look)


def writing(routers: Sequence[APIRouter], prefix: str = "", *, takes: bool = False) -> list[tuple[str, str]]:
    """The methods and addresses by which something is changed; or those that `takes` a body."""
    return [
        (method, prefix + re.sub(r"{\w+}", "1", route.path))
        for router in routers
        for route in router.routes
        if isinstance(route, APIRoute) and (route.body_field or not takes)
        for method in sorted((route.methods or set()) - {"GET", "HEAD"})
    ]


@pytest.mark.parametrize("shown", ["", "Bearer arena_nobodys", "Basic eA=="])
def test_a_worthless_token_takes_no_lock(site: Site, shown: str) -> None:
    """No address of the API that writes begins to, for who shows no token or none that is good."""
    headers = {"Authorization": shown} if shown else {}
    asked = writing(ROUTERS, PREFIX)
    with written(site) as seen:
        answers = [site.client.request(*each, headers=headers).status_code for each in asked]
    assert len(asked) > 50
    assert set(answers) <= {401, 404, 422}
    assert not seen
    with written(site) as seen:
        site.post("/tournaments", "staff", json={})
    assert seen  # somebody's transaction would have been noticed


def test_a_code_that_is_made_up_takes_no_lock(site: Site) -> None:
    """No worker host is enrolled by it, and nothing written."""
    told = {"code": "guessed", "host": "pc-7", "key": new_key().public}
    with written(site) as seen:
        assert site.post("/worker-keys", json=told).status_code == 404
    assert not seen


def test_a_page_for_members_takes_no_lock_of_strangers(site: Site) -> None:
    """No form that is for those who are signed in begins to write, for who shows no session that goes on."""
    headers = {"Sec-Fetch-Site": "same-origin", "Cookie": "arena=nobodys"}
    asked = [each for each in writing(PAGES) if not FOR_STRANGERS.fullmatch(each[1])]
    with written(site) as seen:
        answers = [
            site.client.request(*each, headers=headers, follow_redirects=False).status_code for each in asked
        ]
    assert len(asked) > 50
    assert set(answers) <= {303, 404, 422}
    assert not seen


@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded", ""])
def test_what_strangers_send_is_little(site: Site, kind: str) -> None:
    """Wherever a body is taken, more than forms for everybody have is refused before it is parsed."""
    taking = writing(ROUTERS, PREFIX, takes=True)
    taking += writing(PAGES, takes=True) if kind else []  # a form is no JSON
    headers = {"Content-Type": kind or "application/json", "Sec-Fetch-Site": "same-origin"}
    for method, path in taking:
        answer = site.client.request(
            method, path, content=b"{" * (STRANGERS_BYTES + 1), headers=headers, follow_redirects=False
        )
        for_all = FOR_STRANGERS.fullmatch(path.removeprefix(PREFIX)) or path == f"{PREFIX}/worker-keys"
        refused = 413 if for_all else 401 if path.startswith(PREFIX) else 303
        assert answer.status_code == refused, (path, answer.status_code)
    assert len(taking) > 50


def test_who_is_known_sends_as_much_as_is_needed(site: Site) -> None:
    """A bot of more than strangers may send is taken."""
    answer = site.submit("large", "red", b"#" * (2 * STRANGERS_BYTES))
    assert answer.status_code == 201


def test_everybody_is_told_that_it_was_too_much(site: Site) -> None:
    """A page says so in the reader's language, and the API as a problem."""
    form = {"name": "x" * STRANGERS_BYTES}
    headers = {"Sec-Fetch-Site": "same-origin", "Accept-Language": "zh-TW"}
    page = site.client.post("/sign-in/password", data=form, headers=headers)
    assert (page.status_code, "送出的內容" in page.text) == (413, True)
    problem = site.post("/join", json=form)
    assert (problem.status_code, problem.json()["title"]) == (413, "Too large")
    assert str(STRANGERS_BYTES) in problem.json()["detail"]
