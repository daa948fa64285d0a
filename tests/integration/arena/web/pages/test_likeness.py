"""How alike bots are, for the staff: of what one may open only, with hostile source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bots.reference
from arena.core.terms import Role, VersionState
from arena.people import users
from arena.submissions import versions
from arena.tournaments import lifecycle
from tests.integration.arena.roles import CLASS, sign_in
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.web.pages.browser import read
from tests.integration.arena.web.pages.test_pages import Outline

SOURCE = (Path(bots.reference.__path__[0]) / "group8.py").read_text()
OTHER = (Path(bots.reference.__path__[0]) / "midgame.py").read_text()
HOSTILE = "\nS = '</mark></pre><script>alert(1)</script>\u202e\x07'\n"


@pytest.fixture
def compared(used: Site) -> Site:
    """A class of three teams of which two have handed in the same; blue, in no class, has so, too."""
    with used.world.database.transaction() as session:
        class_id = users.get(session, "red").class_id
        for name in ("green", "gold"):
            user, used.tokens[name] = users.create_user(session, name, Role.TEAM)
            user.class_id = class_id
    for name, text in (("red", SOURCE), ("green", SOURCE.replace("move", "m") + HOSTILE), ("gold", OTHER)):
        assert used.submit(name, name, text.encode()).status_code == 201
    assert used.submit("blue", "blue", SOURCE.encode()).status_code == 201
    assert used.submit("gold-2", "gold", OTHER.encode()).status_code == 201
    return used


def _bots(found: Any) -> list[tuple[str, str]]:
    return [(pair["first"]["bot"], pair["second"]["bot"]) for pair in found["pairs"]]


def test_pairs_of_a_class(compared: Site) -> None:
    """Two teams' that are the same are a pair, two bots of one team are none, and the page has no verdict."""
    found = compared.get(f"/classes/{CLASS}/likeness", "teacher").json()
    assert _bots(found) == [("green", "red")]
    assert found["compared"] == 4
    assert found["pairs"][0]["likeness"] > 0.9
    page = read(compared, f"/classes/{CLASS}/likeness", sign_in(compared, "teacher")["Cookie"])
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    Outline(page.text)
    assert f"/classes/{CLASS}/likeness/green/red" in page.text
    assert "It does not tell why" in page.text


def test_two_side_by_side(compared: Site) -> None:
    """Both sources are there in full, passages lead to each other, and nothing gets out of its frame."""
    told = compared.get(f"/classes/{CLASS}/likeness/green/red", "teacher").json()
    text = "".join(each["text"] for file in told["second_files"] for each in file["segments"])
    assert text == SOURCE
    page = read(compared, f"/classes/{CLASS}/likeness/green/red", sign_in(compared, "teacher")["Cookie"]).text
    Outline(page)
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "\\u202e\\u0007" in page
    assert 'id="a-1" href="#b-1"' in page
    assert 'id="b-1" href="#a-1"' in page
    for path in ("green/nobody", "green/blue", "gold/gold-2"):
        assert compared.get(f"/classes/{CLASS}/likeness/{path}", "teacher").status_code == 404


def test_only_what_one_may_open_is_read(compared: Site) -> None:
    """An organiser compares the bots of the class's teams only, and is told of how many others there are."""
    with compared.world.database.transaction() as session:
        for name in ("red", "blue"):
            version = versions.get_version(session, versions.get(session, name))
            version.state = VersionState.PASSED
    start_cup(compared)
    with compared.world.database.transaction() as session:
        lifecycle.get(session, "cup").class_id = users.get(session, "red").class_id
    found = compared.get("/tournaments/cup/likeness", "teacher").json()
    assert (found["compared"], found["hidden"], found["pairs"]) == (1, 1, [])
    assert _bots(compared.get("/tournaments/cup/likeness", "staff").json()) == [("blue", "red")]
    assert compared.get("/tournaments/cup/likeness/red/blue", "teacher").status_code == 404
    assert compared.get("/tournaments/cup/likeness/red/blue", "staff").status_code == 200
    cookie = sign_in(compared, "teacher")["Cookie"]
    page = read(compared, "/manage/cup/likeness", cookie)
    assert "1 was not, as its files are not yours to see" in page.text
    assert read(compared, "/manage/cup/likeness/red/blue", cookie).status_code == 404


def test_an_answer_is_for_who_asked(compared: Site) -> None:
    """What the calculators work out for somebody is told to nobody else, nor after signing out."""
    path = f"/classes/{CLASS}/likeness"
    cookie = sign_in(compared, "teacher")["Cookie"]
    assert read(compared, path, cookie).status_code == 200
    for who, status in (("elsewhere", 403), ("red", 403)):
        assert read(compared, path, sign_in(compared, who)["Cookie"]).status_code == status
    for shown in ("", "arena=wrong", "arena=; x", 'arena="; lang=en"'):
        assert read(compared, path, shown).headers["location"].startswith("/sign-in")


def test_the_threshold(compared: Site) -> None:
    """It is a share from 0.1 to 1; a page takes it in percent."""
    path = f"/classes/{CLASS}/likeness"
    for threshold, status in (("0.05", 422), ("1.1", 422), ("0.1", 200)):
        assert compared.get(f"{path}?threshold={threshold}", "teacher").status_code == status
    cookie = sign_in(compared, "teacher")["Cookie"]
    assert read(compared, f"{path}?percent=100", cookie).status_code == 200
    assert read(compared, f"{path}?percent=5", cookie).status_code == 422
