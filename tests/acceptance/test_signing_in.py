"""A browser goes from a join code to a password, out and in again."""

from __future__ import annotations

import datetime as dt

import pytest
from playwright.sync_api import Route, expect

from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import Arena, MakeArena

PASSWORD = "blue horse 7 lamps"

pytestmark = [needs_chromium, pytest.mark.long]


@pytest.fixture(scope="module")
def arena(make_shared: MakeArena) -> Arena:
    """An arena with two classes, in one of which is somebody, and their organiser."""
    arena = make_shared(0)
    with arena.client() as client:
        client.create_user("ms-lin", "organiser")
        for name in ("7a", "8b"):
            client.create_class(name)
            client.add_organiser(name, "ms-lin")
        client.create_user("blue", "team", "8b")
    return arena


def test_from_a_join_code_to_a_password_and_back(arena: Arena, reader: Reader) -> None:
    """With a code, a name and a team one is in; a password chosen then signs in again, in a new session."""
    code = arena.json("class", "code", "7a", "--uses", "2")["text"]
    reader.open("/")
    reader.press(".who a")
    reader.press('a[href="/join"]')
    reader.send("main form", code="wrong", name="安妮", team="green")
    assert reader.page.locator('[role="alert"]').is_visible()
    reader.send("main form", code=code, name="安妮", team="green")
    assert reader.page.url.endswith("/account")
    assert "green" in reader.page.inner_text("main")
    reader.send('[action="/account/password"]', password="1234567890")
    assert reader.page.locator('[role="alert"]').is_visible()
    reader.send('[action="/account/password"]', password=PASSWORD)
    reader.send('[action="/account/team/codes"]')
    reader.send('[action="/account/tokens"]', name="laptop")
    assert reader.page.locator("main [role=status] code").inner_text().startswith("arena_")
    reader.press('form[action="/sign-out"] button')
    reader.open("/account")
    assert "/sign-in?next=" in reader.page.url
    reader.send('[action="/sign-in/password"]', name="安妮", password="wrong password")
    assert reader.page.locator('[role="alert"]').is_visible()
    reader.send('[action="/sign-in/password"]', name="安妮", password=PASSWORD)
    assert reader.page.url.endswith("/account")
    assert reader.page.locator('section[aria-labelledby="sessions"] tbody tr').count() == 1
    reader.open("/")
    assert reader.page.inner_text(".who") == "安妮"


def test_a_teacher_makes_codes_and_links_without_a_terminal(arena: Arena, reader: Reader) -> None:
    """A teacher signs in with a token, makes a class and a code, and prints links, of which one signs in."""
    token = arena.json("user", "token", "ms-lin")["token"]
    reader.open("/sign-in?next=/classes")
    reader.send('[action="/sign-in/token"]', token=token)
    reader.send('[action="/classes"]', name="二年一班")
    reader.send("form.filter", uses="5", days="2")
    assert reader.page.locator(".code").count() == 1
    reader.press('a[href="/classes"]')
    reader.press('a[href="/classes/8b"]')
    reader.send('[action="/classes/8b/links"]')
    link = reader.page.locator(".address").inner_text()
    reader.open(link)
    reader.press("main form button")
    assert reader.page.inner_text(".who") == "blue"
    reader.open(link)
    assert reader.page.locator('[role="alert"]').is_visible()


def test_a_form_that_was_stopped_can_be_sent_again(reader: Reader) -> None:
    """A second click at once sends nothing, and one after some seconds sends it again."""
    sent: list[str] = []

    def stop(route: Route) -> None:
        sent.append(route.request.url)
        route.fulfill(status=204)  # the page stays, as when its loading is stopped

    reader.page.clock.install(time=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
    reader.page.route("**/sign-in/token", stop)
    reader.open("/sign-in")
    reader.page.evaluate("import('/static/site.js').then(() => null)")  # which returns when it has run
    reader.page.clock.pause_at(dt.datetime(2026, 1, 2, tzinfo=dt.UTC))
    reader.page.fill('[action="/sign-in/token"] [name="token"]', "wrong")
    form = reader.page.locator('[action="/sign-in/token"]')
    for _ in range(2):
        with reader.page.expect_request("**/sign-in/token"):
            form.evaluate("form => form.requestSubmit()")
        form.evaluate("form => form.requestSubmit()")
        reader.page.clock.run_for(10_000)
    assert len(sent) == 2


def test_what_is_typed_outlives_a_session(arena: Arena, reader: Reader) -> None:
    """A form that is sent too late is as it was typed once its user is back, and for nobody else."""
    token = arena.json("user", "token", "ms-lin")["token"]
    other = arena.json("user", "token", "blue")["token"]

    def sent_in_vain(title: str, by: str) -> None:
        reader.visit("/sign-in?next=/manage/new")
        reader.send('[action="/sign-in/token"]', token=token)
        reader.page.evaluate("import('/static/site.js').then(() => null)")
        reader.page.fill('#plan [name="title"]', title)
        reader.page.uncheck('#plan [name="open"]')
        reader.page.context.clear_cookies()
        reader.send("#plan")
        assert "/sign-in?next=/manage/new" in reader.page.url
        reader.send('[action="/sign-in/token"]', token="wrong")
        reader.send('[action="/sign-in/token"]', token=by)

    sent_in_vain("二年一班春季賽", token)
    expect(reader.page.locator('#plan [name="title"]')).to_have_value("二年一班春季賽")
    expect(reader.page.locator('#plan [name="open"]')).not_to_be_checked()
    expect(reader.page.locator("main [role=status]").first).to_contain_text("您填的內容還在這裡")
    reader.send("#plan")
    assert reader.page.url.split("/")[-2] == "manage"
    assert reader.page.evaluate("sessionStorage.getItem('arena-unsent')") is None
    sent_in_vain("秘密", other)
    reader.visit("/manage/new")
    assert "秘密" not in reader.page.content()
    assert reader.page.evaluate("sessionStorage.getItem('arena-unsent')") is None
