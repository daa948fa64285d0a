"""From a lost game to its cause: one page says it, and its one command asks the same again at home."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.coordinator import leases, scrimmages
from arena.coordinator.leases import Attempt, Verdict
from arena.local.players import find_player
from arena.store.models import ScrimmageGame
from arena.submissions import versions
from arena.tournaments import freezing
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site, start_cup
from tests.integration.arena.web.pages.browser import read
from tests.integration.arena.world import GAME, issue_matches, taken
from tests.unit.arena.cli.conftest import Run, run
from workers.core.contract import MatchResult, MatchSpec
from workers.play.match import play_match

__all__ = ["run"]

FILE = "my bot.py"
BOT = """import sys
import time
from arena_bot import run


class Bot:
    def choose(self, request):
        print("log of {name}", flush=True)
        if {fails} and len(request.history) > 3:
            {act}
        return request.legal[0], "note of {name}"


run(Bot())
"""
ACTS = {
    "timeout": "time.sleep(3600)",
    "crash": "raise ValueError('<script>lost my way')",
    "illegal_move": "return 'a1' if 'a1' not in request.legal else 'zz'",
    "plain": "pass",
}
SAID = {
    "timeout": "Out of time at ply",
    "crash": "It broke at ply 5 with “ValueError: &lt;script&gt;lost my way”. See my bot.py:10.",
    "illegal_move": "which is not among the legal moves.",
    "plain": "Decided at the board after",
}
AGAIN = {"timeout": "timeout", "crash": "crash: ended by itself", "illegal_move": "illegal_move"}
TIME = {"move_ms": 5000, "extensions": 0, "startup_ms": 600_000}


@pytest.fixture
def at_home(tmp_path: Path) -> Callable[[str], Path]:
    """A folder with the bots of both teams, of which `red` fails in some way."""

    def made(cause: str) -> Path:
        for name, file, act in (("red", FILE, ACTS[cause]), ("blue", "blue.py", "pass")):
            text = BOT.format(name=name, fails=name == "red", act=act)
            (tmp_path / file).write_text(text)
        return tmp_path

    return made


def _handed_in(site: Site) -> None:
    with site.world.database.transaction() as session:
        versions.get_version(session, versions.get(session, "red")).filename = FILE


def _played(spec: MatchSpec, folder: Path) -> MatchResult:
    files = {"red": FILE, "blue": "blue.py"}
    one, other = (find_player(str(folder / files[bot.name])).command for bot in spec.bots)
    return play_match(spec, (one, other))


def _lost_match(site: Site, folder: Path, cause: str) -> str:
    """The path of the page of a match of the cup that `red` has lost."""
    start_cup(site, time=TIME)
    with site.world.database.transaction() as session:
        messages = issue_matches(session, site.world.settings)
    for message in messages:
        if cause != "plain" and message.spec.bots[0].name != "red":
            continue
        site.world.record(message, _played(message.spec, folder))
    (lost,) = site.get("/me/matches?outcome=lost", "red").json()["items"]
    return f"/my/games/cup/{lost['number']}"


def _lost_scrimmage(site: Site, folder: Path) -> str:
    """The path of the page of a game of a scrimmage that `red` has lost."""
    told = {"bot": "red", "opponent": "blue", "game": GAME, "games": 1}
    with site.world.database.transaction() as session:
        blue = versions.get(session, "blue")
        blue.takes_scrimmages = True
        blue.owner.class_id = versions.get(session, "red").owner.class_id
    number = site.post("/me/scrimmages", "red", json=told).json()["id"]
    with site.world.database.transaction() as session:
        (message,) = leases.issue(scrimmages.WORK, session, site.world.settings)
    report = _played(message.spec, folder).model_dump(mode="json")
    about = Attempt((int(message.spec.match),), message.attempt, message.token)
    with site.world.database.transaction() as session:
        verdict = taken(
            leases.record, scrimmages.WORK, session, about, settings=site.world.settings, report=report
        )
        assert verdict == Verdict.TAKEN
        assert session.get_one(ScrimmageGame, int(message.spec.match)).number == 1
    return f"/my/scrimmages/{number}/games/1"


def _asked_again(site: Site, path: str, page: Any, run: Run, folder: Path) -> list[str]:
    """What the page's one command prints, typed where the page's one download lies beside the bot."""
    (command,) = re.findall(r"<code data-copy>(arena match replay [^<]*)</code>", page.text)
    ((address, name),) = re.findall(r'href="([^"]*/record)" download="([^"]*)"', page.text)
    assert address == f"{path}/record"
    record = read(site, address, sign_in(site, "red")["Cookie"])
    assert record.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert record.headers["cache-control"] == "no-store"
    assert "log of red" in record.text
    assert "of blue" not in record.text.replace('"name":"blue"', "")
    (folder / name).write_bytes(record.content)
    words = shlex.split(command.replace("&#39;", "'"))
    ran = run(*words[1:])
    assert ran.code == 0, ran.err
    return ran.out.strip().splitlines()


@pytest.mark.parametrize("cause", list(ACTS))
def test_a_page_says_the_cause_and_its_command_repeats_it(
    used: Site, at_home: Callable[[str], Path], run: Run, cause: str
) -> None:
    """The sentence on top, the evidence and the moves are there; the same bot at home does the same again."""
    _handed_in(used)
    folder = at_home(cause)
    path = _lost_match(used, folder, cause)
    page = read(used, path, sign_in(used, "red")["Cookie"])
    assert SAID[cause] in page.text
    assert "<script>lost" not in page.text
    assert "log of red" in page.text
    assert "of blue" not in page.text
    assert ('<a href="/my/bots/red#another">' in page.text) == (cause != "plain")
    assert ('class="moves-listed"' in page.text, "It was asked" in page.text) == (cause != "plain",) * 2
    assert ("See on the game" in page.text) == (cause == "plain")
    assert ("<mark>Traceback" in page.text) == (cause == "crash")
    lines = _asked_again(used, path, page, run, folder)
    asked = [line for line in lines if line.startswith("ply ")]
    if cause == "plain":
        assert len(asked) > 2
        assert all("(as recorded)" in line for line in asked)
        return
    assert asked[-1].startswith("ply 5: ")
    assert AGAIN[cause] in asked[-1]
    assert f"recorded: {cause}" in asked[-1]
    assert all("(as recorded)" in line for line in asked[:-1])


def test_the_rules_say_in_the_reader_s_language_why_a_move_is_illegal(
    used: Site, at_home: Callable[[str], Path]
) -> None:
    """What the referee has recorded stays as it is; the page has the game's own reason in Chinese."""
    _handed_in(used)
    path = _lost_match(used, at_home("illegal_move"), "illegal_move")
    cookie = sign_in(used, "red")["Cookie"]
    english, chinese = (read(used, f"{path}?lang={each}", cookie).text for each in ("en", "zh-Hant-TW"))
    assert "The rules say: <span" in english
    assert re.search(r"規則的判定：<span>[^<]*[\u4e00-\u9fff][^<]*</span>。", chinese)  # noqa: RUF001  (Chinese signs)
    recorded = [
        line for line in read(used, f"{path}/record", cookie).text.splitlines() if "illegal_move" in line
    ]
    assert all("is not allowed here" in line or "not a move of this game" in line for line in recorded)


