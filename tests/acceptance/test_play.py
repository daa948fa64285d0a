"""People play in a browser, every game to its end: by the keyboard alone, by touch, and two at one screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import IMPATIENT, PATIENCE, Arena, MakeArena

pytestmark = [needs_chromium, pytest.mark.usefixtures("arena")]
MAX_KEYS = 200
MINE = "#play[data-over], #play:not([data-waits]) arena-board[interactive]"
GAMES = {
    "heap_nim": ("1, 1, 2", ()),
    "circle_nim": ("3", ()),
    "reversed_reversi": ("4", ()),
    "l_game": (None, ("c1r", "c2d/a1-b1")),
    "rhombic_chess": (None, ("5", "2", "13", "12", "11", "3", "10", "1", "6", "7")),
}
"""Each game small, and where it could last long the shortest that there is; else first moves are played."""
QUICK = ("reversed_reversi", "l_game")
"""Games of one click a move and of several, whose boards stand for the others' in the short run."""
MIN_TARGET = 24
HOLD_MS = 600
"""Longer than a key is held that is only pressed."""
PHONE = ViewportSize(width=390, height=800)


@pytest.fixture(scope="module")
def arena(make_shared: MakeArena) -> Arena:
    """An arena with one worker that plays."""
    return make_shared(1, **IMPATIENT)


@pytest.fixture(
    params=[
        pytest.param(("zh-TW", "dark"), id="chinese"),
        pytest.param(("en-GB", "light"), id="english", marks=pytest.mark.long),
    ]
)
def finger(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Reader]:
    """Somebody who has a phone and nothing but its screen."""
    locale, scheme = request.param
    context = browser.new_context(has_touch=True, viewport=PHONE, locale=locale, color_scheme=scheme)
    context.set_default_timeout(PATIENCE * 1000)
    reader = Reader(context.new_page(), address)
    yield reader
    context.close()
    assert (reader.foreign, reader.complaints) == ([], [])


def begin_game(page: Page, param: str | None, **chosen: str) -> None:
    """Begin a game by its form, with that for its first parameter."""
    for name, value in chosen.items():
        page.select_option(f'[name="{name}"]', value)
    if param is not None:
        field = page.locator('[name^="param-"]').first
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(param)
        else:
            field.fill(param)
    page.focus('main form button[type="submit"]')
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_selector(MINE)


def is_over(page: Page) -> bool:
    """Whether the game on the page is over."""
    return page.locator("[data-over]").count() > 0


PATH = """(text) => {
  const { legal } = document.querySelector("arena-board").position;
  return (legal.find(({ move }) => move === text) ?? legal[0]).path;
}"""
"""What is pointed at to make a move, or the first legal one."""
PLACE = """(name) => {
  const cell = document.activeElement.closest("arena-board [role=gridcell]");
  const { places } = document.querySelector("arena-board").board;
  const at = (wanted) => places.find((place) => place.name === wanted);
  return cell && { here: at(cell.dataset.place), there: at(name) };
}"""
"""On which place of the board the focus is, if on any, and the place of a name."""


def press_move(page: Page, move: str = "") -> None:
    """Come to the board by Tab, to each place of a move by arrows, and press it; wait for what follows."""
    before = page.get_attribute("#play", "data-ply")
    for place in page.evaluate(PATH, move):
        for _ in range(MAX_KEYS):
            found = page.evaluate(PLACE, place)
            if found is None:
                page.keyboard.press("Tab")
                continue
            here, there = found["here"], found["there"]
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


def tap_move(page: Page, move: str = "") -> None:
    """Tap each place of a move, the last one twice where it could go on; wait for what follows."""
    before = page.get_attribute("#play", "data-ply")
    path = page.evaluate(PATH, move)
    for place in path:
        page.locator(f'[data-place="{place}"]').tap()
    if page.locator("arena-board .chosen").count():
        page.locator(f'[data-place="{path[-1]}"]').tap()
    page.wait_for_selector(f'#play:not([data-ply="{before}"])')
    page.wait_for_selector(MINE)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.long] * (game not in QUICK)) for game in GAMES]
)
def test_two_people_play_every_game_to_its_end_by_the_keyboard(reader: Reader, game: str) -> None:
    """At one screen; each move, and how it ended, is told to who hears the page, and the record is there."""
    page, (param, moves) = reader.page, GAMES[game]
    reader.open(f"/play/{game}")
    begin_game(page, param, opponent="")
    reader.check()
    for move in moves:
        press_move(page, move)
        expect(page.locator("#told")).to_contain_text(move)
    while not is_over(page):
        press_move(page)
    expect(page.locator("#told")).to_have_text(page.inner_text("#status").strip())
    assert page.locator("form.legal-moves").count() == 0
    reader.check()
    with page.expect_download() as saved:
        page.focus("a[download]")
        page.keyboard.press("Enter")
    assert f'"name":"{game}"' in saved.value.path().read_text()


