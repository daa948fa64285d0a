"""A browser freezes a real tournament, another one sees nothing of what follows, and then it is revealed."""

from __future__ import annotations

import httpx2
import pytest
from playwright.sync_api import Browser, ViewportSize

from arena.client.http import ArenaClient
from bots.reference.pack import archive
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import PATIENCE, Arena, MakeArena, eventually

pytestmark = [needs_chromium, pytest.mark.long]
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
PAGES = ("", "/crosstable", "/matches", "/bots/ash", "/balance", "/matches/48")

FROZEN = 'class="notice frozen"'


def test_from_the_freeze_to_the_final_table(make_arena: MakeArena, browser: Browser) -> None:
    """Frozen by a click, nothing is shown to a spectator until the reveal came by keys to the final table."""
    arena = make_arena(1)
    with arena.client() as client:
        _freeze_and_reveal(arena, client, browser)


def _freeze_and_reveal(arena: Arena, client: ArenaClient, browser: Browser) -> None:
    client.create_tournament(PLAN)
    client.change(NAME, "open")
    for bot in BOTS:
        client.submit(bot, "random.zip", archive("random"))
    for bot in BOTS:
        client.await_check(bot, 1)
        client.enter(NAME, bot)
    client.change(NAME, "start")
    eventually(lambda: client.leaderboard(NAME).played >= 4)
    client.change(NAME, "pause")
    context = browser.new_context(viewport=ViewportSize(width=1920, height=1080), locale="en-GB")
    staff = Reader(context.new_page(), arena.state.url)
    staff.open("/sign-in")
    staff.send('[action="/sign-in/token"]', token=arena.folder.admin_token.read_text().strip())
    staff.open(f"/manage/{NAME}/timetable")
    staff.page.click("details.asks summary")
    staff.press('[action$="/timetable/freeze"] button')
    with httpx2.Client(base_url=arena.state.url, timeout=PATIENCE) as spectator:
        before = [spectator.get(f"/tournaments/{NAME}{page}").text for page in PAGES]
        assert all(FROZEN in page for page in before)
        client.change(NAME, "resume")
        eventually(lambda: client.tournament(NAME).state == "finished")
        assert [spectator.get(f"/tournaments/{NAME}{page}").text for page in PAGES] == before
        staff.open(f"/manage/{NAME}/reveal")
        for _ in BOTS[1:]:
            with staff.page.expect_navigation():
                staff.page.keyboard.press("ArrowRight")
            staff.check()
            rows = staff.page.eval_on_selector_all(
                "table.reveal tr", "rows => rows.map(row => getComputedStyle(row).display)"
            )
            assert {*rows} == {"table-row"}
        with staff.page.expect_navigation():
            staff.page.keyboard.press("ArrowLeft")
        staff.press(".presses form:last-child button")
        assert [spectator.get(f"/tournaments/{NAME}{page}").text for page in PAGES] == before
        staff.press(".presses form:last-child button")
        assert FROZEN not in spectator.get(f"/tournaments/{NAME}").text
    final = [line.bot for line in client.leaderboard(NAME).items]
    assert client.leaderboard(NAME).played == client.leaderboard(NAME).matches
    assert staff.page.locator("table.reveal tbody th").all_inner_texts() == final
    assert (staff.foreign, staff.complaints) == ([], [])
    context.close()
