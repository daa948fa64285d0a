"""A frozen tournament: whoever does not run it finds no trace of what was recorded after the freeze."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from arena.core.terms import ExportFormat
from arena.tournaments import lifecycle
from arena.web import app as application
from tests.integration.arena.roles import ADMIN, ORGANISER, WHO, each_role, settle, sign_in
from tests.integration.arena.site import API, Site, calculator_of, start_cup
from tests.integration.arena.web.api.hiding import end_hidden, freeze, play_some
from tests.integration.arena.web.api.test_permissions import PLACES
from tests.integration.arena.web.pages.test_page_permissions import MAY
from tests.integration.arena.web.pages.test_page_permissions import PLACES as PAGE_PLACES

SEES_ALL = {ADMIN, ORGANISER}
QUERIES = {
    f"{API}/tournaments/{{name}}/export": [f"?format={form}" for form in ExportFormat],
    "/tournaments/{name}/export": [f"?format={form}" for form in ExportFormat],
    f"{API}/tournaments/{{name}}/head-to-head": ["?one=red&other=blue"],
    "/tournaments/{name}/head-to-head": ["?one=red&other=blue"],
    f"{API}/tournaments/{{name}}/matches": ["", "?bot=red", "?state=finished", "?state=pending", "?limit=1"],
    "/tournaments/{name}/matches": ["", "?bot=red", "?state=finished", "?state=finished&bot=blue"],
    f"{API}/tournaments/{{name}}/ratings": ["", "?resamples=2", "?pairwise=true"],
    f"{API}/tournaments/{{name}}/ratings/history": ["", "?kind=online"],
    "/tournaments/{name}/ratings/history": ["", "?kind=online"],
}
TABLES = (
    *(
        "/leaderboard",
        "/crosstable",
        "/ratings",
        "/ratings/history",
        "/matches",
        "/bots/red",
        "/balance",
        "/accuracy",
    ),
    *("/head-to-head?one=red&other=blue", "/export?format=csv", "/export?format=jsonl", ""),
)
WORKED_OUT = re.compile(rb"Worked out on [^<]*")
FROM_NOW = re.compile(rb"<time[^<]*</time>")
"""A moment in a forecast of what would begin now."""
VOLATILE = {"/api/v1/health", "/metrics"}
"""What tells of the arena's own work, whichever tournament that is of; the last on its own machine only."""


def _addresses(site: Site) -> Iterator[str]:
    """Every address of the API and the pages that is read, with what it may be asked for."""
    paths = [
        path
        for path, operations in site.get("/openapi.json").json()["paths"].items()
        for name in [operations.get("get", {}).get("operationId", "")]
        if name and not name.startswith("follow_")
    ]
    paths += [path for method, path in MAY if method == "GET"]
    for path in paths:
        if path in VOLATILE:
            continue
        kind = path.removeprefix(API).split("/")[1]
        named = {"tournaments": "cup", "games": "heap_nim", "classes": "7a", "manage": "cup"}
        numbers = ["1", "2", "3", "99"] if "/matches/{number}" in path else ["1"]
        for number in numbers:
            for query in QUERIES.get(path, [""]):
                yield (
                    path.format(**PLACES | PAGE_PLACES | {"name": named.get(kind, "red"), "number": number})
                    + query
                )


def _read(site: Site, role: str, pages: dict[str, str]) -> dict[str, tuple[int, Any, bytes]]:
    """What every address answers to a role: its status, its ETag and its bytes."""
    told = {}
    for address in _addresses(site):
        headers = site.headers(WHO[role]) if address.startswith(API) else pages
        answer = site.client.get(address, headers=headers, follow_redirects=False)
        content = WORKED_OUT.sub(b"", answer.content)
        if address == "/manage/new":
            content = FROM_NOW.sub(b"", content)
        told[address] = answer.status_code, answer.headers.get("etag"), content
    return told


Told = dict[str, tuple[int, Any, bytes]]


def _changed(before: Told, after: Told) -> dict[str, tuple[Any, Any]]:
    return {each: (told, after[each]) for each, told in before.items() if told != after[each]}


@contextmanager
def _anew(site: Site) -> Iterator[Site]:
    """Another application over the same database, which has kept no answer."""
    world = site.world
    url = world.database.engine.url.render_as_string(hide_password=False)
    settings = world.settings.model_copy(update={"database_url": url})
    app = application.create_app(settings, world.broker, calculator_of(settings, world))
    with TestClient(app, raise_server_exceptions=False, client=("127.0.0.1", 50000)) as client:
        yield replace(site, client=client)


@pytest.mark.parametrize("role", each_role(role for role in WHO if role not in SEES_ALL))
def test_nothing_changes_for_others(frozen: Site, role: str) -> None:
    """Every address answers the same bytes after the hidden results as before: kept or made anew."""
    pages = sign_in(frozen, WHO[role])
    freeze(frozen)
    before = _read(frozen, role, pages)
    end_hidden(frozen)
    after = _read(frozen, role, pages)
    assert _changed(before, after) == {}
    with _anew(frozen) as anew:
        assert _changed(before, _read(anew, role, pages)) == {}
    assert sum(status == 200 for status, _, _ in before.values()) > len(before) / 3


def test_the_address_of_a_feed_opens_nothing_else(frozen: Site) -> None:
    """Who shows the secret in it as a token is told no more than everybody, though it is an organiser's."""
    frozen.tokens["feed"] = frozen.post("/me/tokens", "teacher", json={"scope": "feed"}).json()["token"]
    freeze(frozen, own=True)
    end_hidden(frozen)
    for address in (
        f"{root}/tournaments/cup{table}" for root in (API, "") for table in (*TABLES, "/matches/4")
    ):
        told, public = (frozen.client.get(address, headers=frozen.headers(who)) for who in ("feed", None))
        refused = (told.status_code, public.status_code) == (403, 200)
        assert refused or told.content == public.content, address


