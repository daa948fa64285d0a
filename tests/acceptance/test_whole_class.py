"""Thirty teams of three: let in, handed in, played, frozen, revealed, graded in browsers, click by click."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, FilePayload, ViewportSize, expect

from bots import sdk
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import PATIENCE, Arena, MakeArena

pytestmark = [needs_chromium, pytest.mark.long]
KIT = (Path(sdk.__file__).parent / "arena_bot.py").read_text()
BOT = """from arena_bot import run


class Bot:
    def choose(self, request):
        return request.legal[{number} % len(request.legal)]


run(Bot())
"""
TEAMS = [f"第{number:02}隊" for number in range(1, 31)]
MEMBERS = [(team, f"{team}的{name}") for team in TEAMS for name in ("安安", "平平", "康康")]
MAX_OF_TEACHER = (36, 24)
"""Clicks and pages, the reveal's thirty steps apart."""
MAX_OF_STUDENT = (6, 8)
COUNT = "addEventListener('click', (event) => event.isTrusted && window.clicked(), true)"
WAIT_MS = PATIENCE * 1000


class Person(Reader):
    """Somebody whose clicks and pages are counted."""

    looks = True
    """Whether each page is checked; of those that are alike one is enough."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.clicks = self.pages = 0
        context.set_default_timeout(WAIT_MS)
        context.expose_function("clicked", self._clicked)
        context.add_init_script(COUNT)
        page = context.new_page()
        page.on("domcontentloaded", self._loaded)
        super().__init__(page, url)

    def check(self) -> None:
        """Fail where something is wrong with the page, where this looks."""
        if self.looks:
            super().check()

    def begin(self) -> None:
        """Count from here on, as somebody who has not signed in."""
        self.page.context.clear_cookies()
        self.clicks = self.pages = 0

    def _clicked(self) -> None:
        self.clicks += 1

    def _loaded(self, _page: object) -> None:
        self.pages += 1


@pytest.fixture
def arena(make_arena: MakeArena) -> Arena:
    """An arena whose administrator has made one account, that of a teacher."""
    arena = make_arena(1)
    with arena.client() as client:
        client.create_user("ms-lin", "organiser")
    return arena


@pytest.fixture
def teacher(arena: Arena, browser: Browser) -> Iterator[Person]:
    """The teacher at her laptop."""
    yield from _person(arena, browser, ViewportSize(width=1366, height=800))


@pytest.fixture
def student(arena: Arena, browser: Browser) -> Iterator[Person]:
    """A telephone that goes from hand to hand."""
    yield from _person(arena, browser, ViewportSize(width=390, height=800))


def _person(arena: Arena, browser: Browser, viewport: ViewportSize) -> Iterator[Person]:
    context = browser.new_context(viewport=viewport, locale="zh-TW")
    person = Person(context, arena.state.url)
    yield person
    context.close()
    assert (person.foreign, person.complaints) == ([], [])


def test_a_class_of_thirty_teams_of_three(arena: Arena, teacher: Person, student: Person) -> None:
    """The final table is the one played, the teams are graded, and nobody clicks more often than said."""
    links = _let_in(arena, teacher)
    _create(teacher)
    for number, (team, name) in enumerate(MEMBERS):
        student.begin()
        student.looks = number == 0
        student.page.goto(links[name])
        student.page.click("main form button")
        expect(student.page.locator("header.site .who")).to_contain_text(name)
        if number % 3 == 0:
            _hand_in(student, TEAMS.index(team))
            assert student.clicks <= MAX_OF_STUDENT[0]
            assert student.pages <= MAX_OF_STUDENT[1]
    _play(arena, teacher)
    with arena.client() as client:
        final = [line.bot for line in client.leaderboard("finals").items]
    assert len(final) == len(TEAMS)
    steps = _reveal(teacher, final)
    _grade(teacher)
    with arena.client() as client:
        assert {each.team for each in client.grading("finals").grades} == set(TEAMS)
    counted = teacher.clicks, teacher.pages - steps
    assert counted[0] <= MAX_OF_TEACHER[0], counted
    assert counted[1] <= MAX_OF_TEACHER[1], counted


def _let_in(arena: Arena, teacher: Person) -> dict[str, str]:
    """Sign in, make a class, and let it in by its roster: each one's link."""
    token = arena.json("user", "token", "ms-lin")["token"]
    teacher.open("/sign-in?next=/classes")
    teacher.begin()
    teacher.send('[action="/sign-in/token"]', token=token)
    teacher.page.fill('[name="name"]', "7a")
    teacher.press('form[action="/classes"] button')
    if "/classes/7a" not in teacher.page.url:
        teacher.press('a[href="/classes/7a"]')
    teacher.press('a[href="/classes/7a/roster"]')
    rows = ["隊伍,姓名", *(f"{team},{name}" for team, name in MEMBERS)]
    teacher.page.fill("textarea", "\n".join(rows))
    teacher.press("main form button")
    assert teacher.page.locator("section[aria-labelledby=preview] tbody tr").count() >= len(MEMBERS)
    teacher.press('form[action$="/roster/import"] button')
    lines = teacher.page.locator(".sheet li")
    names = lines.locator("strong").all_inner_texts()
    links = dict(zip(names, lines.locator(".address").all_inner_texts(), strict=True))
    assert links.keys() == {name for _, name in MEMBERS}
    return links


