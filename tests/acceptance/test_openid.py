"""A school's provider in a process of its own signs in pupils of an arena, by programs and in the browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import httpx2
import pytest

from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import PATIENCE, Arena, MakeArena
from tests.acceptance.openid_provider import PASSWORD, School

pytestmark = pytest.mark.long

OWN_PASSWORD = "blue horse 7 lamps"
CALLBACK = "/sign-in/openid/callback"


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    """The school's provider."""
    folder = tmp_path / "school"
    folder.mkdir()
    school = School(folder)
    yield school
    school.close()


@pytest.fixture
def arena(make_arena: MakeArena, school: School) -> Arena:
    """An arena with a class, where people of the school sign in."""
    arena = make_arena(0, **school.settings())
    school.tell(redirect_uri=arena.state.url + CALLBACK)
    arena.command("class", "create", "7a")
    return arena


def code_of(arena: Arena) -> str:
    """A code of the class."""
    return str(arena.json("class", "code", "7a", "--uses", "5")["text"])


class Pupil:
    """Somebody of the school with a program that keeps cookies and follows no redirection by itself."""

    def __init__(self, arena: Arena, name: str) -> None:
        self.name, self.url = name, arena.state.url
        self.http = httpx2.Client(headers={"Accept-Language": "en"}, timeout=PATIENCE)

    def send(self, path: str, **fields: str) -> httpx2.Response:
        """Send a form of the arena's."""
        return self.http.post(self.url + path, data=fields, headers={"Origin": self.url})

    def read(self, path: str) -> httpx2.Response:
        """Read a page of the arena's."""
        return self.http.get(self.url + path)

    def go(self, path: str, **fields: str) -> str:
        """Be sent to the provider by a form, and sign in there; where the provider sends back to."""
        sent = self.send(path, **fields)
        assert sent.status_code == 200, sent.text
        there = self.http.get(sent.headers["Refresh"].partition("url=")[2])
        if there.is_redirect:
            login = urljoin(str(there.url), there.headers["Location"])
            form = self.http.get(login)
            fields = {"username": self.name, "password": PASSWORD} | hidden(form)
            there = self.http.get(urljoin(login, self.http.post(login, data=fields).headers["Location"]))
        agreed = self.http.post(str(there.url), data=hidden(there) | {"allow": "Authorize"})
        return agreed.headers["Location"]

    def come(self, path: str, **fields: str) -> httpx2.Response:
        """The whole way there and back; what the arena answers to that."""
        return self.http.get(self.go(path, **fields))


def hidden(page: httpx2.Response) -> dict[str, str]:
    """What stands in a form without being shown."""
    tags = re.findall(r'<input type="hidden"[^>]*>', page.text)
    found = (re.search(r'name="(\w+)"(?:.* value="([^"]*)")?', tag) for tag in tags)
    return {unescape(each[1]): unescape(each[2] or "") for each in found if each}


@pytest.fixture
def ann(arena: Arena) -> Iterator[Pupil]:
    """A pupil of the school."""
    pupil = Pupil(arena, "ann")
    yield pupil
    pupil.http.close()


@pytest.fixture
def bob(arena: Arena) -> Iterator[Pupil]:
    """Another one."""
    pupil = Pupil(arena, "bob")
    yield pupil
    pupil.http.close()


def test_a_pupil_joins_by_a_code_and_signs_in_by_the_school(
    arena: Arena, school: School, ann: Pupil, bob: Pupil
) -> None:
    """Without a password here, with a new key of the provider too; nobody else does, and revoking ends it."""
    assert ann.come("/sign-in/openid").status_code == 403
    code = code_of(arena)
    joined = ann.come("/join/openid", code=code, name="安妮", team="green")
    assert (joined.status_code, joined.headers["Location"]) == (303, "/account")
    assert ann.send("/sign-out").status_code == 303
    school.tell(new_key=True)
    again = ann.come("/sign-in/openid", onward="/bots?limit=3")
    assert (again.status_code, again.headers["Location"]) == (303, "/bots?limit=3")
    assert "安妮" in ann.read("/account").text
    assert bob.come("/sign-in/openid").status_code == 403
    taken = ann.come("/join/openid", code=code, name="anna", team="red")
    assert taken.status_code == 409
    assert 'value="anna"' in taken.text
    arena.command("user", "revoke", "安妮", "--yes")
    assert ann.read("/account").status_code == 303
    assert ann.come("/sign-in/openid").status_code == 403


def test_an_answer_is_good_once_and_in_one_browser(ann: Pupil, bob: Pupil, arena: Arena) -> None:
    """Not elsewhere, nor a second time; and no such try takes the right one away."""
    back = ann.go("/join/openid", code=code_of(arena), name="安妮", team="green")
    assert bob.http.get(back).status_code == 401
    bob.go("/sign-in/openid")
    assert bob.http.get(back).status_code == 401
    assert ann.http.get(back).status_code == 303
    assert ann.http.get(back).status_code == 401


