"""Grading on the pages and the API: a scheme is set, looked at, told, and told anew."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena.core.terms import Winner
from arena.results import grading
from arena.schemas.grading import SchemeIn
from arena.tournaments import amendments, freezing
from tests.integration.arena.asking import asked
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site, play_cup, start_cup

HOME = "/manage/cup/grading"
FORM = {
    "base": "60",
    "most": "100",
    "bot_0": "blue",
    "share_0": "50",
    "points_0": "25.5",
    "up_to_0": "1",
    "unit_0": "places",
    "band_0": "10",
    "up_to_1": "",
    "unit_1": "percent",
    "band_1": "",
}


@pytest.fixture
def played(site: Site) -> Site:
    """A finished cup of two teams, of whom `blue` serves as a reference bot, and somebody of every role."""
    start_cup(site)
    settle(site)
    play_cup(site)
    with site.world.database.transaction() as session:
        site.world.get(session).state = "finished"  # type: ignore[assignment]  # as the coordinator does
    return site


def _page(site: Site, path: str = HOME, user: str = "teacher", **query: str) -> str:
    answer = site.client.get(path, headers=sign_in(site, user), params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return str(answer.text)


def _send(site: Site, path: str = HOME, user: str = "teacher", **form: str) -> Any:
    return site.client.post(path, headers=sign_in(site, user), data=form, follow_redirects=False)


def test_a_preview_keeps_nothing(played: Site) -> None:
    """What stands in the form is worked out by GET, with the reasons, and nothing is kept or told of it."""
    page = _page(played, **FORM)
    assert "A preview: this is not saved." in page
    assert re.search(r'points">\s*(95.5|70)\s*<', page)
    assert "25.5 for blue" in page or "0 for blue" in page
    assert played.get("/tournaments/cup/grading", "teacher").json()["scheme"] is None
    assert played.get("/tournaments/cup/log", "teacher").json()["items"][0]["kind"] != "grading.set"


def test_it_is_set_told_and_told_anew(played: Site) -> None:
    """A team sees its own grade once it is told; another one only after a reason, with what it was before."""
    assert _send(played, **FORM).status_code == 303
    assert "Your grades" not in _page(played, "/my", "red")
    assert _send(played, HOME + "/release").status_code == 303
    (first,) = played.get("/me/grades", "red").json()["items"]
    assert (first["grade"]["team"], first["before"], first["reason"]) == ("red", None, "")
    assert played.get("/me/grades", "blue").json()["items"] == []
    assert "Your grades" in _page(played, "/my", "red")
    assert "Your grades" in _page(played, "/my", "ruby")
    assert _send(played, HOME + "/release").status_code == 409
    assert _send(played, **FORM | {"base": "50"}).status_code == 303
    assert played.get("/me/grades", "red").json()["items"] == [first]
    assert "1 team has another grade now" in _page(played)
    assert _send(played, HOME + "/release").status_code == 422
    assert _send(played, HOME + "/release", reason="too <b>generous</b>").status_code == 303
    (second,) = played.get("/me/grades", "red").json()["items"]
    assert (second["release"], second["before"]) == (2, first["grade"]["points"])
    assert second["grade"]["points"] == first["grade"]["points"] - 10
    page = _page(played, "/my", "red")
    assert "too &lt;b&gt;generous&lt;/b&gt;" in page
    kinds = [line["kind"] for line in played.get("/tournaments/cup/log", "teacher").json()["items"]]
    assert kinds[:4] == ["grades.released", "grading.set", "grades.released", "grading.set"]


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "decided without being played count, too"), ("zh-Hant-TW", "未經對局即判定結果的對局也算在內")],
)
def test_the_page_says_what_counts_without_a_game(played: Site, lang: str, words: str) -> None:
    """A teacher reads, before grades are told, that who withdrew early may get points."""
    assert words in _page(played, lang=lang)


def test_what_cannot_be_read_is_said_and_kept(played: Site) -> None:
    """A number that is none, two equal lines, or a bot that is not entered: 422, with the form as sent."""
    for wrong in (
        {"base": "many"},
        {"share_0": "101"},
        {"points_0": "1e9"},
        {"base": "nan"},
        {"share_0": "1e9999999"},
        {"band_0": "1.234"},
        {"up_to_0": "0"},
        {"bot_1": "blue", "share_1": "50", "points_1": "1"},
        {"bot_0": "nobody"},
    ):
        answer = _send(played, **FORM | wrong)
        assert answer.status_code == 422, wrong
        assert 'role="alert"' in answer.text
        name, value = next(iter(wrong.items()))
        assert f'value="{value}"' in answer.text or value in {"blue", "nobody"}, name
    assert played.get("/tournaments/cup/grading", "teacher").json()["scheme"] is None


@pytest.mark.parametrize("field", ["share", "points"])
def test_a_line_without_a_bot_is_not_passed_over(played: Site, field: str) -> None:
    """It is refused with words, what was typed stands where it was, and nothing is kept."""
    answer = _send(played, base="60", **{f"{field}_4": "20"})
    assert answer.status_code == 422
    assert "choose one, or leave the line empty" in answer.text
    assert re.search(rf'name="{field}_4"[^>]*value="20"', answer.text)
    assert played.get("/tournaments/cup/grading", "teacher").json()["scheme"] is None


def test_nothing_is_told_behind_a_freeze_or_before_the_end(site: Site) -> None:
    """While it is played, and while it is frozen, grades are looked at by the staff and told to nobody."""
    start_cup(site)
    settle(site)
    assert _send(site, **FORM).status_code == 303
    assert _send(site, HOME + "/release").status_code == 409
    with site.world.database.transaction() as session:
        freezing.freeze(session, site.world.staff, site.world.get(session), own=False)
        site.world.get(session).state = "finished"  # type: ignore[assignment]  # behind the freeze
    answer = site.post("/tournaments/cup/grading/release", "teacher", json={})
    assert (answer.status_code, "reveal" in answer.json()["detail"]) == (409, True)
    assert site.get("/tournaments/cup/grading", "teacher").status_code == 200


def test_a_correction_changes_grades_but_not_what_was_told(played: Site) -> None:
    """After a result was decided otherwise the staff is told whose grades differ; teams see the old ones."""
    played.client.put(
        "/api/v1/tournaments/cup/grading",
        headers=played.headers("teacher"),
        json={"thresholds": [{"bot": "blue", "share": 0.01, "points": 7}]},
    ).raise_for_status()
    assert played.post("/tournaments/cup/grading/release", "teacher", json={}).status_code == 201
    told = played.get("/me/grades", "red").json()["items"]
    met = told[0]["grade"]["points"] > 0
    with played.world.database.transaction() as session:
        for match in played.world.matches():
            found = session.merge(match)
            sides: tuple[Winner, Winner] = ("first", "second")
            red, other = sides if found.first.number == 1 else sides[::-1]
            amendments.set_result(session, played.world.staff, found, other if met else red, "wrong")
    now = played.get("/tournaments/cup/grading", "teacher").json()
    assert now["changed"] == ["red"]
    assert played.get("/me/grades", "red").json()["items"] == told


def test_files_are_guarded(played: Site) -> None:
    """Grades and report are files with the mark of UTF-8, and no name in them is a formula."""
    with played.world.database.transaction() as session:
        grading.set_scheme(session, played.world.staff, played.world.get(session), SchemeIn())
    for path in (HOME + ".csv", "/manage/cup/report.csv"):
        answer = played.client.get(path, headers=sign_in(played, "teacher"))
        assert answer.content.startswith(b"\xef\xbb\xbf"), path
        assert "attachment" in answer.headers["content-disposition"]
    assert "red" in _page(played, "/manage/cup/report")


def test_the_page_asks_as_much_for_many_teams(played: Site) -> None:
    """The staff's page and the team's take the same queries with ten more teams."""

    def number(path: str, user: str) -> int:
        cookies = sign_in(played, user)
        engines = played.client.app.state.services.database.engine  # type: ignore[attr-defined]
        with asked("SELECT", "WITH", engine=engines) as made:
            assert played.client.get(path, headers=cookies).status_code == 200
        return len(made)

    assert _send(played, **FORM).status_code == 303
    before = number(HOME, "teacher")
    with played.world.database.transaction() as session:
        cup = played.world.get(session)
        for at in range(10):
            bot = played.world.bot(session, f"more-{at}")
            session.add(
                type(cup.entries[0])(
                    tournament_id=cup.id, number=at + 3, bot_id=bot.id, version_id=bot.versions[0].id
                )
            )
        cup.revision += 1
    assert number(HOME, "teacher") == before
