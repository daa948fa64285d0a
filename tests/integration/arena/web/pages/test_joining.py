"""Coming in by a code or a link, and the classes that give them."""

from __future__ import annotations

import datetime as dt
import html
import re

import pytest
from sqlalchemy import update

from arena.core.clock import utc_now
from arena.people import classes
from arena.store.models import JoinCode, SignInLink, WebSession
from tests.integration.arena.roles import CLASS, sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.browser import ORIGIN, PASSWORD, choose, cookie_of, read, send
from tests.integration.arena.web.pages.test_pages import Outline


def test_a_link_signs_in_once_and_replaces_a_password(used: Site) -> None:
    """A link shows whom it signs in, works once by its button, and lets them choose another password."""
    choose(used, "red")
    url = used.post("/users/red/link", "teacher").json()["url"]
    path = url.removeprefix("http://testserver")
    for _ in range(2):
        assert "Sign in as red" in read(used, path).text
    cookie = cookie_of(send(used, path))
    assert (read(used, path).status_code, send(used, path).status_code) == (404, 404)
    assert send(used, "/account/password", cookie, password="another good one").status_code == 303
    assert send(used, "/sign-in/password", name="red", password="another good one").status_code == 303
    with used.world.database.transaction() as session:
        session.execute(update(WebSession).values(created_at=utc_now() - dt.timedelta(hours=2)))
    assert send(used, "/account/password", cookie, password=PASSWORD).status_code == 401


def test_who_found_a_token_keeps_nothing(used: Site) -> None:
    """A password chosen with a token goes when the staff revokes it; who revokes their own keeps theirs."""
    for name in ("red", "staff"):
        choose(used, name)
        assert used.delete(f"/users/{name}/tokens", "staff").status_code == 200
    assert send(used, "/sign-in/password", name="red", password=PASSWORD).status_code == 401
    assert send(used, "/sign-in/password", name="staff", password=PASSWORD).status_code == 303
    url = used.post("/users/red/link", "teacher").json()["url"]
    cookie = cookie_of(send(used, url.removeprefix("http://testserver")))
    assert send(used, "/account/password", cookie, password="another good one").status_code == 303


def test_a_link_is_worthless_after_another_one_or_a_week(used: Site) -> None:
    """Another link replaces it, revoking the user's tokens too, and time ends it."""
    old, new = (used.post("/users/red/link", "teacher").json()["url"] for _ in range(2))
    assert [read(used, url).status_code for url in (old, new)] == [404, 200]
    with used.world.database.transaction() as session:
        session.execute(update(SignInLink).values(expires_at=utc_now()))
    assert read(used, new).status_code == 404
    new = used.post("/users/red/link", "teacher").json()["url"]
    used.delete("/users/red/tokens", "teacher")
    assert read(used, new).status_code == 404


def test_joining_by_a_code(used: Site) -> None:
    """A class's code makes a team with its leader, whose own code lets a member in; each use is counted."""
    code = used.post(f"/classes/{CLASS}/codes", "teacher", json={"uses": 1, "days": 1}).json()["text"]
    typed = code.lower().replace("-", " ")
    answer = send(used, "/join", code=typed, name="安妮", team="綠隊")
    assert answer.headers["location"] == "/account"
    leader = cookie_of(answer)
    page = read(used, "/account", leader).text
    assert "綠隊" in page
    assert CLASS in page
    assert send(used, "/join", code=code, name="eve", team="x").status_code == 404
    assert send(used, "/account/team/codes", leader).status_code == 303
    found = re.search(r'class="code" data-copy>([^<]+)<', read(used, "/account", leader).text)
    assert found is not None
    member = cookie_of(send(used, "/join", code=found[1], name="ben"))
    assert send(used, "/account/team/codes", member).status_code == 403
    names = [user["name"] for user in used.get(f"/classes/{CLASS}/users", "teacher").json()["items"]]
    assert names == ["ben", "red", "ruby", "安妮", "綠隊"]


def test_who_was_let_out_stays_out(used: Site) -> None:
    """The team's codes go with a member who is let out; other teams' codes do not."""
    codes = {name: used.post("/me/team/codes", name, json={}).json()["text"] for name in ("red", "blue")}
    assert used.delete("/me/team/members/ruby", "red").status_code == 204
    assert send(used, "/join", code=codes["red"], name="ruby2").status_code == 404
    assert used.get("/me/team/codes", "red").json()["total"] == 0
    assert send(used, "/join", code=codes["blue"], name="ben").status_code == 303


