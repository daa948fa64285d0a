"""A team plays scrimmages on the pages, and a worker that dies in one loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.local.submission import read_submission
from bots import sdk
from tests.acceptance.bots import team_of, thinker
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import IMPATIENT, Arena, MakeArena
from tests.acceptance.queries import query
from tests.waiting import eventually

pytestmark = pytest.mark.long

KIT = Path(sdk.__file__).parent / "arena_bot.py"
BOT = """import sys
from arena_bot import run


class First:
    def choose(self, request):
        print("{log}", file=sys.stderr, flush=True)
        return request.legal[0]


run(First())
"""


@pytest.fixture
def arena(make_arena: MakeArena) -> Arena:
    """An arena with a class of two teams."""
    arena = make_arena(1, **IMPATIENT)
    arena.command("class", "create", "7a")
    return arena


def _team(arena: Arena, folder: Path, name: str) -> str:
    """A team of the class whose bot of its name has passed its check; its token."""
    files = folder / name
    files.mkdir()
    (files / "main.py").write_text(BOT.format(log=f"log of {name}"))
    (files / "arena_bot.py").write_bytes(KIT.read_bytes())
    sent = read_submission(files)
    return team_of(arena, name, sent.filename, sent.data)


def _played(reader: Reader) -> None:
    """Wait until the games of the scrimmage at hand are over."""
    reader.page.wait_for_selector("#games:not([hx-get])")
    reader.check()


@needs_chromium
def test_a_team_plays_a_reference_bot_and_its_classmates(
    arena: Arena, reader: Reader, tmp_path: Path
) -> None:
    """It asks by one form, sees the games go by, replays them with its own log, and never the other's."""
    tokens = {name: _team(arena, tmp_path, name) for name in ("red", "blue")}
    reader.open("/sign-in")
    reader.send('form[action="/sign-in/token"]', token=tokens["red"])
    reader.open("/my/bots/red")
    reader.press('a[href="/my/scrimmages?bot=red"]')
    assert reader.page.locator('option[value="blue"]').count() == 0
    reader.page.select_option('[name="opponent"]', "@random")
    reader.page.select_option('[name="rules"]', "game:heap_nim")
    reader.press('form[action="/my/scrimmages"] button')
    _played(reader)
    reader.press('#games a[href$="/games/1"]')
    assert reader.page.locator("pre.log").first.inner_text().startswith("log of red")
    reader.press('tbody a[href="?ply=1#board"]')

    with arena.client(tokens["blue"]) as client:
        client.set_bot_scrimmages("blue", allowed=True)
    reader.open("/my/scrimmages")
    reader.page.select_option('[name="opponent"]', "blue")
    reader.page.select_option('[name="rules"]', "game:heap_nim")
    reader.press('form[action="/my/scrimmages"] button')
    _played(reader)
    reader.press('#games a[href$="/games/2"]')
    logs = reader.page.locator("pre.log").all_inner_texts()
    assert [text.split("\n")[0] for text in logs] == ["log of red"]
    number = int(reader.page.url.split("/")[-3])
    with arena.client(tokens["blue"]) as client:
        told = client.scrimmage_game(number, 2)
        assert [told.seats[seat].bot for seat in told.logs] == ["blue"]
        assert [bool(use.stderr_head) for use in told.use] == [True, False]
        assert told.outcome == client.scrimmage(number).games[1].outcome is not None
        client.set_bot_scrimmages("blue", allowed=False)
    reader.open("/my/scrimmages")
    assert reader.page.locator('option[value="blue"]').count() == 0
    reader.press('nav.tabs a[href="?side=against"]')
    with arena.client() as staff:
        assert list(staff.tournaments()) == []


def test_a_worker_that_dies_in_a_scrimmage_loses_nothing(arena: Arena) -> None:
    """The game is begun anew under another attempt, and recorded once."""
    token = team_of(arena, "red", "bot.py", thinker(0.3))
    with arena.client(token) as client:
        asked = client.ask_scrimmage(bot="red", opponent="@random", game="heap_nim", games=1)
        eventually(lambda: client.scrimmage(asked.id).games[0].state == "running")
        arena.kill("worker-1")
        eventually(lambda: client.scrimmage(asked.id).over)
        (game,) = client.scrimmage(asked.id).games
        assert game.state == "finished"
        assert client.opponents().games_left == 19
    ((attempt, state),) = query(arena, "SELECT attempt, state FROM scrimmage_games")
    assert attempt > 1
    assert (state, query(arena, "SELECT count(*) FROM scrimmage_results")) == ("finished", [(1,)])
