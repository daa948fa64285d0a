"""The pages of somebody who is signed in: sessions, password, tokens."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from sqlalchemy import select, update

from arena.core.clock import utc_now
from arena.core.errors import UnavailableError
from arena.core.terms import Role
from arena.people import classes, sessions, users
from arena.people.sessions import SEEN_EVERY
from arena.store.models import Token, WebSession
from tests.integration.arena.asking import asked
from tests.integration.arena.roles import CLASS, sign_in
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.web.pages.browser import ORIGIN, PASSWORD, cookie_of, read, send
from tests.integration.arena.web.pages.test_pages import Outline


@pytest.mark.parametrize(
    ("page", "led"),
    [
        ("http://testserver/my/questions?x=1", "/sign-in?next=/my/questions"),
        ("https://elsewhere.example/my/questions", "/sign-in"),
        (None, "/sign-in"),
    ],
)
def test_who_is_signed_in_no_more_is_led_back_to_the_form(used: Site, page: str | None, led: str) -> None:
    """To the page that it was sent from, if that is ours."""
    headers = ORIGIN | ({"Referer": page} if page else {})
    used.client.cookies.clear()
    sent = {"text": "why?"}
    answer = used.client.post("/my/questions", data=sent, headers=headers, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, led)


def test_revoking_a_token_ends_what_it_began(used: Site) -> None:
    """Sessions begun with a token end with it; those of a user whose tokens the staff revokes end all."""
    by_token = cookie_of(send(used, "/sign-in/token", token=used.tokens["red"]))
    other = sign_in(used, "red")["Cookie"]
    number = used.get("/me/tokens", "red").json()["items"][0]["id"]
    assert send(used, f"/account/tokens/{number}/revoke", other).status_code == 303
    assert read(used, "/account", by_token).status_code == 303
    assert read(used, "/account", other).status_code == 200
    assert used.get("/me", "red").status_code == 401
    assert used.delete("/users/red/tokens", "teacher").status_code == 200
    assert read(used, "/account", other).status_code == 303


def test_a_session_ends_with_the_token_that_began_it(used: Site) -> None:
    """A session does not outlive its token, neither when it is begun nor when it is seen again."""
    made = used.post("/me/tokens", "red", json={"days": 1}).json()
    cookie = cookie_of(send(used, "/sign-in/token", token=made["token"]))

    begun = used.get("/me/sessions", "red").json()["items"][0]
    assert begun["expires_at"] == made["expires_at"]
    with used.world.database.transaction() as session:
        session.execute(update(WebSession).values(seen_at=utc_now() - SEEN_EVERY))
    read(used, "/bots", cookie)
    seen = used.get("/me/sessions", "red").json()["items"][0]
    assert seen["seen_at"] > begun["seen_at"]
    assert seen["expires_at"] == made["expires_at"]


def test_ending_sessions(used: Site) -> None:
    """One's sessions are listed in short and end one by one or all others at once; nobody else's do."""
    mine, second, third = (sign_in(used, "red")["Cookie"] for _ in range(3))
    page = read(used, "/account", mine)
    assert page.text.count("192.0.2.…") == 3
    assert "192.0.2.7" not in page.text
    assert page.text.count("Firefox, Windows") == 3
    number = used.get("/me/sessions", "red").json()["items"][0]["id"]
    blue = sign_in(used, "blue")["Cookie"]
    assert send(used, f"/account/sessions/{number}/end", blue).status_code == 404
    assert send(used, f"/account/sessions/{number}/end", mine).status_code == 303
    assert read(used, "/account", third).status_code == 303
    assert send(used, "/account/sessions/end", mine).status_code == 303
    assert [read(used, "/account", each).status_code for each in (mine, second, blue)] == [200, 303, 200]


def test_a_session_ends_by_itself(used: Site) -> None:
    """A session that is over is nobody's, and is forgotten when somebody signs in."""
    cookie = sign_in(used, "red")["Cookie"]
    with used.world.database.transaction() as session:
        session.execute(update(WebSession).values(expires_at=utc_now()))
    assert read(used, "/account", cookie).status_code == 303
    sign_in(used, "blue")
    with used.world.database.reading() as session:
        assert len(session.scalars(select(WebSession)).all()) == 1


def test_a_session_that_is_used_goes_on(used: Site) -> None:
    """Reading a page keeps a session for another week, and for 30 days in all; not more often than needed."""
    cookie = sign_in(used, "red")["Cookie"]
    before = used.get("/me/sessions", "red").json()["items"][0]
    read(used, "/bots", cookie)
    assert used.get("/me/sessions", "red").json()["items"][0] == before
    long_ago = utc_now() - SEEN_EVERY
    with used.world.database.transaction() as session:
        session.execute(update(WebSession).values(seen_at=long_ago))
    read(used, "/bots", cookie)
    assert used.get("/me/sessions", "red").json()["items"][0]["expires_at"] > before["expires_at"]
    begun = utc_now() - dt.timedelta(days=29)
    with used.world.database.transaction() as session:
        session.execute(update(WebSession).values(seen_at=long_ago, created_at=begun))
    read(used, "/bots", cookie)
    ends = used.get("/me/sessions", "red").json()["items"][0]["expires_at"]
    assert dt.datetime.fromisoformat(ends) == begun + dt.timedelta(days=30)


def test_choosing_a_password(used: Site) -> None:
    """The first is chosen freely, the next by the one before, and weak ones never; other sessions end."""
    mine, other = (sign_in(used, "red")["Cookie"] for _ in range(2))
    assert send(used, "/account/password", mine, password="1234567890").status_code == 422
    assert send(used, "/account/password", mine, password=PASSWORD).status_code == 303
    assert [read(used, "/account", each).status_code for each in (mine, other)] == [200, 303]
    again = {"password": "another good one", "current": "wrong"}
    assert send(used, "/account/password", mine, **again).status_code == 401
    assert send(used, "/sign-in/password", name="red", password=PASSWORD).status_code == 303
    assert send(used, "/account/password", mine, **again | {"current": PASSWORD}).status_code == 303
    assert send(used, "/sign-in/password", name="red", password=PASSWORD).status_code == 401