def test_a_team_has_so_many_codes(used: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A leader makes no more codes than may be good at a time; one that is revoked makes room."""
    monkeypatch.setattr(classes, "MAX_TEAM_CODES", 2)
    numbers = [used.post("/me/team/codes", "red", json={}).json()["id"] for _ in range(2)]
    assert used.post("/me/team/codes", "red", json={}).status_code == 409
    assert send(used, "/account/team/codes", sign_in(used, "red")["Cookie"]).status_code == 409
    assert used.delete(f"/me/team/codes/{numbers[0]}", "red").status_code == 204
    assert used.post("/me/team/codes", "red", json={}).status_code == 201


def test_a_team_lets_in_only_so_many(used: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was let out counts among those who have joined, so that a team makes no accounts without end."""
    monkeypatch.setattr(classes, "MAX_JOINED", 2)

    def join(name: str) -> int:
        code = used.post("/me/team/codes", "red", json={}).json()["text"]
        return int(send(used, "/join", code=code, name=name).status_code)

    assert [join("amy"), join("ben")] == [303, 409]
    assert used.delete("/me/team/members/amy", "red").status_code == 204
    assert join("ben") == 409


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"code": "AAAAA-AAAAA"}, 404),
        ({"code": ""}, 404),
        ({"name": "a b"}, 422),
        ({"name": ""}, 422),
        ({"team": ""}, 422),
        ({"team": "<b>"}, 422),
        ({"name": "red"}, 409),
        ({"name": "r\u0435d"}, 409),
        ({"team": "blue"}, 409),
        ({"name": "same", "team": "same"}, 409),
    ],
)
def test_what_nobody_joins_by(used: Site, fields: dict[str, str], status: int) -> None:
    """What is wrong is told in the form; nothing is made, and no use of the code is lost."""
    code = used.post(f"/classes/{CLASS}/codes", "teacher", json={"uses": 3}).json()
    before = used.get("/users", "staff").json()["total"]
    answer = send(used, "/join", **{"code": code["text"], "name": "amy", "team": "green"} | fields)
    assert answer.status_code == status
    assert 'role="alert"' in answer.text
    Outline(answer.text)
    assert used.get("/users", "staff").json()["total"] == before
    assert used.get(f"/classes/{CLASS}/codes", "teacher").json()["items"][0]["uses_left"] == 3


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"name": "a b"}, "「a b」不能當作使用者的名稱"),
        ({"team": "a b"}, "「a b」不能當作隊伍的名稱"),
        ({"team": ""}, "請填寫你們的隊名"),
        ({"name": "red"}, "已有使用者「red」"),
        ({"team": "blue"}, "已有使用者「blue」"),
        ({"team": "r\u0435d"}, "看起來像使用者「red」"),
    ],
)
def test_which_name_nobody_joins_by(used: Site, fields: dict[str, str], why: str) -> None:
    """The form says in the reader's language which of the names is wrong and why; what was typed stays."""
    code = used.post(f"/classes/{CLASS}/codes", "teacher", json={}).json()["text"]
    typed = {"code": code, "name": "amy", "team": "green"} | fields
    page = send(used, "/join?lang=zh-Hant-TW", **typed).text
    assert why in html.unescape(page)
    assert all(f'value="{each}"' in page for each in typed.values())


def test_codes_end(used: Site) -> None:
    """A code that was revoked or has expired is worthless."""
    codes = [used.post(f"/classes/{CLASS}/codes", "teacher", json={}).json() for _ in range(2)]
    assert used.delete(f"/classes/{CLASS}/codes/{codes[0]['id']}", "teacher").status_code == 204
    assert used.delete(f"/classes/{CLASS}/codes/{codes[0]['id']}", "teacher").status_code == 404
    with used.world.database.transaction() as session:
        session.execute(update(JoinCode).values(expires_at=utc_now()))
    for code in codes:
        assert send(used, "/join", code=code["text"], name="amy", team="green").status_code == 404


def test_the_sheet_of_links(used: Site) -> None:
    """The staff prints links for those who are ticked, each of whom signs in by theirs."""
    teacher = sign_in(used, "teacher")["Cookie"]
    page = send(used, f"/classes/{CLASS}/links", teacher, user="red")
    Outline(page.text)
    urls = re.findall(r"http://testserver/sign-in/link/[\w-]+", page.text)
    assert len(urls) == 1
    assert "Sign in as red" in read(used, urls[0]).text
    assert page.headers["cache-control"] == "no-store"
    assert "Nobody was ticked" in send(used, f"/classes/{CLASS}/links", teacher, user="blue").text


