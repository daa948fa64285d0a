"""Who asks too often is told when to come again, and everybody else is served."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

import pytest
from fastapi.testclient import TestClient

from arena.web import app as application
from arena.web.http.rates import RateLimit
from tests.integration.arena.site import Site, play_cup, served, start_cup
from tests.integration.arena.world import World
from tests.waiting import Clock

Limited = Callable[..., AbstractContextManager[Site]]


@pytest.fixture
def clock() -> Clock:
    """By it is counted."""
    return Clock()


@pytest.fixture
def limited(sqlite_world: Callable[[], World], monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Limited:
    """Makes a site with other rates."""

    @contextmanager
    def made(**rates: int) -> Iterator[Site]:
        monkeypatch.setattr(application, "RateLimit", partial(RateLimit, clock=clock))
        world = sqlite_world()
        world.settings = world.settings.model_copy(update=rates)
        with served(world, monkeypatch) as site:
            yield site

    return made


def test_who_writes_too_often_is_refused(limited: Limited, clock: Clock) -> None:
    """By token with 429 and when to come again, on the pages too; others, and reading, go on."""
    with limited(rate_writes=3) as site:
        answers = [site.post("/me/tokens", "red", json={}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
        refused = answers[-1]
        assert refused.headers["content-type"] == "application/problem+json"
        assert refused.json()["retry_seconds"] == int(refused.headers["retry-after"]) == 20
        assert site.post("/me/tokens", "blue", json={}).status_code == 201
        assert site.get("/me", "red").status_code == 200
        cookie = {"Cookie": "arena=somebodys", "Sec-Fetch-Site": "same-origin"}
        pages = [site.client.post("/my/news/seen", headers=cookie, follow_redirects=False) for _ in range(4)]
        assert [page.status_code for page in pages] == [303, 303, 303, 429]
        assert pages[-1].headers["content-type"].startswith("text/html")
        assert int(pages[-1].headers["retry-after"]) == 20
        clock.now += 20
        assert site.post("/me/tokens", "red", json={}).status_code == 201


def test_what_is_kept_for_all_is_not_counted(limited: Limited) -> None:
    """A class behind one address reads a kept page however often, when nothing else is to be had there."""
    with limited(rate_address_reads=3) as site:
        start_cup(site)
        play_cup(site)
        assert [site.client.get("/tournaments/cup").status_code for _ in range(50)] == [200] * 50
        assert [site.get("/me", "red").status_code for _ in range(3)] == [200, 200, 429]
        assert site.client.get("/tournaments/cup").status_code == 200
        assert site.client.get("/static/site.css").status_code == 200
        assert site.get("/health").status_code in {200, 503}


def test_what_one_has_used_up_is_told_to_nobody_else(limited: Limited) -> None:
    """No refusal is kept, and an address that has asked for nothing yet has its answer."""
    with limited(rate_address_reads=3) as site:
        answers = [site.client.get("/tournaments/none") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [404, 404, 404, 429]
        assert answers[-1].headers["cache-control"] == "no-store"
        other = TestClient(site.client.app, client=("192.0.2.7", 50000))
        assert other.get("/tournaments/none").status_code == 404


def test_who_tries_tokens_for_figures_is_counted(limited: Limited) -> None:
    """As everywhere; whether a process lives may be asked however often."""
    with limited(rate_address_reads=3) as site:
        elsewhere = TestClient(site.client.app, client=("192.0.2.7", 50000))
        tried = [elsewhere.get("/metrics", headers={"Authorization": f"Bearer {n}"}) for n in range(4)]
        assert [answer.status_code for answer in tried] == [401, 401, 401, 429]
        assert elsewhere.get("/healthz").status_code == 200


def test_an_address_has_its_own_measure(limited: Limited) -> None:
    """Tokens that are made up do not help: all of an address are counted together too."""
    with limited(rate_address_writes=3) as site:

        def made_up(number: int) -> int:
            headers = {"Authorization": f"Bearer arena_{number}"}
            return int(site.client.post("/api/v1/me/tokens", headers=headers).status_code)

        assert [made_up(number) for number in range(4)] == [401, 401, 401, 429]


def test_as_it_comes_a_class_is_not_hindered(site: Site) -> None:
    """Five hundred teams of one address do something at the same moment."""
    answers = {
        site.client.post("/api/v1/me/tokens", headers={"Authorization": f"Bearer {n}"}).status_code
        for n in range(500)
    }
    assert answers == {401}
