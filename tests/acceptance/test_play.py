"""People play in a browser against bots that real workers move, one of which is killed while it plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.schemas.play import PlayOut
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import IMPATIENT, Arena, MakeArena
from tests.acceptance.queries import query
from tests.acceptance.test_scrimmages import _team as team_of
from tests.waiting import eventually

MOST_KEYS = 200
MINE = "#play[data-over], #play:not([data-waits]) arena-board[interactive]"


@pytest.fixture
def arena(make_arena: MakeArena) -> Arena:
    """An arena with one worker that plays."""
    return make_arena(1, **IMPATIENT)


def _begin(reader: Reader, game: str, param: str, **chosen: str) -> None:
    """Begin a game by its form, with that for its first parameter."""
    reader.open(f"/play/{game}")
    for name, value in chosen.items():
        reader.page.select_option(f'[name="{name}"]', value)
    reader.page.fill('input[name="values"] >> nth=0', param)
    reader.page.focus('main form button[type="submit"]')
    with reader.page.expect_navigation():
        reader.page.keyboard.press("Enter")
    reader.page.wait_for_selector(MINE)
    reader.check()


def _over(reader: Reader) -> bool:
    return reader.page.locator("[data-over]").count() > 0


PLACE = """() => {
  const cell = document.activeElement.closest("arena-board [role=gridcell]");
  const board = document.querySelector("arena-board");
  const wanted = board.position.legal[0].path.at(-1);
  const at = (name) => board.board.places.find((place) => place.name === name);
  return cell && { at: at(cell.dataset.place), wanted: at(wanted) };
}"""
"""On which place of the board the focus is, if on any, and where the first legal move ends."""


def _press_first_move(reader: Reader) -> None:
    """Come to the board by Tab, by arrows to the first legal move, and take it; wait for what follows."""
    page = reader.page
    before = page.get_attribute("#play", "data-ply")
    for _ in range(MOST_KEYS):
        found = page.evaluate(PLACE)
        if found is None:
            page.keyboard.press("Tab")
            continue
        here, there = found["at"], found["wanted"]
        if here["row"] != there["row"]:
            page.keyboard.press("ArrowDown" if here["row"] < there["row"] else "ArrowUp")
        elif here["column"] != there["column"]:
            page.keyboard.press("ArrowRight" if here["column"] < there["column"] else "ArrowLeft")
        else:
            break
    page.keyboard.press("Enter")
    if page.locator("arena-board .chosen").count():  # it could go on, and ends here
        page.keyboard.press("Enter")
    page.wait_for_selector(f'#play:not([data-ply="{before}"])')
    page.wait_for_selector(MINE)


@needs_chromium
@pytest.mark.parametrize("language", ["en", "zh-Hant-TW"])
@pytest.mark.usefixtures("arena")
def test_a_person_plays_to_the_end_by_the_keyboard(reader: Reader, language: str) -> None:
    """Against @random, with a hint, an undo and a restart; then two people at one screen."""
    page = reader.page
    reader.open(f"/play?lang={language}")
    _begin(reader, "heap_nim", "1, 2, 4", opponent="@random")
    page.focus("#hint")
    page.keyboard.press("Enter")
    page.wait_for_selector("#hinted strong")
    assert "⊕" in page.inner_text("#hinted")
    reader.check()
    _press_first_move(reader)
    assert page.locator("table.steps tbody tr").count() == 2
    page.focus("#undo")
    page.keyboard.press("Enter")
    page.wait_for_selector('#play[data-ply="0"]')
    while not _over(reader):
        _press_first_move(reader)
    assert page.locator("form.legal-moves").count() == 0
    reader.check()
    page.focus("#restart")
    page.keyboard.press("Enter")
    page.wait_for_selector('#play[data-ply="0"]')
    _begin(reader, "circle_nim", "3", opponent="")
    while not _over(reader):
        _press_first_move(reader)
    reader.check()
    assert (reader.foreign, reader.complaints) == ([], [])


def test_a_worker_that_is_killed_in_a_bots_turn_loses_nothing(arena: Arena, tmp_path: Path) -> None:
    """The turn is given out anew under another attempt, and the bot's move is in the game once."""
    arena.command("class", "create", "7a")
    token = team_of(arena, tmp_path, "red", pause=2)
    with arena.client(token) as client:

        def told(method: str, rest: str, **wish: object) -> PlayOut:
            return client._ask(PlayOut, method, f"/play/games{rest}", **({"json": wish} if wish else {}))

        begun = told("POST", "", game="heap_nim", seats=[None, "red"])
        here = f"/{begun.address}"
        waits = told("POST", f"{here}/moves", move="1:1", ply=0)
        assert waits.turn is not None
        eventually(lambda: (turn := told("GET", here).turn) is not None and turn.state == "running")
        arena.kill("worker-1")
        eventually(lambda: told("GET", here).position.ply == 2)
        assert told("GET", here).turn is None
    ((attempt, state),) = query(arena, "SELECT attempt, state FROM play_turns")
    assert attempt > 1
    assert state == "finished"