def test_the_sheet_leaves_out_the_staff(used: Site) -> None:
    """An organiser who is in the class gets a link by an administrator only, and hinders nobody else's."""
    body = {"name": "helper", "role": "organiser", "class_name": CLASS}
    assert used.post("/users", "staff", json=body).status_code == 201
    path = f"/classes/{CLASS}"
    for who, told in (("teacher", False), ("staff", True)):
        cookie = sign_in(used, who)["Cookie"]
        page = read(used, path, cookie).text
        assert "helper" in page
        assert ('value="helper"' in page) is told
        sheet = used.client.post(
            f"{path}/links", data={"user": ["red", "helper"]}, headers={"Cookie": cookie, **ORIGIN}
        )
        assert sheet.status_code == 200
        assert sheet.text.count("/sign-in/link/") == 1 + told


def test_making_a_class_on_the_page(used: Site) -> None:
    """An organiser makes a class and runs it; a name that cannot be is told in the form."""
    cookie = sign_in(used, "elsewhere")["Cookie"]
    answer = send(used, "/classes", cookie, name="二年一班")
    assert read(used, answer.headers["location"], cookie).status_code == 200
    assert send(used, answer.headers["location"] + "/codes", cookie, uses="5", days="2").status_code == 303
    page = read(used, answer.headers["location"], cookie).text
    assert "for 5 more teams" in page
    Outline(page)
    for name, status, why in (
        ("a b", 422, "'a b' cannot name a class"),
        ("二年一班", 409, "there is a class '二年一班' already"),
        ("7\u0430", 409, "'7\u0430' looks like the class '7a'"),
    ):
        answer = send(used, "/classes", cookie, name=name)
        assert answer.status_code == status
        assert why in html.unescape(answer.text)
    assert read(used, f"/classes/{CLASS}", cookie).status_code == 403


def test_organisers_of_a_class_on_the_page(used: Site) -> None:
    """An organiser lets another one run the class, and goes; a name that cannot is told in the form."""
    path, teacher = f"/classes/{CLASS}", sign_in(used, "teacher")["Cookie"]
    for name, status, why in (
        ("nobody", 404, "there is no user 'nobody'"),
        ("red", 409, "'red' is team; only an organiser can run a class"),
        ("teacher", 409, "'teacher' runs '7a' already"),
    ):
        answer = send(used, f"{path}/organisers", teacher, user=name)
        assert answer.status_code == status
        assert why in html.unescape(answer.text)
        assert f'name="user" value="{name}"' in answer.text
    other = sign_in(used, "elsewhere")["Cookie"]
    assert read(used, path, other).status_code == 403
    assert send(used, f"{path}/organisers", teacher, user=" elsewhere ").status_code == 303
    page = read(used, path, other).text
    Outline(page)
    assert [f"{path}/organisers/{name}/remove" in page for name in ("teacher", "elsewhere")] == [True, True]
    gone = send(used, f"{path}/organisers/teacher/remove", teacher)
    assert (gone.status_code, gone.headers["location"]) == (303, "/classes")
    assert read(used, path, teacher).status_code == 403
    answer = send(used, f"{path}/organisers/teacher/remove", other)
    assert (answer.status_code, "does not run" in answer.text) == (404, True)


def test_the_same_by_the_api(used: Site) -> None:
    """The same acts by the API: joining, links, codes, tokens, sessions, a password."""
    code = used.post(f"/classes/{CLASS}/codes", "teacher", json={}).json()["text"]
    joined = used.post("/join", json={"code": code, "name": "amy", "team": "green"})
    assert joined.status_code == 201
    used.tokens["amy"] = joined.json()["token"]
    me = used.get("/me", "amy").json()
    assert (me["team"], me["is_leader"], me["class_name"]) == ("green", True, CLASS)
    assert used.post("/me/team/codes", "amy", json={}).status_code == 201
    assert used.delete("/me/team/members/amy", "amy").status_code == 409
    assert used.delete("/me/team/members/red", "amy").status_code == 404
    for status in (204, 401):
        body = {"password": PASSWORD}
        answer = used.client.put("/api/v1/me/password", headers=used.headers("amy"), json=body)
        assert answer.status_code == status
    assert send(used, "/sign-in/password", name="amy", password=PASSWORD).status_code == 303
    assert used.delete("/me/sessions", "amy").json() == {"ended": 1}
    made = used.post("/me/tokens", "amy", json={"name": "laptop", "days": 2}).json()
    assert used.delete(f"/me/tokens/{made['id']}", "amy").status_code == 204
    assert used.delete(f"/me/tokens/{made['id']}", "amy").status_code == 404
    assert used.post("/join", json={"code": "x", "name": "eve"}).status_code == 404
