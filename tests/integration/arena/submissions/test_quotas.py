"""What a team may have of its own here, and that nobody else is bounded by it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from arena.core.clock import utc_now
from arena.submissions import quotas, versions
from arena.submissions.quotas import MEGABYTE
from tests.integration.arena.site import Site, served
from tests.integration.arena.world import World

SOURCES = [f"print({number})".encode() for number in range(10)]


@pytest.fixture
def world(sqlite_world: Callable[[], World]) -> World:
    """A world in which teams may have little: `red` and `blue` have one bot each, with one version."""
    world = sqlite_world()
    few = {"team_bots": 2, "team_versions": 4, "team_megabytes": 1, "team_checks": 3}
    world.settings = world.settings.model_copy(update=few)
    return world


def told(answer: Any) -> tuple[int, str]:
    """How an answer refuses."""
    return answer.status_code, answer.json()["detail"]


def test_bots_versions_and_checks(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has its number, which is said with what to do; the staff and other teams go on."""
    with served(world, monkeypatch) as site:
        assert site.submit("comet", "red", SOURCES[0]).status_code == 201
        status, detail = told(site.submit("third", "red", SOURCES[1]))
        assert (status, "2 bots" in detail, "new version of one of them" in detail) == (409, True, True)
        assert site.submit("comet", "red", SOURCES[0]).status_code == 200  # the same again takes nothing
        assert site.submit("comet", "red", SOURCES[1]).status_code == 201
        assert site.submit("comet", "red", SOURCES[2]).status_code == 201
        status, detail = told(site.submit("comet", "red", SOURCES[3]))
        assert (status, "4 versions" in detail) == (409, True)
        refused = site.post("/bots/red/versions/1/check", "red")
        status, detail = told(refused)
        assert (status, "3 checks" in detail, "arena bot check" in detail) == (429, True, True)
        assert 0 < int(refused.headers["retry-after"]) <= 3600
        assert site.submit("other", "blue", SOURCES[3]).status_code == 201
        for number in range(4, 9):
            assert site.submit("staffs", "staff", SOURCES[number]).status_code == 201
        assert site.submit("given", "staff", SOURCES[0], owner="red").status_code == 201
        monkeypatch.setattr(quotas, "utc_now", lambda: utc_now() + dt.timedelta(hours=2))
        assert site.post("/bots/red/versions/1/check", "red").status_code == 202


def test_what_is_refused_is_not_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a team hands in more than it may have, the archives' store does not grow by it."""
    with served(world, monkeypatch) as site:
        assert site.submit("comet", "red", SOURCES[0]).status_code == 201
        monkeypatch.setattr(versions, "keep", pytest.fail)
        assert site.submit("third", "red", SOURCES[1]).status_code == 409
        assert site.submit("comet", "red", b"print()\n#" + b"x" * MEGABYTE).status_code == 409


def test_bytes_are_counted_unpacked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is handed in counts as what it unpacks to, of which the refusal tells how much there is."""
    with served(world, monkeypatch) as site:
        big = b"print()\n#" + b"x" * 700_000
        assert site.submit("comet", "red", big).status_code == 201
        status, detail = told(site.submit("comet", "red", big + b"y"))
        assert (status, "1 MiB unpacked of the 1 MiB" in detail) == (409, True)
        assert site.submit("comet", "red", SOURCES[0]).status_code == 201


def test_a_page_says_the_same(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The form is shown again with the refusal, in the reader's language."""
    with served(world, monkeypatch) as site:
        sign_in(site, "red")
        assert site.submit("comet", "red", SOURCES[0]).status_code == 201
        for language, words in (("en", "has 2 bots, the most"), ("zh-TW", "貴隊已有 2 個機器人")):
            answer = site.client.post(
                "/my/bots/new",
                data={"name": "third"},
                files={"file": ("bot.py", SOURCES[1])},
                headers={"Sec-Fetch-Site": "same-origin", "Accept-Language": language},
            )
            assert answer.status_code == 409
            assert words in answer.text


def sign_in(site: Site, user: str) -> None:
    """Have the client's browser be somebody's."""
    form = {"token": site.tokens[user]}
    answer = site.client.post(
        "/sign-in/token", data=form, headers={"Sec-Fetch-Site": "same-origin"}, follow_redirects=False
    )
    assert answer.status_code == 303
