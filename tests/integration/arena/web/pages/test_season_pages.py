"""Seasons on the pages and the API: made and changed by organisers, read by everybody, true to freezes."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from sqlalchemy import select

from arena.results import seasons
from arena.schemas.seasons import NewSeason, Scoring
from arena.store.models import Event, Match
from arena.tournaments import amendments, freezing
from tests.integration.arena.asking import asked
from tests.integration.arena.roles import CLASS, settle, sign_in
from tests.integration.arena.site import API, Site, play_cup, start_cup

FORM = {
    "title": "<b>春季</b>",
    "name": "league",
    "class_name": CLASS,
    "by": "places",
    "points": "10, 6 4",
    "whole": "100",
    "best": "",
    "at_cup": "2",
    "at_next": "1",
}


@pytest.fixture
def played(site: Site) -> Site:
    """Two cups that are over, and somebody of every role."""
    for name in ("cup", "next"):
        start_cup(site, name)
        play_cup(site)
    settle(site)
    _finish(site, "cup", "next")
    return site


def _finish(site: Site, *names: str) -> None:
    with site.world.database.transaction() as session:
        for name in names:
            site.world.get(session, name).state = "finished"  # type: ignore[assignment]  # as is done at the end


def _send(site: Site, path: str, user: str = "teacher", **form: str) -> Any:
    return site.client.post(path, headers=sign_in(site, user), data=form, follow_redirects=False)


def _table(site: Site, user: str | None = None, name: str = "league") -> Any:
    return site.get(f"/seasons/{name}", user).json()


def _page(site: Site, path: str, user: str | None = None) -> str:
    answer = site.client.get(path, headers=sign_in(site, user))
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def test_who_comes_to_the_staff_leaves_the_table(played: Site) -> None:
    """Whatever was kept of a tournament: its revision says nothing of what its teams have become."""
    assert _send(played, "/manage/seasons/new", **FORM).status_code == 303
    assert {line["team"] for line in _table(played)["items"]} == {"red", "blue"}
    address, headers = f"{API}/users/blue/role", played.headers("staff")
    assert played.client.put(address, headers=headers, json={"role": "organiser"}).status_code == 200
    assert {line["team"] for line in _table(played)["items"]} == {"red"}
    assert "blue" not in _page(played, "/seasons/league").partition("<main")[2].partition("</table>")[0]


def test_a_season_is_made_changed_and_removed(played: Site) -> None:
    """By one form, its tournaments in the order of their numbers; its title cannot inject anything."""
    answer = _send(played, "/manage/seasons/new", **FORM)
    assert (answer.status_code, answer.headers["location"]) == (303, "/manage/seasons/league")
    table = _table(played)
    assert [each["name"] for each in table["season"]["tournaments"]] == ["next", "cup"]
    assert {line["team"] for line in table["items"]} == {"red", "blue"}
    assert sum(line["points"] for line in table["items"]) == 32
    page = _page(played, "/seasons/league")
    assert "&lt;b&gt;春季&lt;/b&gt;" in page
    assert "<b>春季" not in page
    changed = {name: value for name, value in FORM.items() if name != "name"} | {"at_next": "", "by": "share"}
    assert _send(played, "/manage/seasons/league", **changed).status_code == 303
    table = _table(played)
    assert [each["name"] for each in table["season"]["tournaments"]] == ["cup"]
    assert sum(line["points"] for line in table["items"]) == 100
    assert "league" in _page(played, "/seasons")
    assert "league" in _page(played, "/manage/seasons", "teacher")
    assert _send(played, "/manage/seasons/league/remove").status_code == 303
    assert played.get("/seasons/league").status_code == 404
    with played.world.database.reading() as session:
        kinds = session.scalars(select(Event.kind).order_by(Event.id)).all()
    told = [kind for kind in kinds if kind.startswith("season.")]
    assert told[-4:] == ["season.made", "season.changed", "season.changed", "season.removed"]


def test_what_is_wrong_is_said(played: Site) -> None:
    """Each fault is told in words, and what was typed stays."""
    assert _send(played, "/manage/seasons/new", **FORM).status_code == 303
    for wrong, status in (
        ({"name": "new"}, 422),
        ({"name": "Not A Slug"}, 422),
        ({"name": "other", "points": "6 10"}, 422),
        ({"name": "other", "points": "many"}, 422),
        ({"name": "other", "best": "0"}, 422),
        ({"name": "other", "by": "luck"}, 422),
        ({"name": "other", "title": "a\u202eb"}, 422),
        ({"name": "league"}, 409),
        ({"name": "other", "at_nowhere": "3"}, 404),
    ):
        answer = _send(played, "/manage/seasons/new", **FORM | wrong)
        assert answer.status_code == status, wrong
        assert 'role="alert"' in answer.text, wrong
        assert 'name="at_cup" inputmode="numeric" maxlength="3" value="2"' in answer.text


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"points": "6 10"}, "Points are numbers"),
        ({"points": "ten"}, "Points are numbers"),
        ({"points": ""}, "Points are numbers"),
        ({"whole": "all"}, "By share"),
        ({"best": "0"}, "best tournaments count"),
        ({"best": "41"}, "best tournaments count"),
        ({"best": "abc"}, "best tournaments count"),
        ({"at_cup": "x"}, "number is a whole one"),
        ({"at_cup": "0"}, "number is a whole one"),
        ({"at_cup": "-1"}, "number is a whole one"),
    ],
)
def test_the_field_that_cannot_be_read_is_named(played: Site, wrong: dict[str, str], told: str) -> None:
    """The fault tells which field it is of, which stands as it was typed; no season is made."""
    answer = _send(played, "/manage/seasons/new", **FORM | wrong)
    assert answer.status_code == 422
    assert told in html.unescape(answer.text.partition('role="alert"')[2].partition("</p>")[0])
    (field, value), *_ = wrong.items()
    assert re.search(rf'name="{field}"[^>]* value="{value}"', answer.text)
    assert played.get("/seasons/league").status_code == 404


@pytest.mark.parametrize("points", ["\uff11\uff10、\uff16、\uff14", "10\uff0c6\uff0c4", "10 6\u30004"])
def test_numbers_are_read_as_chinese_keyboards_write_them(played: Site, points: str) -> None:
    """Digits of full width are digits, and points may be parted by the signs of Chinese."""
    typed = {"points": points, "best": "\uff12", "at_cup": "\uff11", "at_next": "\uff12"}
    assert _send(played, "/manage/seasons/new", **FORM | typed).status_code == 303
    season = _table(played)["season"]
    assert (season["scoring"]["points"], season["scoring"]["best"]) == ([10, 6, 4], 2)
    assert [each["name"] for each in season["tournaments"]] == ["cup", "next"]


def test_only_own_tournaments_get_in(played: Site) -> None:
    """An organiser makes seasons of what they run, and another one's tournament is refused with its name."""
    own = {"name": "mine", "tournaments": ["cup"]}
    refused = played.post("/seasons", "elsewhere", json=own)
    assert (refused.status_code, "'cup'" in refused.json()["detail"]) == (403, True)
    assert played.post("/seasons", "elsewhere", json=own | {"tournaments": []}).status_code == 201
    assert played.get("/seasons/mine").json()["items"] == []
    again = played.client.put(
        f"{API}/seasons/mine", headers=played.headers("elsewhere"), json={"tournaments": ["cup"]}
    )
    assert again.status_code == 403
    assert played.post("/seasons", "red", json=own | {"name": "x"}).status_code == 403


