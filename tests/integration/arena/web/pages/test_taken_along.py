"""A game that is taken along: as one file, and framed by a page of somebody else's."""

from __future__ import annotations

import re

import pytest

from arena.tournaments import freezing
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import API, EVIDENCE, Site, park, play_cup, start_cup
from tests.integration.arena.web.pages.test_pages import Outline
from tests.integration.arena.world import issue_matches

GAME = "/tournaments/cup/matches/1"
FILES = (f"{GAME}/game.html", f"{API}{GAME}/file")
TAKEN = (*FILES, f"{GAME}/embed")


@pytest.fixture
def played(used: Site) -> Site:
    """A site with a cup whose games were lost by a fault, with evidence and notes."""
    start_cup(used)
    play_cup(used, forfeit=True)
    return used


@pytest.mark.parametrize("lang", ["en", "zh-Hant-TW"])
def test_the_file_is_in_the_language_of_the_page(played: Site, lang: str) -> None:
    """Page and API give the same file, to be kept under the name of the game."""
    of_page = played.client.get(FILES[0], headers={"Accept-Language": lang})
    of_api = played.client.get(f"{FILES[1]}?lang={lang}")
    assert of_page.headers["content-disposition"] == 'attachment; filename="cup-1.html"'
    assert of_page.headers["content-type"].startswith("text/html")
    assert of_page.text == of_api.text
    assert f'<html lang="{lang}">' in of_page.text
    assert "cup #1" in of_page.text
    assert played.client.get(f"{FILES[1]}?lang=fr").status_code == 422
    page = played.client.get(GAME, headers={"Accept-Language": lang}).text
    assert f'href="{FILES[0]}" download="cup-1.html"' in page
    assert f"&lt;iframe src=&#34;{GAME}/embed" in page or f'&lt;iframe src="{GAME}/embed"' in page


@pytest.mark.parametrize("user", [None, "red", "blue", "staff"])
def test_nobody_finds_what_bots_wrote_in_it(played: Site, user: str | None) -> None:
    """Not even the bot's own team, signed in or with its token: the file may be given to anybody."""
    for path in TAKEN:
        headers = played.headers(user) if path.startswith(API) else sign_in(played, user)
        taken = played.client.get(path, headers=headers)
        assert taken.status_code == 200, path
        assert EVIDENCE not in taken.text, path
        assert "worker-7" not in taken.text, path


def test_only_the_embedded_page_may_be_framed(played: Site) -> None:
    """Everything else says that it may not, also beside it and below it."""
    framed = played.client.get(f"{GAME}/embed").headers["content-security-policy"]
    assert "frame-ancestors *" in framed
    usual = played.client.get(GAME).headers["content-security-policy"]
    assert framed.replace("ancestors *", "ancestors 'none'") == usual
    others = (
        "/",
        GAME,
        f"{GAME}/game.html",
        f"{GAME}/embed/",
        f"{GAME}/embed/x",
        "/my",
        "/sign-in",
        "/static/board.js",
    )
    for path in (
        *others,
        f"{API}{GAME}",
        "/tournaments/cup/matches/x/embed",
        "/tournaments/a/b/matches/1/embed",
    ):
        answer = played.client.get(path, follow_redirects=False)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], path


def test_the_embedded_page_has_one_game_and_nothing_to_press_but_that(played: Site) -> None:
    """Names, result, board and a way to the arena; no form and no reader's name; a ply can be linked to."""
    page = played.client.get(f"{GAME}/embed?ply=1", headers=sign_in(played, "red"))
    outline = Outline(page.text)
    assert [len(outline.all(tag)) for tag in ("h1", "form", "header", "iframe")] == [1, 0, 1, 0]
    assert "Ply 1 of" in page.text
    assert "malformed" not in page.text
    assert "unreadable answer" in page.text
    assert "Sign out" not in page.text
    assert [each["href"] for each in outline.all("a") if not str(each["href"]).startswith("?")] == [GAME]


def test_before_its_end_there_is_no_file(used: Site) -> None:
    """The embedded page says how the game stands and follows it; a parked one has no moves to follow."""
    start_cup(used)
    for path in FILES:
        refused = used.client.get(path)
        assert refused.status_code == 409, path
    page = used.client.get(TAKEN[2]).text
    assert f'data-live="{API}{GAME}/events?after=' in page
    park(used)
    assert "data-live" not in used.client.get(TAKEN[2]).text


def test_in_a_freeze_it_is_not_over(used: Site) -> None:
    """For the public and others there is neither result nor file, for the staff and its own team both are."""
    start_cup(used)
    with used.world.database.transaction() as session:
        freezing.freeze(session, used.world.staff, used.world.get(session), own=True)
        messages = issue_matches(session, used.world.settings)
    for message in messages:
        used.world.record(message)
    for user in (None, "red", "staff"):
        page = used.client.get(TAKEN[2], headers=sign_in(used, user)).text
        assert not re.search(r"\d+ : \d+", page)
        assert "data-live" not in page
        assert used.client.get(TAKEN[0], headers=sign_in(used, user)).status_code == 409
    told = {user: used.get(f"{GAME}/file", user).status_code for user in (None, "elsewhere", "red", "staff")}
    assert told == {None: 409, "elsewhere": 409, "red": 200, "staff": 200}
