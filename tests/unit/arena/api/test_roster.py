"""Rosters through the API: everybody is let in, or nobody."""

from __future__ import annotations

from typing import Any

from tests.unit.arena.site import Site

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