def test_what_is_frozen_counts_for_its_staff_alone(played: Site) -> None:
    """Behind a freeze a tournament is over for its staff; for others not a byte changes till the reveal."""
    start_cup(played, "third")
    with played.world.database.transaction() as session:
        third = played.world.get(session, "third")
        third.class_id = played.world.get(session, "cup").class_id
        new = NewSeason(name="league", class_name=CLASS, tournaments=["cup", "third"])
        seasons.create(session, played.world.staff, new)
    with played.world.database.transaction() as session:
        freezing.freeze(session, played.world.staff, played.world.get(session, "third"), own=True)

    def told(user: str | None) -> list[Any]:
        api = [played.get(f"/seasons/league{rest}", user) for rest in ("", "/table.csv")]
        return [(each.status_code, each.headers.get("etag"), each.content) for each in api]

    before = {user: told(user) for user in (None, "red", "elsewhere", "looker", "teacher")}
    page = _page(played, "/seasons/league")
    play_cup(played)
    _finish(played, "third")
    after = {user: told(user) for user in before}
    assert {user for user in before if before[user] != after[user]} == {"teacher"}
    assert _page(played, "/seasons/league") == page
    assert _page(played, "/seasons/league", "teacher").count("<s>") == page.count("<s>")
    states = [each["behind_freeze"] for each in _table(played, "teacher")["season"]["tournaments"]]
    assert states == [False, True]
    assert "Frozen" in _page(played, "/manage/seasons/league", "teacher")
    with played.world.database.transaction() as session:
        freezing.reveal(session, played.world.staff, played.world.get(session, "third"))
    assert _table(played)["items"] == _table(played, "teacher")["items"] != before[None]


def test_a_correction_flows_through(played: Site) -> None:
    """A result that is decided otherwise after the end is in the season at once, kept results or not."""
    assert _send(played, "/manage/seasons/new", **FORM | {"at_next": ""}).status_code == 303
    before = _table(played)["items"]
    loser = before[-1]["team"]
    with played.world.database.transaction() as session:
        for match in [each for each in played.world.matches() if each.tournament.name == "cup"]:
            again = session.get_one(Match, match.id)
            side = "first" if again.first.version.bot.owner.name == loser else "second"
            amendments.set_result(session, played.world.staff, again, side, "wrong board")  # type: ignore[arg-type]
    _finish(played, "cup")
    after = _table(played)["items"]
    assert after[0]["team"] == loser
    assert after != before


def test_a_second_look_asks_as_much_for_many_tournaments(played: Site) -> None:
    """What was worked out of a tournament is kept: another tournament costs no query more."""
    with played.world.database.transaction() as session:
        for name, cups in (("one", ["cup"]), ("both", ["cup", "next"])):
            new = NewSeason(name=name, tournaments=cups, scoring=Scoring(best=1))
            seasons.create(session, played.world.staff, new)

    def number(name: str) -> int:
        with played.world.database.reading() as session:
            season = seasons.get(session, name)
            with asked("SELECT", "WITH", engine=played.world.database.engine) as made:
                seasons.table(session, season, None)
        return len(made)

    first = number("both")
    assert number("both") == number("one") < first


def test_the_file_is_for_spreadsheets(played: Site) -> None:
    """It has the mark of UTF-8, and a column for each tournament that counts."""
    assert _send(played, "/manage/seasons/new", **FORM).status_code == 303
    for content in (
        played.get("/seasons/league/table.csv").content,
        played.client.get("/manage/seasons/league/table.csv", headers=sign_in(played, "teacher")).content,
    ):
        lines = content.decode("utf-8").splitlines()
        assert lines[0] == (
            "\ufeffrank,team,points,place next,points next,counts next,place cup,points cup,counts cup"
        )
        assert len(lines) == 3
