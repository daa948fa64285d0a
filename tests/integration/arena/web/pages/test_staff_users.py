"""The staff's page of users: who is let in and out, and gets which role."""

from __future__ import annotations

import html
import re

import pytest

from arena.core.terms import Role
from arena.people import users
from arena.store.models import User
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.staffing import get, parked, post

__all__ = ["parked"]


def test_the_last_administrator_stays(parked: Site) -> None:
    """Neither role nor access of the last one goes; with a second one the first may, and is out at once."""
    role = {"role": "reader"}
    assert post(parked, "/staff/users/staff/role", "staff", **role).status_code == 409
    parked.post("/users", "staff", json={"name": "second", "role": "admin"})
    assert post(parked, "/staff/users/staff/disable", "staff").status_code == 409
    assert post(parked, "/staff/users/second/disable", "staff").status_code == 303
    assert post(parked, "/staff/users/staff/role", "staff", **role).status_code == 409
    assert post(parked, "/staff/users/second/enable", "staff").status_code == 303
    assert post(parked, "/staff/users/second/role", "staff", **role).status_code == 303
    with parked.world.database.reading() as session:
        second: User = users.get(session, "second")
        assert (second.role, second.left_at) == (Role.READER, None)


def test_letting_out_has_one_name(parked: Site) -> None:
    """The summary says what the button says, in Chinese, too."""
    page = get(parked, "/staff/users/blue", "staff", **{"Accept-Language": "zh-TW"}).text
    summary, _, form = page.partition("/blue/disable")
    assert "停用這位使用者" in summary.rpartition("<summary>")[2]
    assert "停用這位使用者" in form.partition("</form>")[0]


def test_who_is_let_out_is_out_at_once(parked: Site) -> None:
    """Tokens and sessions of somebody who is let out are worthless; a link is made for who is in only."""
    blue = sign_in(parked, "blue")
    assert parked.client.get("/account", headers=blue).status_code == 200
    assert post(parked, "/staff/users/blue/disable", "staff").status_code == 303
    assert parked.client.get("/account", headers=blue, follow_redirects=False).status_code == 303
    assert parked.get("/me", "blue").status_code == 401
    assert post(parked, "/staff/users/blue/link", "staff").status_code == 404
    told = parked.get("/users/blue", "staff").json()
    assert (told["tokens"], told["sessions"], told["disabled_at"] is None) == (0, 0, False)
    assert parked.get("/users?disabled=true", "staff").json()["total"] == 1
    assert post(parked, "/staff/users/blue/enable", "staff").status_code == 303
    assert "/sign-in/link/" in post(parked, "/staff/users/blue/link", "staff").text


def test_roles_are_not_taken_from_teams_with_members_or_bots(parked: Site) -> None:
    """A team with members keeps its role, and nobody with bots becomes a reader."""
    for name, role in (("red", "organiser"), ("ruby", "organiser"), ("blue", "reader")):
        assert post(parked, f"/staff/users/{name}/role", "staff", role=role).status_code == 409, name
    assert (
        parked.client.put(
            "/api/v1/users/teacher/role", headers=parked.headers("staff"), json={"role": "reader"}
        ).status_code
        == 200
    )
    assert get(parked, "/staff", "teacher").status_code == 403


def test_users_are_found(parked: Site) -> None:
    """By a part of the name, the role and the class; what means something to a query means nothing here."""
    for asked, names in (
        ("name=RU", {"ruby"}),
        ("name=%25", set()),
        ("role=organiser", {"teacher", "elsewhere"}),
        ("class_name=7a", {"red", "ruby"}),
        ("name=e&class_name=7a", {"red"}),
    ):
        found = parked.get(f"/users?{asked}", "staff").json()["items"]
        assert {each["name"] for each in found} == names, asked
    assert get(parked, "/staff/users?role=team&name=%3Cb%3E", "teacher").status_code == 200


def test_somebody_is_let_in_on_the_page(parked: Site) -> None:
    """The page that answers shows a link by which the new user signs in, who has no token yet."""
    for who, form in (
        ("staff", {"name": " Ms.Lin ", "role": "organiser"}),
        ("teacher", {"name": "green", "role": "team", "class_name": "7a"}),
    ):
        page = post(parked, "/staff/users", who, **form)
        name, link = form["name"].strip(), re.search(r"/sign-in/link/[\w-]+", page.text)
        assert (page.status_code, link is None) == (200, False)
        assert f"signs you in as {name}" in parked.client.get(link[0] if link else "").text
        told = parked.get(f"/users/{name}", "staff").json()
        assert (told["role"], told["class_name"]) == (form["role"], form.get("class_name"))
        assert (told["tokens"], told["links"]) == (0, 1)


@pytest.mark.parametrize(
    ("who", "form", "status", "why"),
    [
        ("staff", {"name": "a b"}, 422, "'a b' cannot name a user"),
        ("staff", {"name": "red"}, 409, "there is a user 'red' already"),
        ("staff", {"name": "new", "class_name": "8b"}, 404, "there is no class '8b'"),
        ("staff", {"name": "new", "role": "organiser", "class_name": "7a"}, 422, "belong to no class"),
        ("teacher", {"name": "new", "role": "organiser"}, 403, "lets in teams and readers"),
        ("teacher", {"name": "new"}, 403, "name the class"),
        ("elsewhere", {"name": "new", "class_name": "7a"}, 403, "only an organiser of the class"),
    ],
)
def test_who_is_not_let_in_on_the_page(
    parked: Site, who: str, form: dict[str, str], status: int, why: str
) -> None:
    """What the arena refuses is told above the form, which keeps what was typed."""
    answer = post(parked, "/staff/users", who, **form)
    assert answer.status_code == status
    assert why in html.unescape(answer.text)
    assert f'name="name" value="{form["name"]}"' in answer.text
    assert parked.get("/users/new", "staff").status_code == 404


def test_an_organiser_is_offered_what_they_may_give(parked: Site) -> None:
    """The form offers an organiser teams and readers of their own classes, an administrator everything."""
    for who, roles, none in (("teacher", {"team", "reader"}, False), ("staff", {*Role}, True)):
        page = get(parked, "/staff/users", who).text
        form = page.partition('action="/staff/users"')[2].partition("</form>")[0]
        assert set(re.findall(r'<option value="(\w+)"', form)) == roles
        assert ('<option value="">' in form, "<option>7a</option>" in form) == (none, True)
