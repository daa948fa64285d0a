"""Answers of the application that are kept, against those that are worked out."""

from __future__ import annotations

from itertools import count

import pytest
from sqlalchemy import select

from arena.coordinator.messages import Message
from arena.core.terms import Role
from arena.events import questions
from arena.people import users
from arena.people.erasing import erase
from arena.schemas.questions import NewAnswer, NewQuestion
from arena.store.models import Result, Tournament
from arena.web.api.routes import standings
from arena.web.pages import tournaments as pages
from tests.integration.arena.late import late
from tests.integration.arena.site import Site, play_cup, start_cup
from tests.integration.arena.world import issue_matches, play

CUP = "/tournaments/cup"
PATHS = [
    *(
        "/leaderboard",
        "/crosstable",
        "/accuracy",
        "/balance",
        "/bots/red",
        "/head-to-head?one=red&other=blue",
    ),
    *("/ratings", "/ratings?pairwise=true", "/ratings/history"),
]
PAGES = ["", "/crosstable", "/accuracy", "/balance", "/bots/red", "/ratings", "/ratings/history"]
LISTS = [
    *("/tournaments", "/tournaments?limit=1", "/tournaments?offset=1", "/tournaments/cup"),
    *("/tournaments/cup/entries", "/tournaments/cup/matches", "/tournaments/cup/matches?offset=1"),
    *("/tournaments/cup/matches?state=running", "/tournaments/cup/matches?state=pending&limit=1"),
    *("/tournaments/cup/matches?bot=red", "/tournaments/cup/matches?bot=red&state=published&limit=1"),
    *("/tournaments/cup/matches/1", "/tournaments/cup/matches/2"),
]


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
                assert kept.headers.get("etag", "").removeprefix("W/") == fresh.headers.get("etag", "")


@pytest.mark.parametrize("path", ["/tournaments/cup", "/api/v1/games"])
def test_whoever_takes_gzip_reads_the_same_as_others(site: Site, path: str) -> None:
    """A packed answer is that of the same revision, is known by its name, and a 304 has nothing in it."""
    start_cup(site)
    with site.world.database.transaction() as session:
        messages = issue_matches(session, site.world.settings)
    for message in messages:
        site.world.record(message, play(message.spec))
        plain, packed = (
            site.client.get(path, headers={"Accept-Encoding": each}) for each in ("identity", "gzip")
        )
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
        assert packed.content == plain.content
        for each in (plain, packed):
            assert "Accept-Encoding" in each.headers["vary"]
            assert "content-encoding" not in plain.headers
        if "etag" in plain.headers:
            for etag in (plain.headers["etag"], packed.headers["etag"]):
                known = site.client.get(path, headers={"If-None-Match": etag})
                assert (known.status_code, known.content) == (304, b"")


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


def test_lists_are_those_that_are_worked_out_whatever_happens_to_a_match(site: Site) -> None:
    """A match given out, begun, void, lost, parked or recorded is so in all lists at once."""
    start_cup(site, format="round_robin", options={"cycles": 4})
    world = site.world

    def look() -> None:
        for path in LISTS:
            aside = "&" if "?" in path else "?"
            fresh = site.get(f"{path}{aside}unheard_of={next(fresher)}")
            assert fresh.status_code == 200
            for _ in range(2):
                kept = site.get(path)
                assert (path, kept.content, kept.headers["etag"]) == (
                    path,
                    fresh.content,
                    fresh.headers["etag"],
                )

    def give_out() -> list[Message]:
        with world.database.transaction() as session:
            return sorted(issue_matches(session, world.settings), key=lambda each: int(each.spec.match))

    fresher = count()
    look()
    first, second, third, fourth = give_out()
    look()
    world.heartbeat(first)
    look()
    world.record(first, late(first.spec))
    look()
    world.lose(second)
    look()
    world.settings = world.settings.model_copy(update={"max_lost": 0})
    world.lose(third)
    look()
    world.record(fourth, play(fourth.spec))
    look()
    start_cup(site, "bowl")
    look()
    for message in give_out():
        if message.spec.match == first.spec.match:
            world.heartbeat(message)
            look()
            world.record(message, play(message.spec))
            look()


