"""The staff in a browser: a host is drained while its worker dies, and a lost match is played by a click."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.acceptance.bots import thinker
from tests.acceptance.browsing import Reader, needs_chromium
from tests.acceptance.conftest import Arena, MakeArena, eventually
from tests.acceptance.queries import query

NAME = "cup"
STRICT = {"ARENA_LEASE_SECONDS": "900", "ARENA_MAX_LOST": "0", "ARENA_REGISTER_SECONDS": "1"}
"""A match is parked once it was lost, and no slow machine loses one."""

pytestmark = [needs_chromium, pytest.mark.long]


@pytest.fixture
def arena(make_arena: MakeArena) -> Arena:
    """An arena of one worker, at work on the only match of a tournament, of two bots that think long."""
    arena = make_arena(1, **STRICT)
    with arena.client() as client:
        for bot in ("one", "other"):
            client.submit(bot, "bot.py", thinker(1), games=["heap_nim"])
        for bot in ("one", "other"):
            assert client.await_check(bot, 1).state == "passed"
    _play(arena, NAME)
    return arena


def _state(arena: Arena) -> str:
    (host,) = arena.json("worker", "list")["workers"]
    return str(host["state"])


def _play(arena: Arena, name: str) -> None:
    """Begin a tournament of a single match between two bots that think long."""
    plan = {"name": name, "title": "七年甲班", "game": "heap_nim", "format": "round_robin"}
    with arena.client() as client:
        client.create_tournament(plan | {"params": {"heaps": [1, 2, 3, 4]}})
        client.change(name, "open")
        for bot in ("one", "other"):
            client.enter(name, bot)
        client.change(name, "start")


def _over(arena: Arena, name: str) -> bool:
    return query(arena, "SELECT state FROM tournaments WHERE name = ?", name) == [("finished",)]


def _is_parked(arena: Arena) -> bool:
    """Whether the match that is waited for was given up; the time that it is waited for passes at once."""
    passed = "UPDATE matches SET lease_until = '2000-01-01 00:00:00.000000' WHERE state = 'running'"
    with closing(sqlite3.connect(arena.folder.root / "arena.sqlite3", timeout=60)) as connection:
        connection.execute(passed)
        connection.commit()
    return bool(query(arena, "SELECT 1 FROM matches WHERE state = 'parked'"))


def test_a_lost_match_is_played_by_a_click_and_a_host_drained(arena: Arena, reader: Reader) -> None:
    """What a killed worker had is parked and retried; a host that drains finishes it and takes nothing.

    Meanwhile the staff reads its other pages.
    """
    page = reader.page
    eventually(lambda: query(arena, "SELECT 1 FROM matches WHERE state = 'running'"))
    arena.kill("worker-1")
    eventually(lambda: _is_parked(arena))
    reader.open("/sign-in?next=/staff/errors")
    reader.send('[action="/sign-in/token"]', token=arena.folder.admin_token.read_text().strip())
    page.click("#main details summary")
    reader.check()
    reader.press(f'form[action="/staff/errors/{NAME}/1/retry"] button')
    assert page.locator(f'form[action^="/staff/errors/{NAME}"]').count() == 0
    eventually(lambda: query(arena, "SELECT 1 FROM matches WHERE state IN ('running', 'finished')"))
    reader.press('nav.tabs a[href="/staff/workers"]')
    reader.press('form[action$="/drain"] button')
    _read_other_pages(reader)
    assert arena.json("user", "show", "admin")["role"] == "admin"
    eventually(lambda: _over(arena, NAME))
    eventually(lambda: _state(arena) == "drained")
    arena.kill("worker-1")
    _play(arena, "second")
    reader.open("/staff/workers")
    assert page.locator(".state.open").count() == 1
    reader.open("/staff")
    assert page.locator("#main tbody .bad").count() == 1
    reader.open("/staff/workers")
    reader.press('form[action$="/resume"] button')
    eventually(lambda: _over(arena, "second"))


def _read_other_pages(reader: Reader) -> None:
    """Checks, users and storage; the last administrator's role is not changed by a click."""
    page = reader.page
    for path in ("/staff/checks?over=true", "/staff/storage", "/staff/users", "/staff/users/admin"):
        reader.open(path)
    page.click('details:has(form[action$="/role"]) summary')
    page.select_option('form[action$="/role"] select', "reader")
    with page.expect_navigation():
        page.click('form[action$="/role"] button')
    assert page.locator('[role="alert"]').count() == 1
