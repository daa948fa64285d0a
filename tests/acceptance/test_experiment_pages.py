"""An experiment in a browser: asked for, watched until it is over, and read beside the document."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import Arena, MakeArena

pytestmark = [needs_chromium, pytest.mark.long]
EACH = {
    "game": "circle_nim",
    "params": {"rows": "{rows}"},
    "first": "algo1:100",
    "second": "random",
    "games": 300,
}
DONE = re.compile(r"500,000\D+500,000")


@pytest.fixture
def arena(make_arena: MakeArena) -> Arena:
    """An arena with one worker."""
    return make_arena(1)


def test_an_experiment_is_watched_to_its_end(arena: Arena, reader: Reader) -> None:
    """The form sends it; chart, numbers and state become true by themselves, without a page load."""
    page = reader.page
    reader.open("/experiments")
    reader.open("/sign-in")
    reader.send('[action="/sign-in/token"]', token=arena.folder.admin_token.read_text().strip())
    reader.open("/experiments/new?game=circle_nim&params=rows%3D3&first=algo3:100&second=random&games=500000")
    reader.press("form.ask button")
    page.evaluate("window.mark = 'the same document'")
    expect(page.locator(".progress")).to_contain_text(DONE)
    expect(page.locator("svg.chart polyline")).to_have_count(1)
    expect(page.locator('a[href="/reproduction/circle_nim#table-11"]')).to_be_visible()
    expect(page.locator("details.act")).to_have_count(0)
    assert page.evaluate("window.mark") == "the same document"
    assert page.evaluate("document.querySelector('meta[name=live]').content") == ""
    page.locator("section details summary").first.click()
    expect(page.locator("section details td").first).to_be_visible()
    reader.check()
    reader.press('a[href="/reproduction/circle_nim#table-11"]')
    program = "/play/circle_nim?opponent=@algo3_vs_hum:10000"
    expect(page.locator("#says-figure-14 a")).to_have_attribute("href", program)
    assert "arena reproduce" in page.inner_text(".notice")
    arena.command("reproduce", "--document", "nim", "--publish")
    reader.open("/reproduction")
    reader.press('th a[href="/reproduction/nim"]')
    for summary in page.locator("section details summary").all():
        summary.click()
    reader.check()
    reader.open("/experiments/grid")
    page.fill("textarea", json.dumps({"name": "few", "vary": {"rows": [3, 4]}, "each": EACH}))
    reader.press("main form button")
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator(".progress")).to_contain_text(re.compile(r"600\D+600"))
    expect(page.locator("h1 + .state.finished")).to_be_visible()
    reader.check()
    reader.open("/sweeps")
    reader.open("/experiments")


def test_a_solve_is_watched_to_its_end(arena: Arena, reader: Reader) -> None:
    """From the list to its page, which changes by itself until the value and the proof are there."""
    page = reader.page
    position = {"board": ["..X.", ".XX.", ".OX.", "...."], "to_move": "O"}
    with arena.client() as client:
        client.create_solve({"game": "reversed_reversi", "params": {"size": 4}, "position": position})
    reader.open("/experiments")
    reader.press('main a[href="/solves"]')
    reader.check()
    reader.press('a[href="/solves/1"]')
    expect(page.locator("h1 + .state.finished")).to_be_visible()
    expect(page.locator(".figure strong")).to_have_text("3")
    expect(page.locator("figure arena-board")).to_be_visible()
    expect(page.locator('a[href="/solves/1/proof"]')).to_be_visible()
    reader.check()