def test_a_list_that_is_kept_is_not_worked_out_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second reader of a list or of a match is answered although nothing could work the answer out."""
    start_cup(site)
    kept = [path for path in LISTS if "bot=red&state" not in path]
    pages = ["/", "/tournaments/cup/matches", "/tournaments/cup/matches/1"]
    told = [site.get(path).content for path in kept] + [site.client.get(path).content for path in pages]

    def broken(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(site.client.app.state.services.database, "reading", broken)  # type: ignore[attr-defined]
    again = [site.get(path).content for path in kept] + [site.client.get(path).content for path in pages]
    assert again == told


def test_a_result_changed_by_hand_is_noticed_at_once(site: Site) -> None:
    """Verification names it and the totals that do not fit; readers are told of it with the next revision."""
    start_cup(site)
    play_cup(site)
    assert site.get(f"{CUP}/verification", "staff").json()["agrees"]
    before = {path: site.get(CUP + path).json() for path in ("/leaderboard", "/bots/red")}
    with site.world.database.transaction() as session:
        result = session.scalars(select(Result).order_by(Result.match_id)).first()
        assert result is not None
        result.winner = 1 if result.winner == 0 else 0
        made = result.first_half_points, result.second_half_points
        result.second_half_points, result.first_half_points = made
    told = site.get(f"{CUP}/verification", "staff").json()["differences"]
    assert {difference.partition(":")[0] for difference in told} == {
        *("match 1", "entry 1", "entry 2", "entry 1 against entry 2", "entry 2 against entry 1")
    }
    assert {path: site.get(CUP + path).json() for path in before} == before
    with site.world.database.transaction() as session:
        site.world.get(session).revision += 1
    after = {path: site.get(CUP + path).json() for path in before}
    assert after["/leaderboard"] == before["/leaderboard"]
    assert after["/bots/red"] != before["/bots/red"]
    assert after["/bots/red"] == site.get(f"{CUP}/bots/red", "staff").json()
    assert site.get(f"{CUP}/verification", "staff").json()["differences"] == told


def test_a_bot_of_an_erased_person_is_told_of_no_more(site: Site) -> None:
    """No kept answer about a bot in no tournament names it or its owner once the owner's data is erased."""
    with site.world.database.transaction() as session:
        owner, _ = users.create_user(session, "ming", Role.TEAM)
        site.world.bot(session, "mingbot", owner)
    paths = ["/bots/mingbot", "/bots/mingbot/matches", "/api/v1/bots/mingbot/career"]
    assert all("ming" in site.client.get(path).text for path in paths)
    with site.world.database.transaction() as session:
        erase(session, "ming", sources=False)
    assert [site.client.get(path).status_code for path in paths] == [404, 404, 404]


def test_what_an_erased_member_has_asked_is_told_no_more(site: Site) -> None:
    """A question that was answered to all is on no kept page once the data of who asked it is erased."""
    start_cup(site)
    with site.world.database.transaction() as session:
        member, _ = users.create_user(session, "ming", Role.TEAM)
        member.team_id = users.get(session, "red").id
    with site.world.database.transaction() as session:
        asked = NewQuestion(text="why did I lose?", tournament="cup")
        question = questions.ask(session, users.get(session, "ming"), asked)
        questions.answer(session, site.world.staff, question, NewAnswer(text="it slept", to_all=True))
    paths = ["/tournaments/cup", "/tournaments/cup/announcements"]
    assert all("why did I lose?" in site.client.get(path).text for path in paths)
    with site.world.database.transaction() as session:
        erase(session, "ming", sources=False)
    told = [site.client.get(path).text for path in paths]
    assert all("it slept" in each and "why did I lose?" not in each for each in told)
