"""Signing in by a school's provider on the pages: who is sent, who comes back, and what others are told."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field, replace
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from sqlalchemy import func, select, update

from arena.core.clock import utc_now
from arena.people import attempts, classes, identities, users
from arena.people.attempts import Limit
from arena.store.models import Event, Identity, JoinCode, OpenIdRequest, User
from arena.web.http.dependencies import Services
from tests.integration.arena.people.fake_provider import ISSUER, FakeProvider
from tests.integration.arena.roles import CLASS, sign_in
from tests.integration.arena.site import Site

HERE = {"Host": "localhost:8080", "Origin": "http://localhost:8080"}
CALLBACK = "/sign-in/openid/callback"


@dataclass
class School:
    """A site where people of a school sign in, and the provider behind it."""

    site: Site
    provider: FakeProvider

    def set_up(self, **setup: Any) -> None:
        """Have the site use the provider, with other settings if wanted."""
        app: Any = self.site.client.app
        app.state.services = replace(app.state.services, provider=self.provider.provider(**setup))

    @property
    def services(self) -> Services:
        """Those of the site."""
        app: Any = self.site.client.app
        return app.state.services  # type: ignore[no-any-return]  # an application has any state

    def count(self, what: Any) -> int:
        """How many rows of a table there are."""
        with self.site.world.database.reading() as session:
            return session.scalar(select(func.count()).select_from(what)) or 0

    def linked(self, name: str, subject: str = "ann-1") -> None:
        """Let an account at the provider sign somebody in."""
        with self.site.world.database.transaction() as session:
            user = users.get(session, name)
            session.add(
                Identity(user_id=user.id, issuer=ISSUER, subject=subject, label="", created_at=utc_now())
            )

    def class_code(self, uses: int = 5) -> str:
        """A code of the class."""
        world = self.site.world
        with world.database.transaction() as session:
            school_class = classes.get(session, CLASS)
            return classes.make_class_code(session, world.staff, school_class, uses=uses, days=1).text


@dataclass
class Browser:
    """Keeps its cookies, and goes to the provider and back."""

    school: School
    cookies: dict[str, str] = field(default_factory=dict)

    def send(self, path: str, **fields: str) -> Any:
        """Send a form."""
        return self._told("post", path, data=fields)

    def read(self, path: str) -> Any:
        """Read a page."""
        return self._told("get", path)

    def _told(self, method: str, path: str, **more: Any) -> Any:
        client = self.school.site.client
        client.cookies.clear()
        shown = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = HERE | ({"Cookie": shown} if shown else {})
        answer = getattr(client, method)(path, headers=headers, follow_redirects=False, **more)
        for line in answer.headers.get_list("set-cookie"):
            name, value = line.partition(";")[0].split("=", 1)
            self.cookies[name] = value.strip('"')
        return answer

    def go(self, path: str, **fields: str) -> dict[str, str]:
        """Be sent to the provider; with which question."""
        sent = self.send(path, **fields)
        assert sent.status_code == 200, sent.text
        address = sent.headers["Refresh"].removeprefix("0; url=")
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        self.school.provider.nonce = asked["nonce"]
        return asked

    def back(self, asked: dict[str, str], **told: str) -> Any:
        """Come back from the provider."""
        query = {"state": asked["state"], "code": "code", "iss": ISSUER} | told
        return self.read(f"{CALLBACK}?{httpx.QueryParams(query)}")

    def come(self, path: str, **fields: str) -> Any:
        """There and back."""
        return self.back(self.go(path, **fields))


@pytest.fixture
def school(used: Site) -> School:
    """A site with a school's provider."""
    school = School(used, FakeProvider())
    school.set_up()
    return school


@pytest.fixture
def ann(school: School) -> Browser:
    """Somebody's browser."""
    return Browser(school)


def signed_in(school: School, name: str) -> Browser:
    """The browser of somebody who is signed in."""
    cookie = sign_in(school.site, name)["Cookie"]
    return Browser(school, dict([cookie.split("=", 1)]))


def alert(answer: Any) -> str:
    """What a page says of what was wrong."""
    found = re.search(r'<p class="notice" role="alert">([^<]+)</p>', answer.text)
    assert found is not None, answer.text
    return unescape(found[1])


