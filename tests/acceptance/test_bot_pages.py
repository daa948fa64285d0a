"""A browser goes from a ladder to a bot, through all its pages, and follows its team."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from arena.local.submission import read_submission
from bots import sdk
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import Arena, MakeArena, eventually

pytestmark = [needs_chromium, pytest.mark.long]

KIT = Path(sdk.__file__).parent / "arena_bot.py"
BOT = """from arena_bot import run


class Fixed:
    def choose(self, request):
        return request.legal[{which}]


run(Fixed())
"""
PLANS: tuple[dict[str, Any], ...] = (
    {"name": "climb", "format": "ladder", "options": {"rounds": 4}},
    {"name": "cup", "format": "double_round_robin"},
)


@pytest.fixture
def arena(make_arena: MakeArena, tmp_path: Path) -> Arena:
    """An arena in which three teams' bots have played a ladder of four rounds and a round robin."""
    arena = make_arena(2)
    bots = ("red", "blue", "green")
    for which, name in zip((0, -1, 0), bots, strict=True):
        _team(arena, tmp_path, name, which)
    with arena.client() as client:
        for plan in PLANS:
            client.create_tournament(plan | {"game": "heap_nim"})
            client.change(plan["name"], "open")
            for bot in bots:
                client.enter(plan["name"], bot)
            client.change(plan["name"], "start")
        for plan in PLANS:
            eventually(lambda plan=plan: client.tournament(plan["name"]).state == "finished")  # type: ignore[misc]
    return arena


def _team(arena: Arena, folder: Path, name: str, which: int) -> None:
    """A team whose bot of its name has passed its check."""
    files = folder / name
    files.mkdir()
    (files / "main.py").write_text(BOT.format(which=which) + f"# {name}\n")
    (files / "arena_bot.py").write_bytes(KIT.read_bytes())
    sent = read_submission(files)
    with arena.client() as staff:
        token = staff.create_user(name, "team").token
    with arena.client(token) as client:
        client.submit(name, sent.filename, sent.data, games=["heap_nim"])
        assert client.await_check(name, 1).state == "passed"


def test_from_a_ladder_to_a_followed_team(arena: Arena, reader: Reader) -> None:
    """A spectator reads the ladder and a bot's five pages; signed in, they follow its team and read of it."""
    reader.open("/tournaments/climb")
    reader.press('nav.tabs a[href="/tournaments/climb/ladder"]')
    assert reader.page.locator("table.standings tbody tr").count() == 3
    assert reader.page.locator("svg.error-bar").count() == 3
    reader.press('th a[href="/tournaments/climb/bots/blue"]')
    reader.press('main a[href="/bots/blue"]')
    assert reader.page.locator(".form .letter").count() >= 6
    for tab, row in (("opponents", "red"), ("tournaments", "cup"), ("ratings", "± "), ("matches", "green")):
        reader.press(f'nav.tabs a[href="/bots/blue/{tab}"]')
        assert row in reader.page.inner_text("main tbody"), tab
    reader.page.select_option('form.filter [name="opponent"]', "red")
    reader.page.select_option('form.filter [name="tournament"]', "cup")
    reader.press("form.filter button")
    assert reader.page.locator("main tbody tr").count() == 2
    reader.press("main tbody th a")
    assert reader.page.locator("#board").count() == 1
    reader.open("/bots?game=heap_nim&text=BLU")
    assert reader.page.locator("main tbody tr").count() == 1

    reader.open("/sign-in")
    reader.send('[action="/sign-in/token"]', token=arena.token("green"))
    reader.open("/bots/blue")
    reader.press('form[action="/my/following"] button')
    assert "blue" in reader.page.inner_text("main tbody")
    reader.open("/bots/blue/matches")
    expect(reader.page.locator(".heading form.follow")).to_contain_text("blue")
    expect(reader.page.locator('form.follow[action="/my/following/remove"]')).to_have_count(1)
    reader.open("/my/news")
    reader.press('li.results a[href^="/bots/blue/matches"]')
    reader.open("/my/following")
    reader.press('form[action="/my/following/remove"] button')
    assert reader.page.locator("main tbody").count() == 0
    reader.open("/my/news")
    assert reader.page.locator('li a[href^="/bots/"]').count() == 0
