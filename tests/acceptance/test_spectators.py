"""A spectator's browser at a running tournament: results come in by themselves, and nothing else moves."""

from __future__ import annotations

import pytest
from playwright.sync_api import APIResponse, Browser, Route, ViewportSize, expect

from arena.client.http import ArenaClient
from bots.reference.pack import archive
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import PATIENCE, Arena, MakeArena, eventually

pytestmark = [pytest.mark.long, needs_chromium]
NAME = "cup"
BOTS = ("ash", "birch", "cedar", "date")
PLAN = {
    "name": NAME,
    "game": "reversed_reversi",
    "params": {"size": 6},
    "format": "double_round_robin",
    "openings": 2,
    "opening_plies": 4,
    "seed": 5,
}
LOW = ViewportSize(width=1366, height=300)
"""So low that the projector's page has not room for all lines."""
NARROW = ViewportSize(width=420, height=300)
"""So narrow that a leaderboard is scrolled sideways."""
LINK = 'tr#entry-4 th a[href="/tournaments/cup/bots/date"]'
LOOKED_AT = """() => ({
  mark: window.mark,
  focused: document.activeElement.textContent,
  scrolled: scrollY,
  sideways: document.querySelector(".scroll").scrollLeft,
  selected: getSelection().toString(),
})"""

HEARD = """() => {
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (kind, act) {
    listen.call(this, kind, (event) => {
      act(event);
      if (kind === "progress") window.heard = JSON.parse(event.data).state;
    });
  };
}"""
"""Has a page tell what its stream has told it of the tournament's state."""


def test_results_come_in_while_a_spectator_reads(make_arena: MakeArena, browser: Browser) -> None:
    """All results appear on the tournament's page and the projector; focus, selection and scroll survive."""
    arena = make_arena(1)
    with arena.client() as client:
        _begin(client)
        _follow(arena, client, browser)


def _begin(client: ArenaClient) -> None:
    client.create_tournament(PLAN)
    client.change(NAME, "open")
    for bot in BOTS:
        client.submit(bot, "random.zip", archive("random"))
    for bot in BOTS:
        client.await_check(bot, 1)
        client.enter(NAME, bot)
    client.change(NAME, "start")
    eventually(lambda: client.leaderboard(NAME).played >= 2)
    client.change(NAME, "pause")


def _follow(arena: Arena, client: ArenaClient, browser: Browser) -> None:
    context = browser.new_context(viewport=LOW, locale="en-GB")
    context.set_default_timeout(PATIENCE * 1000)
    reader, projector = (Reader(context.new_page(), arena.state.url) for _ in range(2))
    reader.open(f"/tournaments/{NAME}")
    projector.open(f"/tournaments/{NAME}/present")
    page = reader.page
    page.set_viewport_size(NARROW)
    page.evaluate("window.mark = 'the same document'")
    page.focus(LINK)
    page.evaluate("document.querySelector('.scroll').scrollLeft = 30; scrollTo(0, 150)")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
    before = page.evaluate(LOOKED_AT)
    assert (before["focused"], before["scrolled"], before["sideways"]) == ("date", 150, 30)
    assert NAME in before["selected"]
    _pages(projector)

    client.change(NAME, "resume")
    eventually(lambda: client.tournament(NAME).state == "finished")
    page.wait_for_selector(".podium")
    assert page.evaluate(LOOKED_AT) == before
    shown = {row["bot"]: row["points"] for row in _table(client)}
    for each in (reader, projector):
        each.page.wait_for_selector(".state.finished")
        expect(each.page.locator(".progress progress")).to_have_js_property("value", 48)
        rows = each.page.locator("table.standings tbody tr").evaluate_all(
            "rows => rows.map(row => [row.querySelector('th').firstChild.textContent.trim(),"
            " Number(row.querySelector('.points').textContent)])"
        )
        assert dict(rows) == shown
        assert [bot for bot, _ in rows] == [*shown]
        each.check()
    assert projector.page.evaluate("window.mark") == "the same document"
    context.close()
    for each in (reader, projector):
        assert (each.foreign, each.complaints) == ([], [])


def test_what_is_told_while_a_page_is_read_again_is_not_missed(
    make_arena: MakeArena, browser: Browser
) -> None:
    """The last results come while an older state of the page is under way, and appear all the same."""
    arena = make_arena(1)
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    with arena.client() as client:
        _begin(client)
        page.add_init_script(f"({HEARD})()")
        page.goto(f"{arena.state.url}/tournaments/{NAME}")
        eventually(lambda: page.evaluate("window.heard") == "paused")
        held: list[tuple[Route, APIResponse]] = []
        page.route(
            lambda url: url.endswith(f"/{NAME}"), lambda route: held.append((route, route.fetch())), times=1
        )
        client.change(NAME, "resume")
        eventually(lambda: page.evaluate("window.heard") == "finished")
        ((route, older),) = held
        assert client.tournament(NAME).state == "finished"
        route.fulfill(response=older)
        page.wait_for_selector(".state.finished")
    context.close()


def _table(client: ArenaClient) -> list[dict[str, object]]:
    return [line.model_dump() for line in client.leaderboard(NAME).items]


def _pages(projector: Reader) -> None:
    """Steps through the standings by keys, all of which are shown once, without any scrolling."""
    page = projector.page
    page.evaluate("window.mark = 'the same document'")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.keyboard.press("Space")
    assert page.inner_text("[data-pause]") == "Go on"
    lines = "[...document.querySelectorAll('[data-paged] tbody tr:not([hidden]) th')]"
    visible = f"{lines}.map(each => each.innerText)"
    first = page.evaluate(visible)
    assert 0 < len(first) < len(BOTS)
    seen = [*first]
    while len(seen) < len(BOTS):
        page.keyboard.press("ArrowRight")
        seen += page.evaluate(visible)
    assert sorted(seen) == sorted(BOTS)
    page.keyboard.press("ArrowRight")
    assert page.evaluate(visible) == first