def test_a_ladder_that_ends_behind_its_freeze_is_told_as_going_on(site: Site) -> None:
    """Whoever may enter a frozen ladder still sees it among what is open, and nothing new about it."""
    settle(site)
    start_cup(site, format="ladder")
    addresses = [f"{API}/me/{each}" for each in ("openings", "news")]
    addresses += [f"/my{each}" for each in ("", "/news", "/questions", "/scrimmages", "/bots/blue")]

    def told(who: str) -> dict[str, bytes]:
        pages = sign_in(site, who)
        headers = {each: site.headers(who) if each.startswith(API) else pages for each in addresses}
        return {each: site.client.get(each, headers=headers[each]).content for each in addresses}

    freeze(site)
    before = {who: told(who) for who in ("looker", "elsewhere")}
    with site.world.database.transaction() as session:
        lifecycle.end(session, site.world.staff, site.world.get(session))
    assert {who: told(who) for who in before} == before
    assert b'"cup"' in before["elsewhere"][f"{API}/me/openings"]


def test_no_other_spelling_of_an_address_tells_more(frozen: Site) -> None:
    """With a control character there is nothing anywhere, and with a space no more than without."""
    freeze(frozen)
    end_hidden(frozen)
    for address in _addresses(frozen):
        path, mark, query = address.partition("?")
        for odd in (f"{path}%0A", f"{path}%C2%85", f"{path[:-1]}%00{path[-1:]}"):
            assert frozen.client.get(f"{odd}{mark}{query}").status_code == 404, odd
    hidden, spaced = (frozen.get(f"/tournaments/cup/matches/{number}") for number in ("4", "%204"))
    assert spaced.json() | {"instance": ""} == hidden.json() | {"instance": ""}


def test_staff_sees_all_and_everybody_after_the_reveal(frozen: Site) -> None:
    """Who runs it is told of hidden results wherever tables are, and after the reveal everybody."""
    freeze(frozen)
    hidden = {table: frozen.get(f"/tournaments/cup{table}") for table in TABLES}
    end_hidden(frozen)
    for who in ("staff", "teacher"):
        for table in TABLES:
            seen = frozen.get(f"/tournaments/cup{table}", who)
            assert seen.status_code == 200, table
            assert seen.content != hidden[table].content, table
            assert "frozen-since" in hidden[table].headers or table.startswith("/export")
    behind = frozen.client.get("/manage/cup/timetable", headers=sign_in(frozen, "teacher"))
    assert (behind.status_code, "The table behind the freeze" in behind.text) == (200, True)
    assert frozen.client.get("/manage/cup/reveal", headers=sign_in(frozen, "teacher")).status_code == 200
    assert frozen.post("/tournaments/cup/reveal", "staff").status_code == 200
    for table in TABLES:
        told = frozen.get(f"/tournaments/cup{table}")
        assert told.content == frozen.get(f"/tournaments/cup{table}", "looker").content
        assert told.content != hidden[table].content, table
        assert "frozen-since" not in told.headers
    assert frozen.get("/tournaments/cup/leaderboard").json()["played"] == 12
    assert frozen.get("/tournaments/cup", "red").json()["state"] == "cancelled"


def test_what_was_kept_before_is_not_told_in_another_state(frozen: Site) -> None:
    """Kept answers of before the freeze, of staff and public, are never mixed up: each asks all the time."""
    path = "/tournaments/cup/ratings"
    assert frozen.get(path).content == frozen.get(path, "staff").content
    freeze(frozen)
    kept = frozen.get(path).content
    play_some(frozen, 2)
    for _ in range(2):
        assert frozen.get(path, "staff").content != kept
        assert frozen.get(path).content == kept
        assert frozen.get(path, "elsewhere").content == kept
    frozen.post("/tournaments/cup/reveal", "teacher")
    assert frozen.get(path).content == frozen.get(path, "staff").content != kept


def test_a_reveal_by_the_api(frozen: Site) -> None:
    """Step by step, and back, and what comes last is public; a press that comes twice counts once."""
    freeze(frozen)
    path = "/tournaments/cup/reveal"
    refused = frozen.post(f"{path}/step", "staff", json={"at": 0, "to": 1})
    assert (refused.status_code, "still being played" in refused.json()["detail"]) == (409, True)
    end_hidden(frozen)
    one = frozen.post(f"{path}/step", "staff", json={"at": 0, "to": 1}).json()
    assert (one["step"], one["steps"], sum(line["shown"] for line in one["items"])) == (1, 2, 1)
    assert frozen.post(f"{path}/step", "staff", json={"at": 0, "to": 1}).json() == one
    assert frozen.post(f"{path}/step", "staff", json={"at": 1, "to": 0}).json()["step"] == 0
    assert frozen.post(f"{path}/step", "teacher", json={"at": 0, "to": 1}).json() == one
    assert frozen.get("/tournaments/cup").json()["frozen_at"] is not None
    last = frozen.post(f"{path}/step", "staff", json={"at": 1, "to": 2}).json()
    final = frozen.get("/tournaments/cup/leaderboard").json()["items"]
    assert [(line["place"], line["bot"], line["points"]) for line in last["items"]] == [
        (line["rank"], line["bot"], line["points"]) for line in final
    ]
    assert last["frozen_at"] is None
    kinds = [line["kind"] for line in frozen.get("/tournaments/cup/log", "staff").json()["items"]]
    assert kinds[0] == "tournament.revealed"
    assert {"tournament.frozen", "reveal.moved"} <= set(kinds)