def test_without_a_provider_nothing_shows(used: Site) -> None:
    """No page speaks of one, and its addresses are none."""
    browser = Browser(School(used, FakeProvider()))
    for path in ("/sign-in", "/join"):
        assert "openid" not in browser.read(path).text
    assert browser.send("/sign-in/openid").status_code == 404
    assert browser.send("/join/openid", code="x").status_code == 404
    assert browser.read(f"{CALLBACK}?code=1&state=2").status_code == 404
    browser = signed_in(browser.school, "red")
    assert "School account" not in browser.read("/account").text
    assert browser.send("/account/openid").status_code == 404


@pytest.mark.parametrize(
    ("setup", "host", "usable", "told"),
    [
        ({}, "localhost:8080", True, "Sign in with Sunny School"),
        ({}, "127.0.0.1", True, "Sign in with Sunny School"),
        ({}, "192.168.1.5", False, "by https only"),
        ({"address": "http://localhost:8080"}, "localhost:8080", True, "Sign in with Sunny School"),
        (
            {"address": "https://arena.example"},
            "localhost",
            False,
            'href="https://arena.example/sign-in?next=',
        ),
    ],
)
def test_it_is_offered_where_nobody_reads_along(
    school: School, setup: dict[str, str], host: str, told: str, *, usable: bool
) -> None:
    """By https or on this machine, and at the one address that the provider knows if that is named."""
    school.set_up(**setup)
    here = {"Host": host, "Origin": f"http://{host}"}
    assert told in school.site.client.get("/sign-in", headers=here).text
    sent = school.site.client.post("/sign-in/openid", headers=here)
    assert sent.status_code == (200 if usable else 403)
    if usable:
        assert f"redirect_uri=http%3A%2F%2F{host.replace(':', '%3A')}%2Fsign-in" in sent.headers["Refresh"]


@pytest.mark.parametrize("host", ["local host", "localhost/evil", "evil\\@localhost", "user@localhost", ""])
def test_a_host_that_is_none_is_sent_nowhere(school: School, host: str) -> None:
    """Nothing that is no host goes into the address to come back to."""
    answer = school.site.client.post(
        "/sign-in/openid", headers={"Host": host, "Sec-Fetch-Site": "same-origin"}
    )
    assert "Refresh" not in answer.headers
    assert answer.status_code >= 400


def test_the_database_cannot_finish_what_a_browser_began(school: School, ann: Browser) -> None:
    """It has neither state, nonce nor verifier; what they are made of is in a cookie that no script reads."""
    sent = ann.send("/sign-in/openid")
    cookie = sent.headers["set-cookie"]
    assert re.fullmatch(r"arena-openid=[\w-]{43}; HttpOnly; Max-Age=600; Path=/; SameSite=lax", cookie)
    assert f'href="{sent.headers["Refresh"][7:]}"'.replace("&", "&amp;") in sent.text
    asked = parse_qs(urlsplit(sent.headers["Refresh"]).query)
    with school.site.world.database.reading() as session:
        (row,) = session.execute(select(OpenIdRequest.__table__)).all()
    kept = " ".join(map(str, row))
    for secret in (asked["state"][0], asked["nonce"][0], ann.cookies["arena-openid"]):
        assert secret not in kept
    assert sent.headers["Cache-Control"] == "no-store"
    school.provider.nonce = asked["nonce"][0]
    ann.back({"state": asked["state"][0]})
    verifier = school.provider.forms[0]["code_verifier"]
    assert re.fullmatch(r"[\w-]{43}", verifier)
    assert verifier not in kept
    assert verifier != asked["nonce"][0]


def test_who_is_linked_is_signed_in(school: School, ann: Browser) -> None:
    """In a session that says by what, and on to where they wanted; the log has it."""
    school.linked("red")
    answer = ann.come("/sign-in/openid", onward="/bots?limit=3")
    assert (answer.status_code, answer.headers["location"]) == (303, "/bots?limit=3")
    page = ann.read("/account").text
    assert "by a school account" in page
    assert "not used yet" not in page
    assert ann.cookies["arena-openid"] == ""
    with school.site.world.database.reading() as session:
        data = session.scalars(select(Event.data).where(Event.kind == "user.signed_in")).all()
    assert data[-1] == {"user": "red", "by": "openid"}


