"""A teacher drops a zip with thirty bots, sees the checks, enters all by one button, and looks for copies."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, expect

from bots import sdk
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import Arena, MakeArena

KIT = (Path(sdk.__file__).parent / "arena_bot.py").read_text()
TEAMS = [f"隊伍-{number:02}" for number in range(1, 31)]
OTHERS = ["隊伍-甲", "隊伍-乙"]
BOT = """from arena_bot import run

NUMBER = {number}


class Bot:
    def choose(self, request):
        return request.legal[NUMBER % len(request.legal)]


run(Bot())
"""
LONG = """
def score_{name}(heaps):
    total = 0
    for place, heap in enumerate(heaps):
        if heap > {number} and place % 2 == 0:
            total += heap * place
        elif heap < {number}:
            total -= heap // (place + 1)
        else:
            total = total ^ heap
    return [total, max(heaps), min(heaps), sum(heaps) - total]
"""
WAIT_MS = 600_000

pytestmark = [needs_chromium, pytest.mark.long]


def _zip(names: list[str]) -> bytes:
    """A folder for each team, as Moodle names it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number, name in enumerate(names):
            folder = f"{name}_{1000 + number}_assignsubmission_file_"
            text = BOT.format(number=number)
            if number in {4, 11}:  # two are alike
                text = LONG.format(name=f"by{number}", number=number) + text
            archive.writestr(f"{folder}/main.py", text)
            archive.writestr(f"{folder}/arena_bot.py", KIT)
        archive.writestr("__MACOSX/._x", b"")
    return buffer.getvalue()


@pytest.fixture
def arena(make_arena: MakeArena) -> Arena:
    """An arena with a class of thirty teams, its organiser, and a tournament of it that is open.

    The organiser has another class of two teams.
    """
    arena = make_arena(1)
    with arena.client() as client:
        client.create_user("ms-lin", "organiser")
        for name, teams in (("7a", TEAMS), ("7b", OTHERS)):
            client.create_class(name)
            client.add_organiser(name, "ms-lin")
            roster = "\n".join(["隊名", *teams]).encode()
            client.import_roster("class.csv", roster, dry_run=False, encoding="utf-8", class_name=name)
        client.create_tournament({"name": "finals", "game": "heap_nim", "class_name": "7a"})
        client.change("finals", "open")
    return arena


def test_thirty_bots_from_a_zip_to_their_entries(
    arena: Arena, reader: Reader, browser: Browser, tmp_path: Path
) -> None:
    """Four clicks from the tournament: choose, look, hand in, enter; and then who has the same.

    The terminal takes a folder of another class's, and its page the same where no script runs.
    """
    page = reader.page
    reader.open("/sign-in?next=/manage/finals")
    reader.send('[action="/sign-in/token"]', token=arena.token("ms-lin"))
    reader.press('a[href^="/classes/7a/hand-in"]')
    assert page.is_checked('[name="game"][value="heap_nim"]')
    upload = FilePayload(name="7a.zip", mimeType="application/zip", buffer=_zip([*TEAMS, "somebody"]))
    page.set_input_files('input[name="file"]:not([webkitdirectory])', upload)
    reader.press("form.hand-in > button")
    assert page.locator("tbody tr").count() == 31
    assert (
        page.locator('select[name="team"] option:checked').all_inner_texts().count("nobody")
        + (page.locator('select[name="team"] option:checked').all_inner_texts().count("無"))
        == 1
    )
    reader.press("main form button")
    assert page.url.split("?")[1] == "made=30&same=0&out=1"
    expect(page.locator("#poll[hx-get]")).to_have_count(0, timeout=WAIT_MS)
    reader.check()
    assert page.locator(".verdict-passed").count() == 30
    reader.press('form[action="/manage/finals/entries/class"] button')
    assert page.locator("section[aria-labelledby=entries] tbody tr").count() == 30
    with arena.client() as client:
        assert client.tournament("finals").entries == 30
    found = arena.json("tournament", "likeness", "finals")
    assert [(each["first"]["team"], each["second"]["team"]) for each in found["pairs"]] == [
        (TEAMS[4], TEAMS[11])
    ]
    reader.press('nav.tabs a[href$="/likeness"]')
    page.click("details.ask summary")
    reader.check()
    reader.press("tbody a")
    assert page.locator("mark").count() >= 2
    page.click(".passage-number >> nth=0")
    expect(page.locator(".passage-number:target")).to_have_count(1)
    assert (reader.foreign, reader.complaints) == ([], [])
    _in_the_terminal_and_without_scripts(arena, browser, tmp_path)


def _in_the_terminal_and_without_scripts(arena: Arena, browser: Browser, tmp_path: Path) -> None:
    """`bot submit --each` takes a folder; where no script runs the page takes a zip, which is there."""
    for number, name in enumerate(OTHERS):
        folder = tmp_path / "bots" / name
        folder.mkdir(parents=True)
        (folder / "main.py").write_text(BOT.format(number=number))
        (folder / "arena_bot.py").write_text(KIT)
    (tmp_path / "bots" / "notes.txt").write_text("not a bot")
    options = ("--each", str(tmp_path / "bots"), "--class", "7b", "--game", "heap_nim")
    dry = arena.command("bot", "submit", *options, "--dry-run", check=False)
    assert dry.returncode == 1
    assert "notes.txt" in dry.stderr
    done = arena.json("bot", "submit", *options, "--team", "notes.txt=")
    assert [line["state"] for line in done["items"]].count("new_bot") == 2
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{arena.state.url}/sign-in?next=/classes/7b/hand-in")
    page.fill('[name="token"]', arena.token("ms-lin"))
    page.click('[action="/sign-in/token"] button')
    upload = FilePayload(name="7b.zip", mimeType="application/zip", buffer=_zip(OTHERS))
    page.set_input_files('input[name="file"]:not([webkitdirectory])', upload)
    page.click("form.hand-in > button")
    page.click("main form button")
    assert page.url.endswith("made=0&same=2&out=0")
    context.close()