def test_the_page_of_a_scrimmage_does_the_same(used: Site, at_home: Callable[[str], Path], run: Run) -> None:
    """Its record is read by the same command, also through the API; the other's log is in neither."""
    _handed_in(used)
    folder = at_home("crash")
    path = _lost_scrimmage(used, folder)
    page = read(used, path, sign_in(used, "red")["Cookie"])
    assert SAID["crash"] in page.text
    lines = _asked_again(used, path, page, run, folder)
    assert "crash: ended by itself" in "\n".join(lines)
    for user, own, other in (("red", "red", "blue"), ("blue", "blue", "red")):
        told = used.get(path.replace("/my/", "/me/") + "/record", user).text
        assert f"log of {own}" in told
        assert f"log of {other}" not in told
        assert f"note of {other}" not in told
    assert used.get(path.replace("/my/", "/me/") + "/record", "elsewhere").status_code == 404


@pytest.mark.parametrize("own", [True, False])
def test_in_a_freeze_teams_get_what_was_chosen(used: Site, at_home: Callable[[str], Path], own: bool) -> None:
    """Page, record and file are there where teams may see their own games, and otherwise none of them is."""
    folder = at_home("crash")
    start_cup(used, time=TIME)
    with used.world.database.transaction() as session:
        freezing.freeze(session, used.world.staff, used.world.get(session), own=own)
        messages = issue_matches(session, used.world.settings)
    for message in messages:
        used.world.record(message, _played(message.spec, folder))
    red = sign_in(used, "red")["Cookie"]
    for rest in ("", "/record", "/game.html"):
        assert read(used, f"/my/games/cup/1{rest}", red).status_code == (200 if own else 404)
        assert read(used, f"/my/games/cup/1{rest}", sign_in(used, "elsewhere")["Cookie"]).status_code != 200
    if own:
        page = read(used, "/my/games/cup/1", red).text
        assert "/tournaments/cup/matches/1" not in page
        assert 'href="/my/games/cup/1/game.html"' in page
        file = read(used, "/my/games/cup/1/game.html", red).text
        assert (">cup #1 · " in file, "lost my way" in file, "log of" in file) == (True, False, False)