def test_what_is_linked_is_unlinked_again(ann: Pupil, arena: Arena) -> None:
    """By page or API, but not the last way in; a user with another account of the school has to unlink it."""
    token = arena.json("user", "create", "anna", "--class", "7a")["token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert ann.send("/sign-in/token", token=token).status_code == 303
    assert ann.come("/account/openid").status_code == 303
    api = f"{ann.url}/api/v1/me/identities"
    (linked,) = httpx2.get(api, headers=headers, timeout=PATIENCE).json()["items"]
    assert (linked["label"], linked["used_at"]) == ("ann", None)
    assert ann.send(f"/account/openid/{linked['id']}/unlink").status_code == 409
    assert httpx2.delete(f"{api}/{linked['id']}", headers=headers, timeout=PATIENCE).status_code == 409
    assert ann.send("/account/password", password=OWN_PASSWORD).status_code == 303
    assert ann.send(f"/account/openid/{linked['id']}/unlink").status_code == 303
    assert httpx2.get(api, headers=headers, timeout=PATIENCE).json()["items"] == []
    assert ann.come("/account/openid").status_code == 303
    (linked,) = httpx2.get(api, headers=headers, timeout=PATIENCE).json()["items"]
    assert httpx2.delete(f"{api}/{linked['id']}", headers=headers, timeout=PATIENCE).status_code == 204


def test_passwords_go_on_where_the_provider_does_not(ann: Pupil, arena: Arena, school: School) -> None:
    """The page says that it is away, and goes on with all else; what was typed is there again."""
    school.close()
    page = ann.send("/sign-in/openid", onward="/bots")
    assert (page.status_code, page.headers["Retry-After"]) == (503, "5")
    assert 'value="/bots"' in page.text
    token = arena.json("user", "create", "anna", "--class", "7a")["token"]
    assert ann.send("/sign-in/token", token=token).status_code == 303
    assert ann.send("/account/openid").status_code == 503
    back = ann.read(f"{CALLBACK}?code=1&state=2")
    assert back.status_code == 401


def test_only_whom_the_operator_lets_in(make_arena: MakeArena, school: School) -> None:
    """By a verified address of the school, which the provider tells beside the ID token only."""
    arena = make_arena(0, **school.settings(DOMAINS="school.example"))
    school.tell(redirect_uri=arena.state.url + CALLBACK)
    arena.command("class", "create", "7a")
    code = code_of(arena)
    for name, status in (("ann", 303), ("eve", 403)):
        pupil = Pupil(arena, name)
        assert pupil.come("/join/openid", code=code, name=name, team=f"of-{name}").status_code == status
        pupil.http.close()


def agree(reader: Reader, path: str) -> None:
    """Let the provider tell the arena who one is, and check the page that it leads back to."""
    reader.page.click("[name=allow]")
    reader.page.wait_for_url(re.compile(f"^http://127.0.0.1:[0-9]+{path}([?]|$)"))
    reader.check()


@needs_chromium
def test_the_whole_journey_in_the_browser(arena: Arena, school: School, reader: Reader) -> None:
    """Refused with words, in by a code, out and in by one click, broken off, unlinked and linked again."""
    page = reader.page
    own = '[action="/sign-in/openid"]'
    provider = school.issuer.removesuffix("/o")
    reader.open("/sign-in?next=/account")
    page.route(f"{provider}/**", lambda route: route.fulfill(status=204))  # which leaves the page as it is
    page.click(f"{own} button")
    onward = page.locator('main a[rel="noreferrer"]')
    onward.wait_for()
    reader.check()
    page.unroute(f"{provider}/**")
    onward.click()
    page.fill("[name=username]", "ann")
    page.fill("[name=password]", PASSWORD)
    page.click("button")
    agree(reader, CALLBACK)
    assert page.locator("main > [role=alert]").is_visible()
    reader.press('a[href="/join"]')
    for field, value in (("code", code_of(arena)), ("name", "安妮"), ("team", "green")):
        page.fill(f'main [name="{field}"]', value)
    page.click('[formaction="/join/openid"]')
    agree(reader, "/account")
    assert page.inner_text(".who") == "安妮"
    reader.press('form[action="/sign-out"] button')
    reader.open("/sign-in?next=/bots")
    page.click(f"{own} button")
    page.click("[value=Cancel]")
    page.wait_for_url(f"{arena.state.url}{CALLBACK}*")
    reader.check()
    assert page.locator("main > [role=alert]").is_visible()
    page.click(f"{own} button")
    agree(reader, "/bots")
    reader.open("/account")
    linked = 'section[aria-labelledby="school"]'
    page.click(f"{linked} summary")
    reader.press(f"{linked} details button")
    assert page.locator("main > [role=alert]").is_visible()
    reader.send('[action="/account/password"]', password=OWN_PASSWORD)
    page.click(f"{linked} summary")
    reader.press(f"{linked} details button")
    assert page.locator(f"{linked} li").count() == 0
    page.click(f"{linked} button")
    agree(reader, "/account")
    assert page.locator(f"{linked} li").count() == 1
    assert {url for url in reader.foreign if not url.startswith(provider)} == set()
    reader.foreign.clear()
