"""Rosters through the API: everybody is let in, or nobody."""

from __future__ import annotations

from typing import Any

from arena.core.clock import utc_now
from arena.core.terms import Role
from arena.store.models import User
from tests.integration.arena.roles import settle
from tests.integration.arena.site import Site

ROSTER = "user,role,bot\ngreen,,alpha\ngreen,,beta\nred,team,red\n第一隊,,\nta,admin,\n"


def _import(site: Site, text: str, user: str | None = "staff", query: str = "") -> Any:
    return site.post(f"/roster{query}", user, files={"file": ("class.csv", text.encode())})


def test_a_class_is_let_in(site: Site) -> None:
    """New users get tokens that work and their bots' names; who is there stays as it is, without a token."""
    answer = _import(site, ROSTER)
    assert answer.status_code == 200
    green, red, chinese, ta = answer.json()["items"]
    assert (green["created"], green["bots"]) == (True, ["alpha", "beta"])
    assert (red["created"], red["token"], red["bots"]) == (False, None, [])
    assert (chinese["name"], ta["role"]) == ("第一隊", "admin")
    site.tokens["green"] = green["token"]
    assert site.get("/me", "green").json()["name"] == "green"
    assert site.get("/bots/alpha").json()["owner"] == "green"
    assert site.submit("alpha", "red").status_code == 403
    again = _import(site, ROSTER).json()["items"]
    assert [(item["created"], item["token"], item["bots"]) for item in again] == [(False, None, [])] * 4


def test_one_bad_line_lets_nobody_in(site: Site) -> None:
    """Every bad line of the file and every conflict is told by its number, and nothing is written."""
    text = "user,role,bot\ngreen,,alpha\n,,\nbad name,,\nred,admin,\nblue,,red\n"
    answer = _import(site, text)
    assert answer.status_code == 422
    detail = answer.json()["detail"]
    for part in ("line 4: 'bad name'", "line 5: the user 'red'", "line 6: the bot 'red' belongs to 'red'"):
        assert part in detail
    assert site.get("/bots/alpha").status_code == 404
    assert "green" not in [user["name"] for user in site.get("/users", "staff").json()["items"]]


def test_a_members_bot_is_the_teams(site: Site) -> None:
    """A name that is kept for a member belongs to the team, also in another import."""
    settle(site)
    for kept in (["alpha"], []):
        answer = _import(site, "user,bot\nruby,alpha\n")
        assert [item["bots"] for item in answer.json()["items"]] == [kept]
    assert site.get("/bots/alpha").json()["owner"] == "red"
    for name in ("ruby", "red"):
        assert site.submit("alpha", name).status_code in {200, 201}


def test_a_reader_has_no_bots(site: Site) -> None:
    """Neither is a name kept for a reader, new or there, nor may the staff submit one for them."""
    settle(site)
    answer = _import(site, "user,role,bot\nlooker,reader,alpha\nother,reader,beta\n")
    assert answer.status_code == 422
    for part in ("line 2: 'looker' is a reader", "line 3: 'other' is a reader"):
        assert part in answer.json()["detail"]
    answer = site.submit("alpha", "staff", owner="looker")
    assert answer.status_code == 403, answer.text
    assert "a reader has no bots" in answer.json()["detail"]


def test_what_looks_like_a_name_that_is_there_lets_nobody_in(site: Site) -> None:
    """Users and bots that look like older ones are told by line; second lines of a user are warned of."""
    site.submit("alpha", "red")
    answer = _import(site, "user,bot\nr\u0435d,\nblue,\u0430lpha\nnew,\n")
    assert answer.status_code == 422
    for part in (
        "line 2: 'r\u0435d' looks like the user 'red'",
        "line 3: '\u0430lpha' looks like the bot 'alpha'",
    ):
        assert part in answer.json()["detail"]
    twice = _import(site, "user\ngreen\ngreen\n").json()
    assert twice["warnings"] == ["line 3: 'green' is on line 2 already, so that both are one account"]


def test_names_of_a_file_that_look_alike_let_nobody_in(site: Site) -> None:
    """Names that differ only in width, or in a letter's script, would make two accounts: both are told."""
    answer = _import(site, "user,bot\n第１隊,alpha\nann,\n第1隊,\n\u0430nn,\nblue,\u0430lpha\n")  # noqa: RUF001
    assert answer.status_code == 422
    detail = answer.json()["detail"]
    assert [line.partition(":")[0] for line in detail.splitlines()[1:]] == ["line 4", "line 5", "line 6"]
    assert "line 4: the user '第1隊' looks like '第１隊' on line 2" in detail
    assert "line 6: the bot" in detail


def test_names_that_are_there_stay_although_they_look_alike(site: Site) -> None:
    """A class with two such accounts from before can be imported again, with a bot and a pupil more."""
    before = ["第１隊", "第1隊"]
    with site.world.database.transaction() as session:
        session.add_all(User(name=name, role=Role.TEAM, created_at=utc_now()) for name in before)
    answer = _import(site, "user,bot\n第１隊,alpha\n第1隊,beta\n第1隊,gamma\nnew,\n")  # noqa: RUF001
    assert answer.status_code == 200, answer.text
    assert [item["created"] for item in answer.json()["items"]] == [False, False, True]


def test_a_dry_run_writes_nothing(site: Site) -> None:
    """What would be done is told without tokens, and is still to be done afterwards."""
    told = _import(site, ROSTER, query="?dry_run=true").json()
    assert [item["created"] for item in told["items"]] == [True, False, True, True]
    assert {item["token"] for item in told["items"]} == {None}
    assert site.get("/bots/alpha").status_code == 404
    assert [item["created"] for item in _import(site, ROSTER).json()["items"]] == [True, False, True, True]


def test_only_the_staff_imports(site: Site) -> None:
    """The public is asked for a token and a team is refused."""
    assert _import(site, ROSTER, None).status_code == 401
    assert _import(site, ROSTER, "red").status_code == 403


def test_big5_is_read_when_asked(site: Site) -> None:
    """A file in Big5 is refused with the way out, and accepted under its encoding."""
    files = {"file": ("class.csv", "user\n第一隊\n".encode("cp950"))}
    refused = site.post("/roster", "staff", files=files)
    assert (refused.status_code, "cp950" in refused.json()["detail"]) == (422, True)
    taken = site.post("/roster?encoding=cp950", "staff", files=files)
    assert [item["name"] for item in taken.json()["items"]] == ["第一隊"]
