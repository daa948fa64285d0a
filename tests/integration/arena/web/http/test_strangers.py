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


def writing(routers: Sequence[APIRouter], prefix: str = "") -> list[tuple[str, str]]:
    """The methods and addresses by which something is changed."""
    return [
        (method, prefix + re.sub(r"{\w+}", "1", route.path))
        for router in routers
        for route in router.routes
        if isinstance(route, APIRoute)
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
