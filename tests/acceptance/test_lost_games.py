"""In a browser from a lost match to its cause, for four causes; and a game that is taken along."""

from __future__ import annotations

import re
import shlex
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.local.submission import read_submission
from bots import sdk
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import PATIENCE, Arena, MakeArena, eventually

pytestmark = [needs_chromium, pytest.mark.long]
KIT = Path(sdk.__file__).parent / "arena_bot.py"
BOT = """import time
from arena_bot import run


class Bot:
    def choose(self, request):
        print("log of {name}", flush=True)
        if len(request.state["board"]) == 4 and len(request.history) > 3:
            {act}
        return request.legal[0], "note of {name}"


run(Bot())
"""
ACTS = {
    "late": "time.sleep(3600)",
    "broken": "raise ValueError('</script><script>alert(1)</script>')",
    "illegal": "return 'zz'",
    "sound": "pass",
}
"""What the bots of a team do in the tournament, on its small board, and not in the checks before it."""
SAID = {
    "late": r"5\.\d+ s.*5\.000 s",
    "broken": r"ValueError: </script>.*main\.py:9",
    "illegal": "“zz”|「zz」",
    "sound": r"rival",
}

PLAN: dict[str, Any] = {
    "name": "cup",
    "game": "reversed_reversi",
    "params": {"size": 4},
    "format": "gauntlet",
    "heroes": ["rival"],
    "options": {"cycles": 2},
    "time": {"move_ms": 5000, "extensions": 0},
}


@pytest.fixture
def arena(make_arena: MakeArena, tmp_path: Path) -> Arena:
    """An arena with a tournament in which the four bots of the team `green` have met the staff's `rival`."""
    arena = make_arena(1)
    with arena.client() as staff:
        tokens = {"green": staff.create_user("green", "team").token, "rival": None}
    for name, act in ACTS.items() | {("rival", "pass")}:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "main.py").write_text(BOT.format(name=name, act=act))
        shutil.copy(KIT, folder)
        sent = read_submission(folder)
        with arena.client(tokens["green"] if name != "rival" else None) as client:
            client.submit(name, sent.filename, sent.data, games=["reversed_reversi"])
            assert client.await_check(name, 1, patience=PATIENCE).state == "passed"
    (tmp_path / "token").write_text(str(tokens["green"]))
    with arena.client() as client:
        client.create_tournament(PLAN)
        client.change("cup", "open")
        for name in ("rival", *ACTS):
            client.enter("cup", name)
        client.change("cup", "start")
        eventually(lambda: client.tournament("cup").state == "finished")
    return arena


def test_from_a_lost_match_to_its_cause_and_away_with_it(
    arena: Arena, reader: Reader, browser: Browser, tmp_path: Path
) -> None:
    """Two presses from the team's page lead to the cause; what is downloaded repeats it, or opens alone."""
    page = reader.page
    reader.open("/sign-in")
    reader.send('form[action="/sign-in/token"]', token=(tmp_path / "token").read_text())
    for name in ACTS:
        reader.open("/my")
        reader.press('nav.tabs a[href*="outcome=lost"]')
        reader.press(f'tr:has(td:text-is("{name} ")) a[href^="/my/games/"] >> nth=0')
        _says_why(page, name)
        _moves_on_the_board(page)
    _repeated(arena, page, tmp_path)
    reader.open("/my")
    reader.press("#lost + ul a >> nth=0")
    reader.press('a[href^="/tournaments/cup/matches/"]')
    _opened_alone(browser, page, tmp_path)
    _framed(browser, reader, tmp_path)


def _says_why(page: Page, name: str) -> None:
    why = page.locator(".because")
    expect(why).to_have_count(1)
    assert re.search(SAID[name], why.inner_text()), why.inner_text()
    assert (page.locator(".moves-listed li").count() > 0) == (name != "sound")
    assert f"log of {name}" in page.inner_text(".evidence")
    assert "of rival" not in page.inner_text("main")
    assert (page.locator(".log mark").count() == 1) == (name == "broken")
    assert page.locator(".last-moves li").count() == (6 if name == "sound" else 0)


def _moves_on_the_board(page: Page) -> None:
    """The board stands where it ended, and its slider goes back and forth without a page being loaded."""
    expect(page.locator(".replay")).to_be_visible()
    last = page.locator("table.steps tr.here").get_attribute("data-ply")
    page.keyboard.press("Home")
    expect(page.locator("table.steps tr.here")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator(f'table.steps tr.here[data-ply="{last}"]')).to_be_visible()


def _repeated(arena: Arena, page: Page, tmp_path: Path) -> None:
    """The command, typed where the record and the bot's folder lie, goes through the same answers."""
    with page.expect_download() as downloading:
        page.click("a[download]")
    downloaded = downloading.value
    assert downloaded.suggested_filename in page.inner_text(".again code")
    downloaded.save_as(arena.folder.root.parent / downloaded.suggested_filename)
    assert arena.folder.root.parent == tmp_path
    told = arena.command(*shlex.split(page.inner_text(".again code"))[1:]).stdout
    assert told.count("(as recorded)") == told.count("\nply ") > 3


def _opened_alone(browser: Browser, page: Page, tmp_path: Path) -> None:
    """The file of one game is opened from the disk, asks for nothing, and is replayed by slider and keys."""
    with page.expect_download() as downloading:
        page.click('a[download$=".html"]')
    file = tmp_path / "game.html"
    downloading.value.save_as(file)
    assert "log of" not in file.read_text()
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 800})
    context.set_default_timeout(PATIENCE * 1000)
    alone = Reader(context.new_page(), file.as_uri())
    alone.page.goto(file.as_uri())
    slider = alone.page.locator(".replay input")
    expect(slider).to_be_visible()
    alone.check()
    alone.page.keyboard.press("Home")
    alone.page.keyboard.press("ArrowRight")
    expect(alone.page).to_have_url(f"{file.as_uri()}#ply=1")
    slider.fill("2")
    expect(alone.page.locator('tr.here[data-ply="2"]')).to_be_visible()
    alone.page.goto("about:blank")
    alone.page.goto(f"{file.as_uri()}#ply=3")
    expect(alone.page.locator('tr.here[data-ply="3"]')).to_be_visible()
    assert alone.complaints == []
    assert [each for each in alone.foreign if not each.startswith(f"{file.as_uri()}")] in (
        [],
        ["about:blank"],
    )
    context.close()


def _framed(browser: Browser, reader: Reader, tmp_path: Path) -> None:
    """The text to be copied shows the game on a page from elsewhere; the page that has it is not shown."""
    reader.page.click("details summary")
    text = reader.page.inner_text("code[data-origin]")
    address = reader.page.url.partition("?")[0]
    course = tmp_path / "course"
    course.mkdir()
    (course / "index.html").write_text(
        f"<!doctype html><title>Course</title>{text}<iframe src='{address}'></iframe>"
    )
    with _served(course) as elsewhere:
        _looked_at(browser, elsewhere)


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The address of a site of somebody else's."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def _looked_at(browser: Browser, elsewhere: str) -> None:
    context = browser.new_context(viewport={"width": 800, "height": 900})
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    with page.expect_console_message(lambda told: "frame-ancestors" in told.text):
        page.goto(elsewhere)
    frame = page.frame_locator("iframe").first
    expect(frame.locator(".replay")).to_be_visible()
    frame.locator(".replay button").first.click()
    expect(frame.locator(".replay input")).to_have_value("0")
    expect(page.frame_locator("iframe").nth(1).locator("main")).to_have_count(0)
    context.close()
