"""A teacher runs a tournament in a browser; another organiser is kept out."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from bots.reference.pack import archive
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import Arena, MakeArena, eventually

TITLE = "七年甲班 <b>決賽</b>"

pytestmark = needs_chromium


@pytest.fixture
def arena(make_arena: MakeArena) -> Arena:
    """An arena with a class, its organiser, another one, and two teams that have handed in."""
    arena = make_arena(1)
    with arena.client() as client:
        for name in ("ms-lin", "mr-wu"):
            client.create_user(name, "organiser")
        client.create_class("7a")
        client.add_organiser("7a", "ms-lin")
        for team in ("red", "blue"):
            client.create_user(team, "team", "7a")
            client.submit(team, "random.zip", archive("random"), team, ["heap_nim"])
        for team in ("red", "blue"):
            assert client.await_check(team, 1).state == "passed"
    return arena


def _come(arena: Arena, reader: Reader, name: str) -> None:
    reader.open("/sign-in?next=/manage")
    reader.send('[action="/sign-in/token"]', token=arena.token(name))


def _state(arena: Arena, name: str) -> str:
    with arena.client() as client:
        return client.tournament(name).state


def _forecast(page: Page) -> str:
    """What the forecast says once it has come after a change; the page is not loaded anew."""
    return page.inner_text("#forecast")


def _set_a_date(page: Page) -> None:
    """A date that is typed stands beside the form once the arena has read it."""
    page.fill('[name="close"]', "2100-06-01T08:00")
    expect(page.locator("#forecast #moments")).to_be_visible()


@pytest.mark.long
def test_from_a_roster_to_the_end_of_a_tournament(arena: Arena, reader: Reader, browser: Browser) -> None:
    """A teacher imports a roster, fills the form in, sees the forecast follow, starts, decides.

    Another organiser is told that he may not, and the same form works where no script runs.
    """
    page = reader.page
    _come(arena, reader, "ms-lin")
    reader.press('main a[href="/classes"]')
    reader.press('a[href="/classes/7a"]')
    reader.press('a[href="/classes/7a/roster"]')
    page.fill("textarea", "隊名\nred\n第 三 隊\n")
    reader.press("main form button")
    assert page.locator('[role="alert"] li').count() > 0
    page.fill("textarea", "隊名,姓名\nred,甲\n第三隊,乙\n")
    reader.press("main form button")
    reader.press('form[action$="/roster/import"] button')
    assert page.locator(".sheet li").count() == 2  # of both members, one in a new team
    reader.open("/manage")
    reader.press('a[href="/manage/new"]')
    reader.press('a[href*="template=afternoon"]')
    page.fill('[name="title"]', TITLE)
    before = _forecast(page)
    page.fill('[name="bots"]', "30")
    eventually(lambda: _forecast(page) != before)
    _set_a_date(page)
    page.select_option('[name="game"]', "heap_nim")
    expect(page.locator('[name="param-heaps"]')).to_have_value("3, 4, 5")
    assert page.input_value('[name="title"]') == TITLE
    page.fill('[name="name"]', "finals")
    page.fill('[name="move"]', "")
    reader.check()
    page.fill('[name="move"]', "5")
    reader.press("#plan button:not([formmethod])")
    assert page.url.endswith("/manage/finals")
    assert page.inner_text("h1").startswith(TITLE)
    reader.press('form[action$="/entries/class"] button')
    assert page.locator("section[aria-labelledby=entries] tbody tr").count() == 2
    page.click('section[aria-labelledby="entries"] details >> nth=0')
    reader.check()
    reader.press('form[action$="/start"] button')
    eventually(lambda: _state(arena, "finals") == "finished")
    reader.open("/manage/finals/matches")
    reader.press('tbody a[href$="/matches/1"]')
    page.click('details:has(form[action$="/result"]) summary')
    page.check('[name="winner"][value="first"]')
    page.fill('form[action$="/result"] [name="reason"]', "agreed with both")
    reader.check()
    reader.press('form[action$="/result"] button')
    lines = arena.json("tournament", "log", "finals")["log"]
    assert [line["user"] for line in lines if line["kind"] == "match.decided"] == ["ms-lin"]
    reader.open("/tournaments/finals")
    assert page.inner_text("h1").startswith(TITLE)
    _keep_out(arena, reader)
    _do_without_scripts(arena, browser)


def _keep_out(arena: Arena, reader: Reader) -> None:
    """Another organiser's list is empty, and pages and forms of the tournaments tell him that he may not."""
    with arena.client() as client:
        client.create_tournament({"name": "open", "game": "heap_nim", "class_name": "7a"})
        client.change("open", "open")
    reader.page.context.clear_cookies()
    _come(arena, reader, "mr-wu")
    assert reader.page.locator("tbody tr").count() == 0
    for path in ("/manage/open", "/manage/finals/matches", "/classes/7a"):
        reader.open(path)
        assert "403" in reader.page.title(), path
    reader.open("/manage/new")
    assert reader.page.locator('select[name="class_name"] option').count() == 1
    answer = reader.page.request.post(
        f"{arena.state.url}/manage/open/cancel", headers={"Origin": arena.state.url}
    )
    assert answer.status == 403
    assert _state(arena, "open") == "open"


def _do_without_scripts(arena: Arena, browser: Browser) -> None:
    """Where no script runs the form's fields and the forecast come by a button."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{arena.state.url}/sign-in?next=/manage/new")
    page.fill('[name="token"]', arena.token("ms-lin"))
    page.click('[action="/sign-in/token"] button')
    page.fill('[name="title"]', "Cup")
    page.select_option('[name="format"]', "groups")
    page.fill('[name="bots"]', "8")
    page.click("#plan button[formmethod]")
    assert page.locator('[name="option-groups"]').count() == 1
    assert page.locator("#forecast dl").count() == 1
    page.click("#plan button:not([formmethod])")
    assert page.url.endswith("/manage/cup")
    page.click("details:has(form[action$='/cancel']) summary")
    page.click("form[action$='/cancel'] button")
    assert _state(arena, "cup") == "cancelled"
    context.close()