@pytest.mark.parametrize(
    "onward",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "x\r\nY: 1"],
)
def test_nobody_is_led_elsewhere(school: School, ann: Browser, onward: str) -> None:
    """Whatever a page is told to go on to, only addresses of the arena's own are gone to."""
    school.linked("red")
    assert ann.come("/sign-in/openid", onward=onward).headers["location"] == "/account"


def test_who_is_not_linked_is_told_what_to_do(school: School, ann: Browser) -> None:
    """By no name and no address at the provider is anybody taken for a user of that name."""
    school.provider.claims = {
        "preferred_username": "red",
        "email": "red@school.example",
        "email_verified": True,
    }
    answer = ann.come("/sign-in/openid")
    assert answer.status_code == 403
    assert "With a code from your teacher" in alert(answer)
    assert ann.read("/account").status_code == 303


def test_an_answer_is_taken_once_by_who_asked_and_in_time(school: School, ann: Browser) -> None:
    """Another browser's try does not use it up; used, too late, or for another provider it is none."""
    school.linked("red")
    asked = ann.go("/sign-in/openid")
    other = Browser(school)
    other.go("/sign-in/openid")
    assert "from another browser" in alert(other.back(asked))
    assert Browser(school).back(asked).status_code == 401
    school.provider.nonce = asked["nonce"]
    assert ann.back(asked).status_code == 303
    assert ann.back(asked).status_code == 401
    ann.cookies["arena-openid"] = "x" * 43
    assert ann.back(asked).status_code == 401
    asked = ann.go("/sign-in/openid")
    with school.site.world.database.transaction() as session:
        session.execute(update(OpenIdRequest).values(expires_at=utc_now() - dt.timedelta(seconds=1)))
    assert ann.back(asked).status_code == 401
    asked = ann.go("/sign-in/openid")
    school.set_up(client_id="another")
    assert ann.back(asked).status_code == 401


def test_a_foreign_token_signs_nobody_in(school: School, ann: Browser) -> None:
    """One that was made for another question of the same reader, as it is replayed."""
    school.linked("red")
    first = ann.go("/sign-in/openid")
    second = ann.go("/sign-in/openid")
    school.provider.nonce = first["nonce"]
    answer = ann.back(second)
    assert answer.status_code == 401
    assert "cannot be believed" in alert(answer)


@pytest.mark.parametrize(
    ("told", "status", "words"),
    [
        ({"code": "", "error": "access_denied"}, 401, "broken off"),
        ({"code": "", "error": "temporarily_unavailable"}, 503, "does not answer"),
        ({"iss": "https://evil.example"}, 401, "cannot be believed"),
    ],
)
@pytest.mark.usefixtures("school")
def test_what_the_provider_says_is_told_in_words(
    ann: Browser, told: dict[str, str], status: int, words: str
) -> None:
    """With the other ways to sign in below, and the place to go on to kept."""
    answer = ann.back(ann.go("/sign-in/openid", onward="/bots"), **told)
    assert answer.status_code == status
    assert words in alert(answer)
    assert 'name="onward" value="/bots"' in answer.text
    assert 'action="/sign-in/password"' in answer.text


