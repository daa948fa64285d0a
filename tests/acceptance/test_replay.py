"""A game in a browser: as it is played, and replayed afterwards by keys, by the slider and by touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.acceptance.bots import thinker
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import PATIENCE, Arena, MakeArena, eventually

pytestmark = [needs_chromium, pytest.mark.long]
NAME = "slow"
BOTS = ("one", "two")
HERE = "tr.here td:first-child"


@pytest.fixture
def arena(make_arena: MakeArena) -> Arena:
    """An arena whose one worker takes nothing yet, and a tournament of a single match that has begun."""
    arena = make_arena(1, ARENA_REGISTER_SECONDS="1")
    with arena.client() as client:
        for name in BOTS:
            client.submit(name, "bot.py", thinker(0.3))
        for name in BOTS:
            assert client.await_check(name, 1).state == "passed"
        (host,) = client.workers()
        client.drain_worker(host.name)
        eventually(lambda: client.worker(host.name).state == "drained")
        plan = {"name": NAME, "game": "reversed_reversi", "params": {"size": 4}, "format": "round_robin"}
        client.create_tournament(plan)
        client.change(NAME, "open")
        for name in BOTS:
            client.enter(NAME, name)
        client.change(NAME, "start")
    return arena


def test_a_game_is_followed_and_replayed(arena: Arena, reader: Reader, browser: Browser) -> None:
    """Moves appear without a page being loaded; each way to go through the plies shows the same position."""
    page = reader.page
    loaded: list[str] = []
    page.on("domcontentloaded", lambda loading: loaded.append(loading.url))
    reader.open(f"/tournaments/{NAME}/matches/1")
    with arena.client() as client:
        (host,) = client.workers()
        client.resume_worker(host.name)
    expect(page.locator("table.steps tbody tr").nth(2)).to_be_visible()
    expect(page.locator("[data-result] .score")).to_be_visible()
    last = int(page.locator("table.steps tbody tr").last.get_attribute("data-ply") or 0)
    expect(page.locator(HERE)).to_have_text(str(last))
    assert len(loaded) == 1
    reader.check()
    _replay(page, last)
    assert len(loaded) == 1
    reader.open(page.url)
    expect(page.locator(HERE)).to_have_text("1")
    _touch(browser, page.url, last)


def _replay(page: Page, last: int) -> None:
    page.keyboard.press("Home")
    expect(page).to_have_url(f"{page.url.partition('?')[0]}?ply=0")
    expect(page.locator(HERE)).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(HERE)).to_have_text("1")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(HERE)).to_have_text(str(min(last, 11)))
    page.keyboard.press("End")
    expect(page.locator(HERE)).to_have_text(str(last))
    page.locator(".replay input").fill("2")
    expect(page.locator(HERE)).to_have_text("2")
    page.locator('tr[data-ply="3"] a').click()
    expect(page.locator(HERE)).to_have_text("3")
    page.locator(".replay select").select_option("10")
    page.keyboard.press("Home")
    page.locator("h1").click()
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(page.locator(HERE)).to_have_text(str(last))
    cell = page.locator("[role=grid] [role=gridcell]").first
    cell.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[role=gridcell]").nth(1)).to_be_focused()
    expect(page.locator(HERE)).to_have_text(str(last))
    page.locator("h1").click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(HERE)).to_have_text("1")


def _touch(browser: Browser, address: str, last: int) -> None:
    """The buttons do by touch what keys do."""
    context = browser.new_context(has_touch=True, viewport=ViewportSize(width=390, height=800))
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto(address)
    page.locator(".replay button").nth(3).tap()
    expect(page.locator(HERE)).to_have_text("2")
    page.locator(".replay button").nth(4).tap()
    expect(page.locator(HERE)).to_have_text(str(last))
    context.close()
