"""Costly answers of the application: what is told while they are worked out, and of what they are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar

import pytest
from fastapi.testclient import TestClient

from arena.core.terms import TournamentState
from arena.people import classes, users
from arena.web import app as application
from arena.web.http.calculator import Job, LocalCalculator, Start
from arena.web.http.costly import MAX_OF_ONE, Costly
from arena.web.http.costly_routes import MAX_ASKED_BYTES
from tests.integration.arena.roles import CLASS, settle, sign_in
from tests.integration.arena.site import PATIENCE_SECONDS, PLAN, Site, make_site, play_cup, start_cup
from tests.integration.arena.world import World


class _Held(LocalCalculator):
    """Works nothing out while it is held, and counts what it was asked for."""

    held = False
    asked = 0
    headers: ClassVar[dict[bytes, bytes]] = {}

    async def work_out(self, job: Job, started: Callable[[Start], None]) -> float:
        _Held.asked += 1
        _Held.headers = dict(job.scope["headers"])
        if _Held.held:
            await asyncio.Event().wait()
        return await super().work_out(job, started)


@pytest.fixture
def hurried(sqlite_world: Callable[[], World], monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site whose calculators can be held, and a tournament that is being played."""
    monkeypatch.setattr(_Held, "asked", 0)
    monkeypatch.setattr(_Held, "held", False)
    monkeypatch.setattr(application, "Costly", partial(Costly, patience_seconds=PATIENCE_SECONDS))
    world = sqlite_world()
    settings = world.settings.model_copy(update={"database_url": str(world.database.engine.url)})
    calculating = application.calculating_app(settings, world.broker)
    app = application.create_app(settings, world.broker, lambda: _Held(calculating))
    with TestClient(app) as client:
        site = make_site(world, client)
        start_cup(site)
        yield site