def test_tokens_of_ones_own(used: Site) -> None:
    """A token made on the page works until its end, and its text is shown that once."""
    cookie = sign_in(used, "red")["Cookie"]
    page = send(used, "/account/tokens", cookie, name="<laptop>", days="3")
    found = re.search(r"<code data-copy>(arena_[^<]+)</code>", page.text)
    assert found is not None
    used.tokens["new"] = found[1]
    assert used.get("/me", "new").json()["name"] == "red"
    assert found[1] not in read(used, "/account", cookie).text
    assert "&lt;laptop&gt;" in page.text
    with used.world.database.transaction() as session:
        session.execute(update(Token).where(Token.name == "<laptop>").values(expires_at=utc_now()))
    assert used.get("/me", "new").status_code == 401


def test_a_token_for_programs(used: Site) -> None:
    """A token is made for as much as it needs; one that is not good for everything signs nobody in."""
    cookie = sign_in(used, "red")["Cookie"]
    page = send(used, "/account/tokens", cookie, name="ci", scope="submit", days="3")
    found = re.search(r"<code data-copy>(arena_[^<]+)</code>", page.text)
    assert found is not None
    used.tokens["ci"] = found[1]
    assert "reading, handing in and entering bots</td>" in page.text
    assert used.submit("comet", "ci").status_code == 201
    refused = used.post("/me/tokens", "ci", json={})
    assert (refused.status_code, "scope submit" in refused.json()["detail"]) == (403, True)
    assert send(used, "/sign-in/token", token=found[1]).status_code == 403


@pytest.mark.parametrize("lang", ["en", "zh-Hant-TW"])
def test_the_pages_in_both_languages(used: Site, lang: str) -> None:
    """Every page of one's own is well-formed and says its language, with something in each of its tables."""
    cookie = sign_in(used, "red")["Cookie"]
    send(used, "/account/team/codes", cookie)
    used.post(f"/classes/{CLASS}/codes", "teacher", json={})
    teacher = sign_in(used, "teacher")["Cookie"]
    pages = [("/sign-in", ""), ("/join", ""), ("/account", cookie), ("/account", teacher)]
    for path, shown in [*pages, ("/classes", teacher), (f"/classes/{CLASS}", teacher)]:
        page = read(used, path, shown, **{"Accept-Language": lang})
        assert page.status_code == 200
        outline = Outline(page.text)
        assert outline.all("html")[0]["lang"] == lang
        assert len(outline.all("h1")) == 1
        assert len(outline.all("table")) == len(outline.all("caption"))


def test_letting_a_member_out_is_asked_first(used: Site) -> None:
    """The button that lets a member out stands behind a summary, after a sentence of what it does."""
    page = read(used, "/account", sign_in(used, "red")["Cookie"]).text
    asked = page[: page.index("/account/team/members/ruby/remove")].rpartition("<details")[2]
    assert "</details>" not in asked
    assert "<summary>Let ruby out of the team</summary>" in asked
    assert (
        "cannot sign in any more"
        in page.partition("/account/team/members/ruby/remove")[2].partition("<button")[0]
    )


@pytest.mark.parametrize("path", [f"/classes/{CLASS}", "/classes", "/account"])
def test_more_people_ask_the_database_no_more(used: Site, path: str) -> None:
    """A page of a class of thirty asks as many questions as that of one."""
    teacher = sign_in(used, "teacher")["Cookie"]
    engine = used.client.app.state.services.database.engine  # type: ignore[attr-defined]  # see create_app
    with asked("SELECT", engine=engine) as few:
        read(used, path, teacher)
    with used.world.database.transaction() as session:
        class_ = classes.get(session, CLASS)
        for number in range(30):
            team, _ = users.create_user(session, f"team-{number}", Role.TEAM, school_class=class_)
            member, _ = users.create_user(session, f"m-{number}", Role.TEAM, school_class=class_)
            member.team_id = team.id
            class_.organisers.append(users.create_user(session, f"o-{number}", Role.ORGANISER)[0])
    with asked("SELECT", engine=engine) as many:
        assert read(used, path, teacher).status_code == 200
    assert len(many) == len(few), many


def test_a_shared_page_is_nobodys(used: Site) -> None:
    """What is kept for everybody has no name in it, and every reader who is signed in sees their own."""
    start_cup(used)
    path = "/tournaments/cup/crosstable"
    red, blue = (sign_in(used, name)["Cookie"] for name in ("red", "blue"))
    pages = {shown: read(used, path, shown) for shown in ("", red, "", blue, red)}
    public = read(used, path)
    assert '<a href="/sign-in">' in public.text
    assert public.headers["cache-control"] == "no-cache"
    assert public.text == pages[""].text
    for shown, name in ((red, "red"), (blue, "blue")):
        assert f'<a href="/account">{name}</a>' in pages[shown].text
        assert pages[shown].headers["cache-control"] == "no-store"
        assert int(pages[shown].headers["content-length"]) == len(pages[shown].content)


def test_a_page_for_everybody_needs_nobody_signed_in(used: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody can look who is signed in, a page for everybody is shown as to everybody."""

    def busy(*_: object) -> None:
        raise UnavailableError("busy")

    cookie = sign_in(used, "red")["Cookie"]
    monkeypatch.setattr(sessions, "glimpse", busy)
    page = read(used, "/", cookie)
    assert page.status_code == 200
    assert '<a href="/sign-in">' in page.text