def _create(teacher: Person) -> None:
    """Make a Swiss system of four rounds of Nim for the class, open for entries."""
    page = teacher.page
    teacher.press('header a[href="/manage"]')
    teacher.press('a[href="/manage/new"]')
    page.fill('[name="title"]', "七年甲班決賽")
    page.fill('[name="name"]', "finals")
    page.select_option('[name="game"]', "heap_nim")
    expect(page.locator('[name="param-heaps"]')).to_have_count(1)
    page.select_option('[name="format"]', "swiss")
    page.fill('[name="option-rounds"]', "4")
    page.fill('[name="move"]', "20")
    page.fill('[name="bots"]', str(len(TEAMS)))
    teacher.press("#plan button:not([formmethod])")
    assert page.url.endswith("/manage/finals")


def _hand_in(student: Person, number: int) -> None:
    """Hand in a bot which enters by itself when it has passed its check."""
    student.page.goto(student.page.url.partition("/account")[0])
    student.press('header a[href="/my"]')
    student.press('main a[href^="/my/bots/new"]')
    files = {"main.py": BOT.format(number=number), "arena_bot.py": KIT}
    student.page.set_input_files(
        'form.hand-in input[name="file"]:not([webkitdirectory])',
        [
            FilePayload(name=name, mimeType="text/x-python", buffer=text.encode())
            for name, text in files.items()
        ],
    )
    student.press("form.hand-in > button")
    assert "/my/bots/" in student.page.url


def _play(arena: Arena, teacher: Person) -> None:
    """Start it when all have entered, freeze it before the first round is over, and see it to its end."""
    page = teacher.page
    expect(page.locator("#entered tbody tr")).to_have_count(len(TEAMS), timeout=WAIT_MS)
    teacher.press('form[action$="/start"] button')
    teacher.press('form[action$="/pause"] button')
    teacher.press('a[href$="/timetable"]')
    page.click("details.asks summary")
    teacher.press('[action$="/timetable/freeze"] button')
    before = page.request.get(f"{arena.state.url}/api/v1/tournaments/finals/leaderboard").json()
    teacher.press('p.trail a[href="/manage/finals"]')
    teacher.press('form[action$="/resume"] button')
    expect(page.locator("main .state").first).to_have_text("已結束", timeout=WAIT_MS)
    after = page.request.get(f"{arena.state.url}/api/v1/tournaments/finals/leaderboard").json()
    assert (after, before["played"] < len(TEAMS) * 2) == (before, True)


def _reveal(teacher: Person, final: list[str]) -> int:
    """Show the final table from its end by a key at a time; how many pages that took."""
    page = teacher.page
    teacher.press('a[href$="/timetable"]')
    teacher.press('a[href$="/reveal"]')
    before = teacher.pages
    for _ in TEAMS[1:]:
        with page.expect_navigation():
            page.keyboard.press("ArrowRight")
    steps = teacher.pages - before
    teacher.check()
    teacher.press(".presses form:last-child button")
    assert page.locator("table.reveal tbody th").all_inner_texts() == final
    return steps


def _grade(teacher: Person) -> None:
    """Grade by places, and tell the teams."""
    page = teacher.page
    teacher.open("/manage/finals/grading")
    page.fill('[name="base"]', "60")
    with page.expect_response(re.compile(r"grading\?")):
        page.fill('[name="up_to_0"]', "10")
        page.fill('[name="band_0"]', "20")
    teacher.press("form.scheme button:not([formmethod])")
    page.click("details.act summary")
    teacher.press('[action$="/release"] button')
