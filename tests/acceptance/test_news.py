"""Browsers of two students and a teacher: a question, an answer to all, and how others come to know of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import feedparser
import httpx2
import pytest
from playwright.sync_api import Browser

from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import PATIENCE, Arena, MakeArena

pytestmark = [needs_chromium, pytest.mark.long]

PRETENDED = """
window.Notification = class {
  static permission = "PERMISSION";
  static async requestPermission() { return Notification.permission; }
  constructor(title) { sessionStorage.told = (sessionStorage.told ?? "") + title + "\\n"; }
  addEventListener() {}
  close() {}
};
"""
"""A browser's notifications, which nobody sees in one without a screen; what they said is kept."""

Others = Callable[..., Reader]


@pytest.fixture
def arena(make_arena: MakeArena) -> Arena:
    """An arena with a class of two teams that a teacher runs, and a tournament that is open to it."""
    arena = make_arena(0)
    with arena.client() as client:
        client.create_class("7a")
        client.create_user("teacher", "organiser")
        client.add_organiser("7a", "teacher")
        for team in ("green", "blue"):
            client.create_user(team, "team", "7a")
        client.create_tournament({"name": "cup", "game": "heap_nim", "class_name": "7a"})
        client.change("cup", "open")
    return arena


@pytest.fixture
def others(browser: Browser, arena: Arena) -> Iterator[Others]:
    """Opens browsers of others, who are signed in."""
    opened: list[Reader] = []

    def open_(who: str, permission: str = "granted") -> Reader:
        context = browser.new_context(locale="en-GB")
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(PRETENDED.replace("PERMISSION", permission))
        other = Reader(context.new_page(), arena.state.url)
        _sign_in(other, arena, who)
        opened.append(other)
        return other

    yield open_
    for each in opened:
        each.page.context.close()
        assert (each.foreign, each.complaints) == ([], [])


def _sign_in(reader: Reader, arena: Arena, who: str) -> None:
    reader.open("/sign-in")
    reader.send('[action="/sign-in/token"]', token=arena.token(who))


def test_a_question_answered_to_all_reaches_another_team(
    arena: Arena, reader: Reader, others: Others
) -> None:
    """A student asks, the teacher answers to all, and another one sees the count, the news and a notice."""
    blue = others("blue")
    blue.open("/my/news")
    blue.page.click("[data-notify] button")
    blue.page.wait_for_function("() => sessionStorage.told?.includes('Bot Arena')")
    blue.page.wait_for_selector("header .count", state="hidden")  # what stands before one's eyes is seen
    blue.check()

    _sign_in(reader, arena, "green")
    reader.open("/my")
    reader.press('nav.tabs a[href="/my/questions"]')
    reader.page.select_option('[name="tournament"]', "cup")
    reader.send('form[action="/my/questions"]', text="When is round 3?\n<b>第三輪</b>?")
    assert "<b>第三輪</b>" in reader.page.inner_text("#question-1 .said")

    teacher = others("teacher")
    teacher.open("/manage")
    teacher.press('tbody a[href="/manage/cup/questions"]')
    teacher.page.fill('#question-1 [name="text"]', "At two.\nIn the hall.")
    teacher.page.check('#question-1 [value="all"]')
    teacher.press('#question-1 form[action="/questions/1/answer"] button')
    assert teacher.page.locator("#question-1 .answer").count() == 1

    blue.page.wait_for_selector("li.answer.new")  # by itself
    assert "In the hall." in blue.page.inner_text("li.answer.new")
    blue.check()
    reader.open("/")
    assert reader.page.inner_text("header [data-count]").strip() == "2"  # that entries are open is one
    reader.press("header a[data-unread]")
    reader.page.wait_for_selector("header .count", state="hidden")
    reader.press("li.answer.new a")
    assert "At two." in reader.page.inner_text("#question-1")

    teacher.open("/manage/cup")
    teacher.page.click("#announcements + details summary")
    teacher.check()
    blue.open("/bots")  # where news are listed, they would be taken for seen
    teacher.send('form[action="/manage/cup/announcements"]', text="Lunch is at twelve.")
    blue.page.wait_for_function("() => sessionStorage.told.includes('cup: announcement')")
    blue.open("/tournaments/cup")
    assert "Lunch is at twelve." in blue.page.inner_text("main")
    blue.press('nav.tabs a[href="/tournaments/cup/announcements"]')
    assert "When is round 3?" in blue.page.inner_text("main")


def test_a_feed_and_a_browser_that_may_not_notify(arena: Arena, others: Others) -> None:
    """Whoever has told the browser to be silent reads why; a feed's address is made and revoked by clicks."""
    green = others("green", permission="denied")
    green.open("/my/news")
    green.page.wait_for_selector("header .count", state="hidden")
    assert not green.page.is_visible("[data-notify] button")
    assert "no notifications of the arena" in green.page.inner_text("[data-notify-told]")
    green.press('a[href="/account#feed"]')
    green.press('form[action="/account/feeds"] button')
    address = green.page.inner_text("#feed ~ .notice code")
    parsed = feedparser.parse(httpx2.get(address, timeout=PATIENCE).content)
    assert (parsed.bozo, [each.title for each in parsed.entries]) == (0, ["cup: entries are open"])
    green.open("/account")
    green.press('#feed ~ ul form[action$="/revoke"] button')
    assert httpx2.get(address, timeout=PATIENCE).status_code == 404
    arena.command("announce", "hello")
    green.open("/")
    assert green.page.inner_text("header [data-count]").strip() == "1"
