"""Every list is alike: parts with links to their neighbours, ETags, and HEAD."""

from __future__ import annotations

import pytest

from tests.integration.arena.lab import Lab
from tests.integration.arena.site import Site, start_cup

LISTS = [
    "/bots",
    "/bots/red/versions",
    "/experiments",
    "/games",
    "/problems",
    "/tournaments",
    "/tournaments/cup/entries",
    "/tournaments/cup/matches",
    "/users",
]
ADDRESSES = [
    *LISTS,
    "/bots/red",
    "/experiments/1",
    "/experiments/1/results",
    "/tournaments/cup",
    "/tournaments/cup/leaderboard",
    "/health",
    "/openapi.json",
]


@pytest.fixture
def filled(site: Site) -> Site:
    """A site with two of everything."""
    start_cup(site)
    start_cup(site, "bowl")
    site.submit("red", "red")
    for _ in range(2):
        Lab(site.world).create()
    return site


@pytest.mark.parametrize("path", LISTS)
def test_the_parts_of_a_list(filled: Site, path: str) -> None:
    """Following the links from the first part to the last gives the whole list, each item once."""
    whole = filled.get(path, "staff").json()
    assert whole["total"] == len(whole["items"]) >= 2
    items, address = [], f"{path}?limit=1"
    while address:
        answer = filled.get(address, "staff")
        items += answer.json()["items"]
        links = {link[-5:-1]: link[1 : link.index(">")] for link in answer.headers["link"].split(", ")}
        assert ("prev" in links) == (len(items) > 1)
        address = links.get("next", "").removeprefix("/api/v1")
    assert items == whole["items"]
    beyond = filled.get(f"{path}?offset=1000", "staff").json()
    assert (beyond["items"], beyond["total"]) == ([], whole["total"])
    assert filled.get(f"{path}?limit=0", "staff").status_code == 422


@pytest.mark.parametrize("path", LISTS)
def test_a_list_is_not_sent_twice(filled: Site, path: str) -> None:
    """A client that has just this list is told so."""
    etag = filled.get(path, "staff").headers["etag"]
    again = filled.get(path, "staff", **{"If-None-Match": etag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)


@pytest.mark.parametrize("path", ADDRESSES)
def test_head(filled: Site, path: str) -> None:
    """HEAD gives what GET does, without the body."""
    headers = {**filled.headers("staff"), "X-Request-ID": "the-same"}
    asked = filled.client.get(f"/api/v1{path}", headers=headers)
    head = filled.client.head(f"/api/v1{path}", headers=headers)
    assert (head.status_code, head.content, dict(head.headers)) == (200, b"", dict(asked.headers))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/tournaments/cup", 200),
        ("/static/site.css", 200),
        ("/nothing", 404),
        ("/api/v1/tournaments/cup/export", 200),
        ("/api/v1/users", 401),
        ("/api/v1/tournaments/cup/start", 405),
    ],
)
def test_head_elsewhere(filled: Site, path: str, status: int) -> None:
    """Pages, files and errors have heads too."""
    head = filled.client.head(path)
    assert (head.status_code, head.content) == (status, b"")