def test_a_person_plays_a_bot_by_the_keyboard(reader: Reader) -> None:
    """A hint is there while it is held; a move is taken back; the level changes; the game is replayed."""
    page = reader.page
    reader.open("/play/heap_nim?opponent=@xor")
    page.select_option("#many-heaps", "4")
    expect(page.locator("#param-heaps")).to_have_value("3, 4, 5, 6")
    expect(page.locator("[name=opponent]")).to_have_value("@xor")
    reader.check()
    begin_game(page, "1, 2, 4", opponent="@random")
    hinted = page.locator("#hinted")
    page.focus("#hint")
    page.keyboard.down("Enter")
    expect(hinted.locator("strong")).to_be_visible()
    expect(hinted).to_contain_text("⊕")
    expect(page.locator("arena-board .better")).to_have_count(1)
    reader.check()
    page.wait_for_timeout(HOLD_MS)
    page.keyboard.up("Enter")
    expect(hinted).to_be_hidden()
    page.keyboard.press("Enter")
    expect(hinted).to_be_visible()
    page.keyboard.press("Enter")
    expect(hinted).to_be_hidden()
    press_move(page, "3:1")
    expect(page.locator("table.steps tbody tr")).to_have_count(2)
    page.focus("#undo")
    page.keyboard.press("Enter")
    page.wait_for_selector('#play[data-ply="0"]')
    page.focus("#other-seats summary")
    page.keyboard.press("Enter")
    page.select_option("#other-seats [name=opponent]", "@xor")
    page.focus("#change")
    page.keyboard.press("Enter")
    expect(page.locator(".sides tbody")).to_contain_text("@xor")
    while not is_over(page):
        press_move(page)
    page.focus("#replay")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_selector(".replay")
    reader.check()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("tr.here td:first-child")).to_have_text("1")
    page.go_back()
    page.focus("#restart")
    page.keyboard.press("Enter")
    page.wait_for_selector('#play[data-ply="0"]')


@pytest.mark.long
def test_every_next_position_is_browsed(reader: Reader) -> None:
    """In the L-Game all 65 are shown, gone through by keys, valued by a worker, and one is played."""
    page = reader.page
    reader.open("/play/l_game")
    begin_game(page, None, opponent="@random")
    page.focus("#next")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    pictures = page.locator(".gallery button")
    expect(pictures).to_have_count(65)
    reader.check()
    page.focus("#values")
    page.keyboard.press("Enter")
    expect(page.locator(".gallery .lost strong").first).to_be_visible()
    expect(page.locator(".gallery strong")).to_have_count(65)
    reader.check()
    pictures.first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowUp", "End", "ArrowLeft"):
        page.keyboard.press(key)
    expect(pictures.nth(63)).to_be_focused()
    chosen = pictures.nth(63).get_attribute("value") or ""
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator("table.steps tbody tr").first).to_contain_text(chosen)


def _large(targets: Locator) -> None:
    for each in targets.all():
        box = each.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= MIN_TARGET, each.inner_text()


@pytest.mark.long
def test_two_people_play_every_game_to_its_end_by_touch(finger: Reader) -> None:
    """On one phone; no place is too small for a finger, and each state of the board is fit for everybody."""
    page = finger.page
    for game, (param, moves) in GAMES.items():
        finger.open(f"/play/{game}")
        begin_game(page, param, opponent="")
        _large(page.locator("arena-board .place"))
        finger.check()
        first = page.evaluate(PATH, moves[0] if moves else "")
        if len(first) > 1:
            page.locator(f'[data-place="{first[0]}"]').tap()
            expect(page.locator("arena-board .chosen")).to_have_count(1)
            finger.check()
            page.locator(f'[data-place="{first[0]}"]').tap()
            expect(page.locator("arena-board .chosen")).to_have_count(0)
        for move in moves:
            tap_move(page, move)
            expect(page.locator("#told")).to_contain_text(move)
        while not is_over(page):
            tap_move(page)
        expect(page.locator("#told")).to_have_text(page.inner_text("#status").strip())
        assert page.locator("form.legal-moves").count() == 0
        finger.check()
        page.locator("#restart").tap()
        page.wait_for_selector('#play[data-ply="0"]')


def test_a_person_plays_by_touch_and_chooses_how_it_looks(finger: Reader) -> None:
    """On a phone the board is seen whole, targets fit a finger, and looks and sounds outlast a reload."""
    page = finger.page
    finger.open("/play/heap_nim")
    begin_game(page, "3, 4, 5", opponent="@random")
    board = page.locator("arena-board svg").bounding_box()
    assert board is not None
    assert board["y"] + board["height"] <= PHONE["height"]
    _large(page.locator("arena-board .place"))
    _large(page.locator("#play :is(button, a, summary):visible"))
    looks = page.locator("#looks")
    expect(looks.locator("[name=sounds]")).to_have_value("")
    looks.locator("summary").tap()
    for name, value in {"pieces": "coins", "ink": "green", "ground": "sand", "picture": "leaves"}.items():
        looks.locator(f"[name={name}]").select_option(value)
        expect(page.locator("arena-board")).to_have_attribute(name, value)
    for name, value in {"sounds": "bells", "music": "evening"}.items():
        looks.locator(f"[name={name}]").select_option(value)
    finger.check()
    page.reload()
    expect(page.locator("arena-board")).to_have_attribute("pieces", "coins")
    expect(looks.locator("[name=sounds]")).to_have_value("bells")
    expect(page.locator("arena-board .inlay").first).to_be_visible()
    while not is_over(page):
        tap_move(page)
    _large(page.locator("#play :is(button, a, summary):visible"))
    finger.check()
