"""A teacher grades a class, tells the grades, reads what was done and counts a season, in a browser alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, ViewportSize

from arena.client.http import ArenaClient
from bots.reference.pack import archive
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import Arena, MakeArena, eventually

pytestmark = [needs_chromium, pytest.mark.long]
PLAN = {
    "title": "第一週",
    "game": "reversed_reversi",
    "params": {"size": 4},
    "format": "double_round_robin",
    "seed": 5,
}
TEAMS = ("ash", "birch", "cedar")


def test_a_class_is_graded_and_counted_in_a_season(make_arena: MakeArena, browser: Browser) -> None:
    """Grades are looked at while they are typed, told once, and seen by their team; a season follows."""
    arena = make_arena(1)
    with arena.client() as client:
        tokens = _play(client)
        _walk(arena, client, browser, tokens)


def _play(client: ArenaClient) -> dict[str, str]:
    tokens = {}
    for team in TEAMS:
        tokens[team] = client.create_user(team, "team").token
        client.submit(team, "random.zip", archive("random"), owner=team)
    client.submit("measure", "random.zip", archive("random"))
    for bot in (*TEAMS, "measure"):
        client.await_check(bot, 1)
    for week in ("week-1", "week-2"):
        client.create_tournament(PLAN | {"name": week})
        client.change(week, "open")
        for bot in (*TEAMS, "measure"):
            client.enter(week, bot)
        client.change(week, "start")
        eventually(lambda week=week: client.tournament(week).state == "finished")  # type: ignore[misc]
    client.disqualify("week-1", "cedar", "copied from birch", annul=False)
    eventually(lambda: client.tournament("week-1").state == "finished")
    return tokens


def _signed_in(arena: Arena, browser: Browser, token: str, width: int, locale: str) -> Reader:
    context = browser.new_context(viewport=ViewportSize(width=width, height=900), locale=locale)
    reader = Reader(context.new_page(), arena.state.url)
    reader.open("/sign-in")
    reader.send('[action="/sign-in/token"]', token=token)
    return reader


def _walk(arena: Arena, client: ArenaClient, browser: Browser, tokens: dict[str, str]) -> None:
    token = arena.folder.admin_token.read_text().strip()
    staff = _signed_in(arena, browser, token, 1366, "en-GB")
    page = staff.page
    staff.open("/manage/week-1/report")
    staff.press('a[href="/manage/week-1/grading"]')
    with page.expect_response(re.compile("grading\\?")):
        page.fill('[name="base"]', "60")
    with page.expect_response(re.compile("grading\\?")):
        page.fill('[name="share_0"]', "1")
    page.fill('[name="points_0"]', "20")
    page.fill('[name="up_to_0"]', "1")
    with page.expect_response(re.compile("points_0=20.*band_0=15")):
        page.fill('[name="band_0"]', "15")
    page.wait_for_selector("#preview .points")
    assert "A preview" in page.inner_text("#preview")
    staff.check()
    assert client.grading("week-1").scheme is None
    staff.press("form.scheme button:not([formmethod])")
    assert "By what is saved" in page.inner_text("#preview")
    page.click("details.act summary")
    staff.press('[action$="/release"] button')
    grades = {each.team: each for each in client.grading("week-1").grades}
    assert grades["cedar"].disqualified
    staff.open("/manage/week-1/story")
    assert "disqualified" in page.inner_text(".story")
    assert page.inner_text(".story").count("copied from birch") == 1
    page.select_option('[name="which"]', "corrections")
    staff.press("form.filter button")
    assert page.locator(".story > li").count() == 1
    _season(staff)
    team = _signed_in(arena, browser, tokens["ash"], 390, "zh-TW")
    team.open("/my")
    card = team.page.inner_text('section[aria-labelledby="grades"]')
    assert "第一週" in card
    assert f"{grades['ash'].points:g}" in card
    assert "birch" not in card
    for path in ("/seasons", "/seasons/weeks"):
        team.open(path)
    assert (staff.foreign, staff.complaints, team.foreign, team.complaints) == ([], [], [], [])
    for reader in (staff, team):
        reader.page.context.close()


def _season(staff: Reader) -> None:
    staff.open("/manage/seasons")
    staff.press('a[href="/manage/seasons/new"]')
    fields = {"title": "聯賽", "name": "weeks", "points": "10, 6, 3", "at_week-1": "1", "at_week-2": "2"}
    staff.send("form.scheme", **fields)
    rows = staff.page.locator("table.season tbody tr")
    assert rows.count() == len(TEAMS)
    assert "disqualified" in staff.page.inner_text("table.season")
