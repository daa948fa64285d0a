"""A class is let in by a roster on its page: looked at first, then imported, with a sheet to cut."""

from __future__ import annotations

import re
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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp950"])
def test_a_roster_is_looked_at_first(used: Site, teacher: str, encoding: str) -> None:
    """What was recognised and would be done is shown, however the file is written; nothing is made."""
    before = _users(used)
    page = _hand_in(used, teacher, ROSTER.encode(encoding)).text
    Outline(page)
    assert "“隊名” is taken as: the name of a team" in page
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
