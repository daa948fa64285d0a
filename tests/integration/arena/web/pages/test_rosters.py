"""A class is let in by a roster on its page: looked at first, then imported, with a sheet to cut."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from tests.integration.arena.roles import CLASS, sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.browser import ORIGIN, read, send
from tests.integration.arena.web.pages.test_pages import Outline

ROSTER = "座號,隊名,機器人\n1,第一隊,alpha\n2,第二隊,\n3,red,\n"
PATH = f"/classes/{CLASS}/roster"


@pytest.fixture
def teacher(used: Site) -> str:
    """What the browser of an organiser shows."""
    return sign_in(used, "teacher")["Cookie"]


def _hand_in(used: Site, cookie: str, data: bytes) -> Any:
    used.client.cookies.clear()
    return used.client.post(
        PATH, files={"file": ("class.csv", data)}, data={"text": ""}, headers=ORIGIN | {"Cookie": cookie}
    )


def _users(used: Site) -> list[str]:
    return [user["name"] for user in used.get("/users", "teacher").json()["items"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp950"])
def test_a_roster_is_looked_at_first(used: Site, teacher: str, encoding: str) -> None:
    """What was recognised and would be done is shown, however the file is written; nothing is made."""
    before = _users(used)
    page = _hand_in(used, teacher, ROSTER.encode(encoding)).text
    Outline(page)
    assert "“隊名” is taken as: the name of who signs in" in page
    assert "Columns that are passed over: 座號" in page
    assert page.count("is let in") == 2
    assert page.count("is there already") == 1
    assert _users(used) == before


@pytest.mark.parametrize("sheet", ["links", "tokens"])
def test_a_roster_is_imported_with_a_sheet(used: Site, teacher: str, sheet: str) -> None:
    """What was looked at is imported as it was; the sheet has what each new one signs in by."""
    typed = re.search(r'name="text" value="([^"]*)"', send(used, PATH, teacher, text=ROSTER).text)
    assert typed is not None
    page = send(used, f"{PATH}/import", teacher, text=typed[1], sheet=sheet)
    Outline(page.text)
    assert page.headers["cache-control"] == "no-store"
    assert "1 was there already" in page.text
    assert _users(used) == ["red", "ruby", "第一隊", "第二隊"]
    assert used.get("/bots/alpha").json()["owner"] == "第一隊"
    if sheet == "links":
        urls = re.findall(r"http://testserver/sign-in/link/[\w-]+", page.text)
        assert ["Sign in as 第一隊" in read(used, url).text for url in urls] == [True, False]
    else:
        tokens = re.findall(r"arena_[\w-]+", page.text)
        assert [send(used, "/sign-in/token", token=token).status_code for token in tokens] == [303, 303]


def test_cells_pasted_from_a_spreadsheet_are_imported(used: Site, teacher: str) -> None:
    """With tabs between them, roles in Chinese, and a cell with a line break, in both steps of the page."""
    pasted = '隊名\t姓名\t角色\t備註\r\ngreen\tann\t學生\t"a\tb\r\nc"\r\ngreen\tben\t組員\t\r\n'
    page = send(used, PATH, teacher, text=pasted).text
    assert page.count("is let in") == 2
    typed = re.search(r'name="text" value="([^"]*)"', page, re.DOTALL)
    assert typed is not None
    page = send(used, f"{PATH}/import", teacher, text=unescape(typed[1]), sheet="tokens").text
    assert len(re.findall(r"arena_[\w-]+", page)) == 2
    assert {"ann", "ben", "green"} <= {*_users(used)}


def test_a_role_that_is_none_is_told_with_those_that_are(used: Site, teacher: str) -> None:
    """A Chinese reader is given words that may be written."""
    page = send(used, f"{PATH}?lang=zh-Hant-TW", teacher, text="隊名\t角色\ngreen\t校長\n").text
    assert "沒有「校長」這個角色；可用 管理員、主辦人、隊伍或讀者" in page  # noqa: RUF001  (Chinese signs)


def test_a_bot_is_named_by_each_member_of_its_team(used: Site, teacher: str) -> None:
    """As in a spreadsheet of a line for each pupil: its name is kept once, for the team."""
    text = "隊名,姓名,機器人\ngreen,ann,meteor\ngreen,ben,meteor\ngreen,cat,comet\n"
    assert send(used, PATH, teacher, text=text).status_code == 200
    assert send(used, f"{PATH}/import", teacher, text=text, sheet="tokens").status_code == 200
    owners = [used.get(f"/bots/{bot}").json()["owner"] for bot in ("meteor", "comet")]
    assert owners == ["green", "green"]
    assert {"ann", "ben", "cat"} <= {*_users(used)}


@pytest.mark.parametrize("role", ["admin", "organiser"])
def test_of_a_roster_that_is_refused_nobody_is_let_in(used: Site, teacher: str, role: str) -> None:
    """Not even who stands above the line that may not be."""
    before = _users(used)
    text = f"user,role\nann,team\nzoe,{role}\n"
    assert send(used, f"{PATH}/import", teacher, text=text, sheet="tokens").status_code in {403, 422}
    assert _users(used) == before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1 has to name the columns"),
        ("a,b\n1,2\n", "line 1 has to name the columns"),
        ("team\na b\nc d\n", "line 3"),
        ("team\nblue\n", "in no class of yours"),
        ("team,role\nx,admin\n", "teams and readers"),
        ("team\n<b>\n", "&lt;b&gt;"),
    ],
)
def test_what_cannot_be_imported(used: Site, teacher: str, text: str, told: str) -> None:
    """Each wrong line is told, the text stays to be mended, and nobody is let in."""
    before = _users(used)
    for path in (PATH, f"{PATH}/import"):
        answer = send(used, path, teacher, text=text)
        assert answer.status_code in {403, 422}
        assert told in answer.text
        assert 'role="alert"' in answer.text
        Outline(answer.text)
    assert _users(used) == before


MEMBERS = "隊名,姓名,機器人\n第一隊,小明,alpha\n第一隊,小美,\nred,小華,\n"


def test_members_are_let_in_with_their_teams(used: Site, teacher: str) -> None:
    """Each member has a link of their own; the first of a team without a leader leads it."""
    page = send(used, PATH, teacher, text=MEMBERS).text
    Outline(page)
    assert "is taken as: the team that it is a member of" in page
    sheet = send(used, f"{PATH}/import", teacher, text=MEMBERS).text
    links = re.findall(r"http://testserver/sign-in/link/[\w-]+", sheet)
    assert [
        "Sign in as " + name in read(used, url).text
        for url, name in zip(links, ("小明", "小美", "小華"), strict=True)
    ]
    assert "小美</strong> · 第一隊" in sheet
    users = {user["name"]: user for user in used.get("/users", "teacher").json()["items"]}
    assert {name: users[name]["team"] for name in ("小明", "小美", "小華")} == {
        "小明": "第一隊",
        "小美": "第一隊",
        "小華": "red",
    }
    assert [users[name]["is_leader"] for name in ("小明", "小美", "小華")] == [True, False, True]
    assert used.get("/bots/alpha").json()["owner"] == "第一隊"
    again = send(used, f"{PATH}/import", teacher, text=MEMBERS).text
    assert "3 were already there" in again or "3 were there already" in again


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("team,name\nruby,x\n", "is no team"),
        ("team,name\ngreen,ruby\n", "no member of"),
        ("team,name\ngreen,x\nx,y\n", "is no team"),
        ("team,name\nblue,x\n", "in no class of yours"),
        ("team,name\n" + "".join(f"green,m{number}\n" for number in range(21)), "more than the 20 members"),
    ],
)
def test_who_cannot_be_a_member(used: Site, teacher: str, text: str, told: str) -> None:
    """A member is no team, is in one team, which is the teacher's and has room; nobody is let in."""
    before = _users(used)
    answer = send(used, f"{PATH}/import", teacher, text=text)
    assert answer.status_code == 422
    assert told in answer.text
    assert _users(used) == before


def test_faults_are_told_in_the_readers_language(used: Site, teacher: str) -> None:
    """Every line that is wrong is told in Chinese to who reads Chinese."""
    headers = ORIGIN | {"Cookie": teacher, "Accept-Language": "zh-TW"}
    used.client.cookies.clear()
    answer = used.client.post(PATH, data={"text": "隊名,姓名\ngreen,ruby\na b,c\n"}, headers=headers)
    assert "第 2 行" in answer.text
    assert "不是「green」的成員" in answer.text
    assert 'lang="en"' not in answer.text.partition('role="alert"')[2].partition("</ul>")[0]


def test_an_open_quote_is_told_in_the_readers_language(used: Site, teacher: str) -> None:
    """What is no CSV is said in Chinese alone, with the line on which it begins."""
    headers = ORIGIN | {"Cookie": teacher, "Accept-Language": "zh-TW"}
    used.client.cookies.clear()
    answer = used.client.post(PATH, data={"text": '隊名\n"第一隊\n'}, headers=headers)
    told = answer.text.partition('role="alert"')[2].partition("</ul>")[0]
    assert "從第 2 行起不是 CSV" in told
    assert "unexpected end of data" not in told
