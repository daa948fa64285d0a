"""A spectator's browser at the home page of an arena that is empty, then plays, and then has played."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.acceptance.bots import thinker
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import Arena, MakeArena
from tests.waiting import eventually

pytestmark = [needs_chromium, pytest.mark.long]
NAME = "slow"
BOTS = ("one", "two", "three")
FURTHER = """(before) => {
  const now = document.querySelector("[data-now]");
  return !now || (now.querySelector("arena-board").position?.ply ?? 0) > before;
}"""
"""Whether the game that is shown as it is played is further than that, or over."""
DRAWN = "() => (document.querySelector('[data-now] arena-board')?.position?.ply ?? 0) > 0"
WRITTEN = "() => /\\d+\\. [a-d]\\d/.test(document.querySelector('[data-moves]')?.textContent)"
NARROWEST = ViewportSize(width=182, height=400)
PAGES = (
    "/tournaments",
    "/ratings",
    "/games",
    "/games/reversed_reversi",
    "/games/l_game",
    "/?lang=zh-Hant-TW",
)


@pytest.fixture
def arena(make_arena: MakeArena) -> Arena:
    """An arena with one worker, in which nothing was done yet."""
    return make_arena(1)


def test_the_home_page_follows_what_is_played(arena: Arena, reader: Reader) -> None:
    """Without being loaded again it tells of a tournament, shows a game's moves, and at the end who won.

    The projector draws the game by its moves, too.

    What it tells fits where a page is magnified seven times.
    """
    page = reader.page
    loaded: list[str] = []
    page.on("domcontentloaded", lambda loading: loaded.append(loading.url))
    reader.open("/")
    expect(page.locator("#first-steps")).to_be_visible()
    _begin(arena)
    expect(page.locator(f"#on-{NAME}")).to_be_visible()
    projector = page.context.new_page()
    projector.goto(f"{arena.state.url}/tournaments/{NAME}/present")
    _follow(page)
    projector.wait_for_function(DRAWN)
    projector.close()
    reader.check()
    expect(page.locator(f"#finished-{NAME} .places li").first).to_be_visible()
    expect(page.locator(f"#game-{NAME}-3")).to_be_visible()
    expect(page.locator(f"#on-{NAME}")).to_have_count(0)
    assert len(loaded) == 1
    reader.check()
    eventually(lambda: _bots_at(reader, "/", "[data-tops]"))
    eventually(lambda: _bots_at(reader, "/ratings", ".tops") == len(BOTS))
    for path in PAGES:
        reader.open(path)
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant-TW")
    expect(page.locator("h1")).to_contain_text("大家觀戰")
    page.set_viewport_size(NARROWEST)
    for path in ("/", f"/tournaments/{NAME}", "/play"):
        reader.open(path)


def _bots_at(reader: Reader, path: str, table: str) -> int:
    """The top bots that a page names, which may be older ones while the next are worked out."""
    reader.open(path)
    return reader.page.locator(f"{table} tbody tr").count()


def _begin(arena: Arena) -> None:
    plan = {"name": NAME, "game": "reversed_reversi", "params": {"size": 4}, "format": "round_robin"}
    with arena.client() as client:
        for name in BOTS:
            client.submit(name, "bot.py", thinker(0.5))
        client.create_tournament(plan)
        client.change(NAME, "open")
        for name in BOTS:
            assert client.await_check(name, 1).state == "passed"
            client.enter(NAME, name)
        client.change(NAME, "start")


def _follow(page: Page) -> None:
    """A game is seen ply by ply, on its board and in a line of moves."""
    page.wait_for_function(WRITTEN)
    page.wait_for_function(FURTHER, arg=0)
    page.wait_for_function(FURTHER, arg=2)
