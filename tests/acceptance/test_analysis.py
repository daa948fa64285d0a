"""A finished game is analysed in a browser: which moves were bad, and what was better."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import Arena, MakeArena
from tests.waiting import eventually

pytestmark = [needs_chromium, pytest.mark.long]
NAME = "nim"
GAME = f"/tournaments/{NAME}/matches/1"
HERE = "tr.here td:first-child"


@pytest.fixture
def arena(make_arena: MakeArena) -> Arena:
    """An arena that has played a tournament of two bots that draw lots at a game that is solved."""
    arena = make_arena(1)
    bots = ("--reference", "@random", "--reference", "@greedy")
    arena.command("tournament", "create", NAME, "--game", "heap_nim", "--seed", "1", *bots, "--open")
    with arena.client() as client:
        eventually(lambda: client.tournament(NAME).entries == 2)
    arena.command("tournament", "start", NAME)
    arena.command("tournament", "watch", NAME)
    return arena


def _drain(arena: Arena, act: str) -> None:
    (host,) = arena.json("worker", "list")["workers"]
    arena.command("worker", act, host["name"])


def test_a_game_is_analysed(arena: Arena, reader: Reader, browser: Browser) -> None:
    """The page waits, shows the values without being loaded again, and leads to a better move each way."""
    page = reader.page
    reader.open("/sign-in")
    reader.send('form[action="/sign-in/token"]', token=arena.folder.admin_token.read_text().strip())
    _drain(arena, "drain")
    reader.open(GAME)
    reader.press(f'form[action="/my/games/{NAME}/1/analysis"] button')
    expect(page.locator("[data-waiting]")).to_be_visible()
    loaded: list[str] = []
    page.on("domcontentloaded", lambda loading: loaded.append(loading.url))
    _drain(arena, "resume")
    expect(page.locator("svg.values")).to_be_visible()
    reader.check()
    with arena.client() as client:
        told: dict[str, Any] = client._http.get(f"/tournaments/{NAME}/matches/1/analysis").json()
    bad = next(each for each in told["positions"] if (each["judgement"] or {}).get("after") == "lost")
    before = next(each for each in told["positions"] if each["ply"] == bad["ply"] - 1)
    page.locator(f'tr[data-ply="{bad["ply"]}"] .remark a').click()
    expect(page.locator(HERE)).to_have_text(str(before["ply"])) if before["ply"] else None
    expect(page.locator("arena-board .better")).to_have_count(len(before["best"][0]["places"]))
    expect(page.locator('[data-worth]:not([hidden]) a[aria-current="true"]')).to_have_text(
        before["best"][0]["move"]
    )
    reader.check()
    page.keyboard.press("End")
    expect(page.locator("arena-board .better")).to_have_count(0)
    expect(page.locator("[data-worth]:not([hidden])")).to_have_attribute("data-worth", str(told["plies"]))
    assert loaded == []
    _analyse_a_private_game(arena, reader)
    _without_scripts(browser, page.url.partition("?")[0], before)


def _analyse_a_private_game(arena: Arena, reader: Reader) -> None:
    """Of two people at one screen: nothing but its replay tells how far it is, and shows it in the end."""
    page, match = reader.page, reader.page.url
    _drain(arena, "drain")
    with arena.client() as client:
        wish = {"game": "heap_nim", "params": {"heaps": [1, 1, 2]}, "seats": [None, None]}
        game = f"/play/games/{client._http.post('/play/games', json=wish).json()['address']}"
        for ply, move in enumerate(("1:1", "2:1", "3:2")):
            client._http.post(f"{game}/moves", json={"move": move, "ply": ply}).raise_for_status()
    reader.open(f"{game}/replay")
    reader.press(f'form[action="{game}/analysis"] button')
    expect(page.locator('[data-waiting=""]')).to_be_visible()
    _drain(arena, "resume")
    expect(page.locator("svg.values")).to_be_visible()
    reader.check()
    page.goto(match)


def _without_scripts(browser: Browser, url: str, before: dict[str, Any]) -> None:
    """Links do the same, for who is not signed in."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{url}?ply={before['ply']}")
    shown = page.locator("[data-worth]:not([hidden])")
    expect(shown).to_have_attribute("data-worth", str(before["ply"]))
    expect(page.locator(".better")).to_have_count(0)
    shown.locator("a").first.click()
    expect(page.locator(".better")).to_have_count(len(before["best"][0]["places"]))
    context.close()
