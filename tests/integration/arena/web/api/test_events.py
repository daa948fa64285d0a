"""Streams, announcements and webhooks, as they are asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from arena.events import feed
from arena.events.channels import Scope
from tests.integration.arena.roles import ADMIN, ORGANISER, WHO, settle, sign_in
from tests.integration.arena.site import Site, start_cup

STREAMS = ("/events", "/tournaments/cup/events", "/tournaments/cup/matches/1/events")


@pytest.mark.parametrize("path", STREAMS)
def test_a_stream_can_be_asked_about(site: Site, path: str) -> None:
    """HEAD tells what it is and does not follow it."""
    start_cup(site)
    answer = site.client.head("/api/v1" + path)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", STREAMS)
@pytest.mark.parametrize("number", ["x", "-1", "1.5", "٣", "9" * 30])
def test_a_number_that_is_none_is_refused(site: Site, path: str, number: str) -> None:
    """Whoever sends what no stream has told hears so."""
    start_cup(site)
    headers = {"Last-Event-ID": number.encode()}
    answer = site.client.get("/api/v1" + path, headers=headers)  # type: ignore[arg-type]  # bytes are taken too
    assert answer.status_code == 422
    assert "Last-Event-ID" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("path", "trusted"),
    [(path, {ADMIN, ORGANISER} if "cup" in path else {ADMIN}) for path in STREAMS],
)
def test_a_stream_tells_more_to_who_runs_what_it_is_of(
    site: Site, path: str, trusted: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By their token, while a session of the pages shows nothing; and it goes out as it was told."""
    start_cup(site)
    settle(site)
    followed: list[Scope] = []

    async def follow(scope: Scope, *_: object) -> AsyncIterator[bytes]:
        followed.append(scope)
        yield b"data: told\n\n"

    monkeypatch.setattr(site.client.app.state.services.feed, "follow", follow)  # type: ignore[attr-defined]  # a FastAPI application
    for role, user in WHO.items():
        told = [site.get(path, user), site.get(path, **sign_in(site, user))]
        assert [each.content for each in told] == [b"retry: 2000\n\ndata: told\n\n"] * 2
        assert [each.headers["cache-control"] for each in told] == ["no-store"] * 2
        assert [each.staff for each in followed] == [role in trusted, False], role
        followed.clear()


def test_what_is_not_there_cannot_be_followed(site: Site) -> None:
    """A tournament or match that there is not is 404, a token that is none 401."""
    start_cup(site)
    assert site.get("/tournaments/none/events").status_code == 404
    assert site.get("/tournaments/cup/matches/99/events").status_code == 404
    assert site.get("/events", Authorization="Bearer wrong").status_code == 401


@pytest.mark.parametrize("bound", ["MAX_FOLLOWERS", "MAX_OF_ONE"])
def test_no_more_streams_than_there_is_room_for(
    site: Site, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    """One too many is told so, with when to come back, and takes nobody's place."""
    monkeypatch.setattr(feed, bound, 0)
    answer = site.get("/events")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert site.get("/tournaments").status_code == 200


def test_announcements_are_the_staffs_and_for_everybody(site: Site) -> None:
    """The staff announces, everybody reads, newest first; who it was is not told."""
    start_cup(site)
    assert site.post("/announcements", "red", json={"text": "hello"}).status_code == 403
    assert site.post("/announcements", "staff", json={"text": " "}).status_code == 422
    missing = site.post("/announcements", "staff", json={"text": "x", "tournament": "none"})
    assert missing.status_code == 404
    for text, about in (("first", None), ("second", "cup")):
        made = site.post("/announcements", "staff", json={"text": text, "tournament": about})
        assert (made.status_code, made.json()["data"]) == (201, {"text": text})
    listed = site.get("/announcements").json()
    assert [(each["data"]["text"], each["tournament"], each["user"]) for each in listed["items"]] == [
        ("second", "cup", None),
        ("first", None, None),
    ]
    assert listed["total"] == 2


def test_organisers_announce_in_their_own_tournaments(site: Site) -> None:
    """What is about another tournament, or about none, is not theirs to announce."""
    start_cup(site)
    settle(site)
    own = {"text": "begins at nine", "tournament": "cup"}
    assert site.post("/announcements", "teacher", json=own).status_code == 201
    assert site.post("/announcements", "elsewhere", json=own).status_code == 403
    assert site.post("/announcements", "teacher", json={"text": "to all"}).status_code == 403
    assert site.get("/announcements").json()["total"] == 1


def test_webhooks_are_the_staffs(site: Site) -> None:
    """Created with a secret that is shown once, stopped, started and removed; others may not even look."""
    new = {"url": "https://hooks.example.org/x", "kinds": ["match.*"]}
    assert site.post("/webhooks", "red", json=new).status_code == 403
    assert site.get("/webhooks", "red").status_code == 403
    made = site.post("/webhooks", "staff", json=new)
    assert made.status_code == 201
    secret, number = made.json()["secret"], made.json()["webhook"]["number"]
    assert secret.startswith("whsec_")
    listed = site.get("/webhooks", "staff")
    assert [each["number"] for each in listed.json()["items"]] == [number]
    assert secret not in listed.text
    one = f"/webhooks/{number}"
    assert site.post(f"{one}/start", "staff").status_code == 409
    assert site.post(f"{one}/stop", "staff").json()["state"] == "stopped"
    assert site.post(f"{one}/stop", "staff").status_code == 409
    assert site.post(f"{one}/start", "staff").json()["trouble"] is None
    assert site.get(f"{one}/deliveries", "staff").json()["items"] == []
    assert site.post(f"{one}/deliveries/1/retry", "staff").status_code == 404
    assert site.delete(one, "staff").json() == {"number": number}
    assert site.get(one, "staff").status_code == 404


def test_a_webhook_to_a_private_address_is_refused(site: Site) -> None:
    """What only this machine could reach is no address for a webhook."""
    new = {"url": "http://127.0.0.1:8080/", "kinds": ["match.*"]}
    answer = site.post("/webhooks", "staff", json=new)
    assert answer.status_code == 422
    assert "ARENA_WEBHOOK_PRIVATE" in answer.json()["detail"]
