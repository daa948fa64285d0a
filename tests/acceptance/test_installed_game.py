"""A game that is not the arena's own: built, installed and played as `docs/adding-a-game.md` says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import PATIENCE, Arena, MakeArena, eventually
from tests.acceptance.test_play import begin_game, is_over, press_move, tap_move
from tests.distributions import CONNECT_FOUR

pytestmark = pytest.mark.long

GAME = "connect_four"
ROOT = Path(__file__).parents[2]
ARENA = "import sys\nfrom arena.cli import main\nsys.exit(main())\n"
PACK = "import sys; from bots.reference.pack import archive; sys.stdout.buffer.write(archive(sys.argv[1]))"
FIRST_LEGAL = """
from arena_bot import run


class Bot:
    def choose(self, request):
        return request.legal[0]

run(Bot())
"""
UPRIGHT = ("1", "2", "1", "2", "1", "2", "1")
"""The first side has four in the first column."""
PLAN: dict[str, Any] = {
    "name": "cup",
    "game": GAME,
    "format": "double_round_robin",
    "time": {"move_ms": 20_000, "extensions": 3, "extension_ms": 40_000},
    "openings": 1,
    "opening_plies": 2,
    "seed": 3,
}
SIMULATION: dict[str, Any] = {
    "game": GAME,
    "first": "central",
    "second": "random",
    "games": 200,
    "seed": 7,
    "swap": True,
    "chunk": 50,
}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that sees the project's, with the example installed in it."""
    folder = tmp_path_factory.mktemp("installed")
    uv = shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
    venv, wheels = folder / "venv", folder / "wheels"
    _run(sys.executable, "-m", "venv", "--without-pip", str(venv))
    programs = venv / "bin"
    packages = _run(str(programs / "python"), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    project = sysconfig.get_path("purelib")
    Path(packages.strip(), "project.pth").write_text(f"import site; site.addsitedir({project!r})\n")
    (programs / "arena").write_text(f"#!{programs / 'python'}\n{ARENA}")
    (programs / "arena").chmod(0o755)
    _run(uv, "build", "--offline", "--wheel", "--out-dir", str(wheels), str(CONNECT_FOUR))
    (wheel,) = wheels.glob("*.whl")
    installing = (uv, "pip", "install", "--offline", "--no-deps", "--python", str(programs / "python"))
    _run(*installing, str(wheel))
    return programs


def _run(*command: str) -> str:
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_is_built_installed_and_played(make_arena: MakeArena, environment: Path) -> None:
    """At home, in a tournament on a worker, on the API and the pages in both languages, and simulated."""
    arena = make_arena(1, program=environment / "arena")
    _play_at_home(arena)
    _hold_a_tournament(arena, environment)
    _look_at_the_pages(arena)
    _simulate(arena)


@needs_chromium
def test_people_play_it_in_a_browser(make_arena: MakeArena, environment: Path, browser: Browser) -> None:
    """Its columns are pointed at by the keyboard alone, and anywhere with a finger; each in one language."""
    arena = make_arena(1, program=environment / "arena")
    for locale, width, has_touch in (("en-GB", 1366, False), ("zh-TW", 390, True)):
        screen = ViewportSize(width=width, height=800)
        context = browser.new_context(locale=locale, viewport=screen, has_touch=has_touch)
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        reader = Reader(page, arena.state.url)
        reader.open(f"/play/{GAME}")
        begin_game(page, None, opponent="")
        reader.check()
        for move in UPRIGHT:
            (tap_move if has_touch else press_move)(page, move)
            expect(page.locator("#told")).to_contain_text(move)
        expect(page.locator("#status")).to_contain_text("四子連成一線" if has_touch else "four in a line")
        expect(page.locator('arena-board [data-place="1.4"]')).to_have_attribute(
            "aria-label", re.compile("X")
        )
        assert is_over(page)
        reader.check()
        context.close()
        assert (reader.foreign, reader.complaints) == ([], [])


def _play_at_home(arena: Arena) -> None:
    assert GAME in [game["name"] for game in arena.json("game", "list")["games"]]
    assert "1 2 3 4 5 6 7" in arena.command("game", "rules", GAME).stdout
    laws = arena.json("game", "test", GAME)["laws"]
    assert laws
    assert [law for law in laws if law["broken"]] == []
    record = arena.folder.root.parent / "games.jsonl"
    arena.command("match", "run", "@central", "@random", "--game", GAME, "-n", "2", "--record", str(record))
    shown = arena.command("match", "show", f"{record}#1").stdout
    assert "central" in shown
    assert "1 2 3 4 5 6 7" in shown


def _hold_a_tournament(arena: Arena, environment: Path) -> None:
    pack = [str(environment / "python"), "-c", PACK, "central"]
    central = subprocess.run(pack, capture_output=True, check=True, timeout=PATIENCE).stdout
    with arena.client() as client:
        client.create_tournament(PLAN)
        client.change("cup", "open")
        client.submit("central", "central.zip", central)
        client.submit("first", "bot.py", FIRST_LEGAL.encode(), games=[GAME])
        for name in ("central", "first"):
            assert client.await_check(name, 1).state == "passed"
            client.enter("cup", name)
        client.change("cup", "start")
        eventually(lambda: client.tournament("cup").state == "finished")
        best = client.leaderboard("cup").items[0]
    assert best.bot == "central"
    assert (best.games, best.points > 2) == (4, True)


def _look_at_the_pages(arena: Arena) -> None:
    with httpx2.Client(base_url=arena.state.url, timeout=PATIENCE) as site:
        assert site.get(f"/api/v1/games/{GAME}").json()["notation"].startswith("4 drops a disc")
        english = site.get("/tournaments/cup/matches/1").text
        chinese = site.get("/tournaments/cup/matches/1", headers={"Accept-Language": "zh-TW"}).text
    assert 'aria-label="Board after ply ' in english
    assert "Connect Four" in english
    assert "four in a line" in english
    assert "四子棋" in chinese
    assert "手後的棋盤" in chinese
    assert "四子連成一線" in chinese


def _simulate(arena: Arena) -> None:
    with arena.client() as client:
        client.create_experiment(SIMULATION)
        eventually(lambda: client.experiment(1).state != "running")
        result = client.experiment_results(1)
    assert result.state == "finished"
    assert result.result.games == SIMULATION["games"]