def test_failures_slow_down_and_a_provider_s_do_not(
    school: School, ann: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made-up answers are counted as wrong passwords are; that the provider is away counts for nobody."""
    monkeypatch.setattr(attempts, "ADDRESS", Limit(free=3, longest_seconds=60))
    school.linked("red")
    for _ in range(4):
        told = ann.back(ann.go("/sign-in/openid"), code="", error="server_error")
        assert told.status_code == 503
        assert told.headers["Retry-After"] == "5"
    assert ann.come("/sign-in/openid").status_code == 303
    statuses = [ann.read(f"{CALLBACK}?code=1&state=2").status_code for _ in range(4)]
    assert statuses == [401, 401, 401, 429]


def test_no_connection_waits_for_the_provider(school: School, ann: Browser) -> None:
    """Whoever else wants the database has it while the provider thinks."""
    school.linked("red")
    held: list[int] = []
    asked = ann.go("/sign-in/openid")

    def look(_: httpx.Request) -> httpx.Response:
        pool: Any = school.services.database.engine.pool
        held.append(pool.checkedout())
        return httpx.Response(200, json={"id_token": school.provider.id_token(), "access_token": "a"})

    school.provider.answers["/token"] = look
    assert ann.back(asked).status_code == 303
    assert held == [0]


def test_who_joins_by_a_code_needs_no_password(school: School, ann: Browser) -> None:
    """They lead a new team of the class, are signed in by the school from then on, and the code is used."""
    code = school.class_code(uses=1)
    answer = ann.come("/join/openid", code=code.lower(), name="安妮", team="green")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    with school.site.world.database.reading() as session:
        anna = users.get(session, "安妮")
        assert (anna.is_leader, anna.password_hash, anna.role) == (True, None, "team")
        assert anna.class_id == classes.get(session, CLASS).id
        assert session.scalars(select(JoinCode.text).where(JoinCode.uses_left > 0)).all() != [code]
        kinds = session.scalars(select(Event.kind).order_by(Event.id.desc()).limit(3)).all()
    assert kinds == ["user.signed_in", "identity.linked", "user.joined"]
    again = Browser(school)
    assert again.come("/sign-in/openid").status_code == 303


def test_what_is_wrong_with_a_code_is_told_before_anybody_is_sent(school: School, ann: Browser) -> None:
    """And what was typed is there again; trying the names keeps neither a user nor a use of the code."""
    code, before = school.class_code(uses=1), school.count(User)
    for fields in (
        {"code": "AAAAA-22222", "name": "anna", "team": "green"},
        {"code": code, "name": "red", "team": "green"},
        {"code": code, "name": "anna", "team": ""},
    ):
        answer = ann.send("/join/openid", **fields)
        assert answer.status_code in {404, 409, 422}
        assert f'name="name" value="{fields["name"]}"' in answer.text
    asked = ann.go("/join/openid", code=code, name="anna", team="green")
    assert school.count(User) == before
    assert ann.back(asked).status_code == 303
    assert school.count(User) == before + 2


def test_a_code_that_was_used_up_meanwhile_joins_nobody(school: School, ann: Browser) -> None:
    """The form is shown again with what was typed, and the account stays free."""
    code = school.class_code(uses=1)
    asked = ann.go("/join/openid", code=code, name="anna", team="green")
    school.site.client.cookies.clear()
    taken = {"code": code, "name": "bob", "team": "teal"}
    assert (
        school.site.client.post("/join", data=taken, headers=HERE, follow_redirects=False).status_code == 303
    )
    answer = ann.back(asked)
    assert answer.status_code == 404
    assert 'name="team" value="green"' in answer.text
    assert school.count(Identity) == 0


def test_who_has_an_account_does_not_join_a_second_time(school: School, ann: Browser) -> None:
    """The code keeps its use, and the words say that the account signs in somebody."""
    school.linked("red")
    code = school.class_code(uses=1)
    answer = ann.come("/join/openid", code=code, name="anna", team="green")
    assert answer.status_code == 409
    assert "signs in somebody here already" in alert(answer)
    with school.site.world.database.reading() as session:
        assert session.scalar(select(JoinCode.uses_left).where(JoinCode.text == code)) == 1


def test_one_links_and_unlinks_one_s_own(school: School) -> None:
    """Not somebody else's, not a second one, and not away with the last way in."""
    red, blue = signed_in(school, "red"), signed_in(school, "blue")
    assert red.come("/account/openid").status_code == 303
    taken = blue.come("/account/openid")
    assert taken.status_code == 409
    assert "signs in somebody here already" in alert(taken)
    school.provider.claims = {"sub": "red-2"}
    assert red.come("/account/openid").status_code == 409
    (linked,) = school.site.get("/me/identities", "red").json()["items"]
    assert (linked["subject"], linked["issuer"], linked["label"]) == ("ann-1", ISSUER, "ann")
    place = f"/account/openid/{linked['id']}/unlink"
    assert blue.send(place).status_code == 404
    assert school.site.delete(f"/me/identities/{linked['id']}", "blue").status_code == 404
    assert "Nothing else would sign you in" in alert(red.send(place))
    assert red.send("/account/password", password="blue horse 7 lamps").status_code == 303
    assert red.send(place).status_code == 303
    assert school.site.get("/me/identities", "red").json()["items"] == []


def test_only_who_asked_to_link_links(school: School) -> None:
    """Who signs out meanwhile, or as somebody else, links nothing."""
    red = signed_in(school, "red")
    asked = red.go("/account/openid")
    red.cookies |= signed_in(school, "blue").cookies
    assert red.back(asked).status_code == 401
    asked = red.go("/account/openid")
    red.cookies["arena"] = ""
    answer = red.back(asked)
    assert answer.status_code == 401
    assert 'action="/sign-in/password"' in answer.text
    assert school.count(Identity) == 0


def test_the_staff_s_revocation_ends_it(school: School, ann: Browser) -> None:
    """As it does passwords and passkeys, and what was begun to be linked; one's own leaves one's own."""
    school.linked("red")
    assert ann.come("/sign-in/openid").status_code == 303
    red = signed_in(school, "red")
    school.provider.claims = {"sub": "other"}
    asked = red.go("/account/openid")
    school.linked("blue", "blue-1")
    with school.site.world.database.transaction() as session:
        blue = users.get(session, "blue")
        users.revoke_tokens(session, blue, actor=blue)
    assert school.count(Identity) == 2
    assert school.site.delete("/users/red/tokens", "staff").status_code == 200
    assert (school.count(Identity), school.count(OpenIdRequest)) == (1, 0)
    assert ann.read("/account").status_code == 303
    assert red.back(asked).status_code == 401
    school.provider.claims = {}
    assert ann.come("/sign-in/openid").status_code == 403


def test_who_was_let_out_comes_in_no_more_but_may_join_anew(school: School, ann: Browser) -> None:
    """The account of the school is free again for them, by a code."""
    school.linked("red")
    with school.site.world.database.transaction() as session:
        session.execute(update(User).where(User.name == "red").values(left_at=utc_now()))
    assert ann.come("/sign-in/openid").status_code == 403
    joined = ann.come("/join/openid", code=school.class_code(), name="anna", team="green")
    assert joined.status_code == 303
    assert "anna" in ann.read("/account").text


def test_what_the_provider_calls_people_injects_nothing(school: School) -> None:
    """It is text in a page, cut short and alone with its direction."""
    school.provider.claims = {"preferred_username": "<script>alert(1)</script>\u202e"}
    red = signed_in(school, "red")
    assert red.come("/account/openid").status_code == 303
    page = red.read("/account").text
    assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>" in page
    assert "<script>alert" not in page


def test_however_many_are_sent_few_are_kept(
    school: School, ann: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first ones are forgotten, and those that are too old."""
    monkeypatch.setattr(identities, "MOST_REQUESTS", 3)
    for _ in range(5):
        ann.go("/sign-in/openid")
    assert school.count(OpenIdRequest) == 3
    with school.site.world.database.transaction() as session:
        session.execute(update(OpenIdRequest).values(expires_at=utc_now() - dt.timedelta(seconds=1)))
    ann.go("/sign-in/openid")
    assert school.count(OpenIdRequest) == 1


@pytest.mark.parametrize("path", ["/sign-in/openid", "/account/openid", "/join/openid"])
def test_a_provider_that_is_away_is_told_where_one_is(school: School, path: str) -> None:
    """On the page that one came from, with what was typed, and when to come again."""
    browser = signed_in(school, "red")
    school.provider.answers["/.well-known/openid-configuration"] = _away
    fields = {"code": school.class_code(), "name": "anna", "team": "green"} if "join" in path else {}
    answer = browser.send(path, **fields)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "does not answer" in alert(answer)
    assert all(f'value="{value}"' in answer.text for value in fields.values())


def _away(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectTimeout("it takes too long")


def test_the_pages_speak_chinese(school: School) -> None:
    """As the others do."""
    headers = HERE | {"Accept-Language": "zh-TW"}
    assert "以 Sunny School 登入" in school.site.client.get("/sign-in", headers=headers).text