def _hold(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on nothing is worked out, and nobody waits for it."""
    monkeypatch.setattr(_Held, "held", True)
    monkeypatch.setattr(site.client.app.state.services.costly, "_patience_seconds", 0.01)  # type: ignore[attr-defined]  # a FastAPI application


def test_who_would_wait_is_told_when_to_come_again(hurried: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program by its status, a page by itself and in the reader's language; one too many is refused."""
    _hold(hurried, monkeypatch)
    answer = hurried.get("/tournaments/cup/ratings")
    assert (answer.status_code, answer.json()["title"]) == (202, "Being worked out")
    assert int(answer.headers["retry-after"]) == answer.json()["retry_seconds"] >= 1
    page = hurried.client.get("/tournaments/cup/ratings")
    assert page.status_code == 202
    assert "This is being worked out" in page.text
    assert f'<meta http-equiv="refresh" content="{page.headers["retry-after"]}">' in page.text
    chinese = hurried.client.get("/tournaments/cup/ratings", headers={"Accept-Language": "zh-TW"})
    assert "正在計算" in chinese.text
    assert hurried.get("/tournaments/cup/ratings/history").status_code == 202
    assert hurried.get("/tournaments/cup/ratings?model=ordo").status_code == 429
    page = hurried.client.get("/tournaments/cup/ratings/history")
    assert page.status_code == 429
    assert f'content="{page.headers["retry-after"]}"' in page.text
    assert hurried.get("/tournaments/cup/leaderboard").status_code == 200
    assert hurried.get("/tournaments/cup/verification", "staff").status_code == 202


def test_a_file_that_takes_long_comes_by_itself(hurried: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links to files wait like all costly pages; who is not signed in has none of who runs it worked out."""
    _hold(hurried, monkeypatch)
    for path, user in (("/tournaments/cup/export?format=jsonl", None), ("/manage/cup/export", "staff")):
        page = hurried.client.get(path, headers=sign_in(hurried, user))
        assert page.status_code == 202, path
        assert f'<meta http-equiv="refresh" content="{page.headers["retry-after"]}">' in page.text
    before = _Held.asked
    answer = hurried.client.get("/manage/cup/export?format=pgn", follow_redirects=False)
    assert (answer.headers["location"].startswith("/sign-in"), _Held.asked) == (True, before)


def test_what_is_supposed_on_a_page_is_worked_out_beside_the_api(hurried: Site) -> None:
    """The form of a tournament's page asks the calculators; the page alone, or an empty form, does not."""
    hurried.world.tournament("draft", bots=4, start=False)
    for query, asked in (("", 0), ("?bots=&until=", 0), ("?bots=20&until=", 1), ("?until=23:59", 2)):
        page = hurried.client.get(f"/tournaments/draft{query}")
        assert page.status_code == 200
        assert "How long it takes" in page.text
        assert _Held.asked == asked, query


def test_a_plan_is_worked_out_beside_the_api(hurried: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """For whoever has a token, each plan by itself; nobody has more than so many at once, or a long one."""

    def ask(bots: int, user: str | None = "red", **more: str) -> Any:
        return hurried.post("/estimates", user, json={"plan": PLAN | more, "bots": bots})

    assert ask(2, None).status_code == 401
    before = _Held.asked
    assert [ask(bots).json()["bots"] for bots in (2, 3, 3)] == [2, 3, 3]
    assert _Held.asked - before == 3
    assert ask(1).status_code == 422
    assert ask(2, description="x" * MAX_ASKED_BYTES).status_code == 413
    _hold(hurried, monkeypatch)
    told = [ask(bots) for bots in range(10, 11 + MAX_OF_ONE)]
    assert [answer.status_code for answer in told] == [202] * MAX_OF_ONE + [429]
    assert ask(10, "blue").status_code == 202


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
    ],
)
def test_a_caller_is_a_household(hurried: Site, first: str, second: str, same: bool) -> None:
    """An address of IPv4 is one caller, also where it is written as of IPv6; of IPv6 the network is."""
    costly = hurried.client.app.state.services.costly  # type: ignore[attr-defined]  # a FastAPI application
    for number, address in enumerate((first, second)):
        hurried.client._transport.client = (address, 5000)  # type: ignore[attr-defined]
        assert hurried.get(f"/tournaments/cup/ratings?confidence=0.{number + 8}").status_code == 200
    assert (len(costly._had) == 1) is same


def test_an_older_answer_says_its_age(hurried: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told where the next one is not there, but for those who want nothing that old."""
    before = hurried.get("/tournaments/cup/ratings")
    assert "age" not in before.headers
    play_cup(hurried)
    _hold(hurried, monkeypatch)
    older = hurried.get("/tournaments/cup/ratings")
    assert (older.status_code, older.content) == (200, before.content)
    assert int(older.headers["age"]) >= 0
    assert hurried.get("/tournaments/cup/ratings", **{"Cache-Control": "max-age=0"}).status_code == 202


def test_who_has_an_answer_is_told_that(hurried: Site) -> None:
    """By its ETag, with a token or without one, and nothing is worked out a second time."""
    etag = hurried.get("/tournaments/cup/ratings").headers["etag"]
    for user in (None, "red"):
        answer = hurried.get("/tournaments/cup/ratings", user, **{"If-None-Match": etag})
        assert (answer.status_code, answer.content) == (304, b"")
    assert _Held.asked == 1


def test_an_export_is_kept_for_the_public_while_it_is_true(hurried: Site) -> None:
    """A CSV of a running tournament tells of what is being played and is made anew, as is what staff see."""
    for form, user, times in (("pgn", None, 1), ("csv", None, 2), ("pgn", "staff", 2)):
        before = _Held.asked
        for _ in range(2):
            assert hurried.get(f"/tournaments/cup/export?format={form}", user).status_code == 200
        assert _Held.asked - before == times
    play_cup(hurried)
    assert hurried.get("/tournaments/cup/export?format=pgn").text.count("[Result") == 2
    with hurried.world.database.transaction() as session:
        cup = hurried.world.get(session)
        cup.state, cup.revision = TournamentState.FINISHED, cup.revision + 1
    before = _Held.asked
    first, second = (hurried.get("/tournaments/cup/export?format=csv").text for _ in range(2))
    assert first == second
    assert (first.count(",finished,"), _Held.asked - before) == (2, 1)


def test_whose_token_is_not_known_is_refused_before_anything_is_worked_out(hurried: Site) -> None:
    """Where the answer depends on who asks; ratings are everybody's."""
    stranger = {"Authorization": "Bearer arena_nobody"}
    for path in ("/export", "/verification", "/report"):
        assert hurried.get(f"/tournaments/cup{path}", **stranger).status_code == 401
        for header in ("", "Bearer", f"Basic {hurried.tokens['staff']}"):
            assert hurried.get(f"/tournaments/cup{path}", Authorization=header).status_code == 401
    assert _Held.asked == 0
    assert hurried.get("/tournaments/cup/ratings", **stranger).status_code == 200


def test_a_calculator_is_told_the_language_and_no_session(hurried: Site) -> None:
    """A page for who is signed in is worked out as for everybody, and their name put in later."""
    settle(hurried)
    session = sign_in(hurried, "ruby")["Cookie"]
    page = hurried.client.get("/tournaments/cup/ratings", headers={"Cookie": f"{session}; lang=zh-Hant-TW"})
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
    assert ">ruby</a>" in page.text
    assert _Held.headers.keys() <= {b"host", b"accept-language", b"cookie"}
    assert _Held.headers[b"cookie"] == b"lang=zh-Hant-TW"
    shared = hurried.client.get("/tournaments/cup/ratings", headers={"Cookie": "lang=zh-Hant-TW"})
    assert "ruby" not in shared.text
    assert _Held.asked == 1
    hurried.client.get("/tournaments/cup/ratings", headers={"Cookie": 'lang="en\\073 x"'})
    assert b"cookie" not in _Held.headers


def test_what_is_kept_for_a_token_is_not_told_when_it_may_do_less(hurried: Site) -> None:
    """Who runs a class no more is refused the report that was worked out for them before."""
    settle(hurried)
    path = "/tournaments/cup/report"
    assert [hurried.get(path, "teacher").status_code for _ in range(2)] == [200, 200]
    before = _Held.asked
    with hurried.world.database.transaction() as session:
        found = classes.get(session, CLASS)
        classes.remove_organiser(session, hurried.world.staff, found, users.get(session, "teacher"))
    assert hurried.get(path, "teacher").status_code == 403
    assert _Held.asked == before + 1
