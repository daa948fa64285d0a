"""A browser goes from a join code to an entered bot and its lost games."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload

from bots import sdk
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import Arena, MakeArena, eventually

KIT = Path(sdk.__file__).parent / "arena_bot.py"
GOOD = """import sys
from arena_bot import run


class First:
    def choose(self, request):
        print("my log", file=sys.stderr, flush=True)
        return request.legal[0]


run(First())
"""
SILENT = "import sys\nprint('lost my way', file=sys.stderr)\n"

pytestmark = needs_chromium


@pytest.fixture
def arena(make_arena: MakeArena, tmp_path: Path) -> Arena:
    """An arena with a class, a tournament that is open to it, and a bot of the staff's in that."""
    arena = make_arena(1)
    arena.command("class", "create", "7a")
    rival = tmp_path / "rival"
    rival.mkdir()
    (rival / "main.py").write_text(GOOD)
    shutil.copy(KIT, rival)
    arena.command("bot", "submit", str(rival), "--game", "heap_nim", "--wait")
    plan = ("--game", "heap_nim", "--class", "7a", "--format", "double_round_robin", "--time", "5s")
    arena.command("tournament", "create", "cup", *plan, "--open")
    arena.command("tournament", "enter", "cup", "rival")
    return arena


def _choose(reader: Reader, **files: str) -> None:
    """Choose files, by their names before the dot, all of Python."""
    payloads = [
        FilePayload(name=f"{name}.py", mimeType="text/x-python", buffer=text.encode())
        for name, text in files.items()
    ]
    reader.page.set_input_files('form.hand-in input[name="file"]:not([webkitdirectory])', payloads)


def _refused(reader: Reader) -> str:
    reader.page.click("form.hand-in > button")
    reader.page.wait_for_selector("[data-fault]:focus")
    reader.check()
    return reader.page.inner_text("[data-fault]")


def test_from_a_join_code_to_an_entered_bot_and_its_lost_games(arena: Arena, reader: Reader) -> None:
    """A student joins, hands in what is refused, what fails and what passes, enters it, and reads its log."""
    code = arena.json("class", "code", "7a", "--uses", "1")["text"]
    reader.open("/join")
    reader.send("main form", code=code, name="安妮", team="green")
    reader.press('header a[href="/my"]')
    reader.press('main a[href="/my/bots/new"]')

    assert _refused(reader)
    _choose(reader, notes="\0")
    assert "main.py" in _refused(reader)
    _choose(reader, silent=SILENT)
    reader.page.check('[name="game"][value="heap_nim"]')
    reader.page.uncheck('[name="game"][value="reversed_reversi"]')
    reader.press("form.hand-in > button")
    reader.page.wait_for_selector("#stderr")
    assert "lost my way" in reader.page.inner_text("main")
    reader.check()

    reader.press('p.trail a[href="/my/bots/silent"]')
    _choose(reader, main=GOOD, arena_bot=KIT.read_text())
    reader.press("form.hand-in > button")
    reader.page.wait_for_selector("#state .good")
    assert reader.page.locator("#parts + ol .passed").count() == 5
    reader.check()

    with arena.client() as client:
        eventually(lambda: client.tournament("cup").entries == 2)  # which it did by itself
    reader.press('p.trail a[href="/my"]')
    reader.page.click("details.ask summary")
    reader.check()
    reader.press("details.ask form button")
    reader.press('form[action="/my/entries"] button')
    with arena.client() as client:
        client.change("cup", "start")
        eventually(lambda: client.tournament("cup").state == "finished")
    reader.open("/my")
    reader.press(".letter")
    assert "my log" in reader.page.inner_text("main")
    reader.press('p.trail a[href="/my/games"]')
    reader.press('nav.tabs a[href*="lost"]')
    reader.press('nav.tabs a[href*="outcome=&"]')
    reader.press('tbody a[href^="/tournaments/cup/matches/"]')
