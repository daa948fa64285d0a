"""Answers of the application that are kept, against those that are worked out."""

from __future__ import annotations

import pytest

from arena.store.models import Tournament
from arena.web.api.routes import standings
from arena.web.pages import tournaments as pages
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.world import issue_matches, play

PATHS = [
    *("/leaderboard", "/crosstable", "/balance", "/bots/red", "/head-to-head?one=red&other=blue"),
    *("/ratings", "/ratings?pairwise=true", "/ratings/history"),
]
PAGES = ["", "/crosstable", "/balance", "/bots/red", "/ratings", "/ratings/history"]


def test_after_every_result_answers_are_those_that_are_worked_out(site: Site) -> None:
    """What the public is told is at every revision what staff are told, of which nothing is kept."""
    start_cup(site)
    with site.world.database.transaction() as session:
        messages = issue_matches(session, site.world.settings)
    for message in [None, *messages]:
        if message is not None:
            site.world.record(message, play(message.spec))
        for path in PATHS:
            fresh = site.get(f"/tournaments/cup{path}", "staff")
            for _ in range(2):
                kept = site.get(f"/tournaments/cup{path}")
                assert (kept.status_code, kept.content) == (fresh.status_code, fresh.content)
                assert kept.headers.get("etag") == fresh.headers.get("etag")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_another_one_after_a_result_and_in_another_language(site: Site, path: str) -> None:
    """A page is made once for a revision and a language, and anew after a result."""
    start_cup(site)
    with site.world.database.transaction() as session:
        message, *_ = issue_matches(session, site.world.settings)
    url = f"/tournaments/cup{path}"
    english, chinese = (
        site.client.get(url, headers={"Accept-Language": tag}).text for tag in ("en", "zh-TW")
    )
    assert english != chinese
    assert site.client.get(url, headers={"Accept-Language": "en"}).text == english
    site.world.record(message, play(message.spec))
    assert site.client.get(url, headers={"Accept-Language": "en"}).text != english


def test_what_is_kept_is_not_worked_out_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second reader of a revision is answered although nothing could work the answer out."""
    start_cup(site)
    told = site.get("/tournaments/cup/leaderboard").content, site.client.get("/tournaments/cup").content

    def broken(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(standings, "leaderboard_of", broken)
    monkeypatch.setattr(pages, "render", broken)
    assert (
        site.get("/tournaments/cup/leaderboard").content,
        site.client.get("/tournaments/cup").content,
    ) == told


def test_results_changed_by_hand_are_told_with_the_next_revision(site: Site) -> None:
    """What is written past the arena, without a new revision, is told as soon as there is one."""
    start_cup(site)
    before = site.get("/tournaments/cup/leaderboard").json()
    with site.world.database.transaction() as session:
        site.world.get(session).entries[0].wall_ns += 5_000_000_000
    assert site.get("/tournaments/cup/leaderboard").json() == before
    with site.world.database.transaction() as session:
        session.get_one(Tournament, site.world.get(session).id).revision += 1
    after = site.get("/tournaments/cup/leaderboard").json()
    assert sum(line["wall_ms"] for line in after["items"]) == 5000 + sum(
        line["wall_ms"] for line in before["items"]
    )
