"""A tournament's page says how long it takes, in both languages."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from arena.web.pages.ttl_cache import TtlCache
from tests.integration.arena.planning.playing import finish, issue
from tests.integration.arena.roles import sign_in
from tests.integration.arena.site import Site
from tests.integration.arena.web.pages.browser import read
from tests.integration.arena.web.pages.test_pages import Outline

SHORT = {"move_ms": 1000, "extensions": 0, "extension_ms": 1000}


def _text(site: Site, name: str, lang: str, **asked: str) -> str:
    answer = site.client.get(f"/tournaments/{name}", params=asked, headers={"Accept-Language": lang})
    assert answer.status_code == 200
    Outline(answer.text)
    return " ".join(unescape(re.sub("<[^>]*>", " ", answer.text)).split())


@pytest.mark.parametrize(("lang", "words"), [("en", "How long it takes"), ("zh-Hant-TW", "所需時間")])
def test_before_the_start_it_says_how_long_it_takes(site: Site, lang: str, words: str) -> None:
    """Matches, the expected and the worst duration and what they rest on are there."""
    site.world.tournament("draft", bots=6, start=False, time=SHORT)
    text = _text(site, "draft", lang)
    assert words in text
    assert ("Games 15" in text) == (lang == "en")
    assert ("an assumption" in text) == (lang == "en")
    assert ("假設值" in text) == (lang != "en")


@pytest.mark.parametrize(("lang", "words"), [("en", "What is left"), ("zh-Hant-TW", "剩餘賽程")])
def test_while_it_runs_it_says_what_is_left(site: Site, lang: str, words: str) -> None:
    """The matches left, when they are over, and that this rests on the tournament itself."""
    site.world.tournament(bots=4, time=SHORT)
    for message in issue(site.world, 5):
        finish(site.world, message, (1, 1), 3.0)
    text = _text(site, "cup", lang)
    assert words in text
    assert ("1 left" in text) == (lang == "en")
    assert "3 s" in text if lang == "en" else "3 秒" in text


def test_a_swiss_and_a_pause_are_told(site: Site) -> None:
    """Rounds to come are counted, and a pause stops the clock."""
    site.world.tournament(bots=6, time=SHORT, format="swiss")
    site.post("/tournaments/cup/pause", "staff")
    text = _text(site, "cup", "en")
    assert "about 6 in rounds to come" in text
    assert "from when it goes on" in text


@pytest.mark.parametrize(
    ("lang", "fits", "not_so", "change"),
    [
        (
            "en",
            "It fits, even if every game takes as long as its clocks allow.",
            "It does not fit.",
            "30 games at once",
        ),
        ("zh-Hant-TW", "即使每局都用盡時限也來得及", "來不及。", "同時進行 30 局"),
    ],
)
def test_the_form_says_whether_it_fits(site: Site, lang: str, fits: str, not_so: str, change: str) -> None:
    """What is left empty is not asked; where it does not fit, what would is told."""
    site.world.tournament("draft", bots=2, start=False, time=SHORT)
    asked = {"bots": "30", "workers": "", "start": "2030-05-20T13:00", "until": "2030-05-20T18:00"}
    assert fits in _text(site, "draft", lang, **asked)
    text = _text(site, "draft", lang, **asked | {"until": "2030-05-20T13:00:20"})
    assert not_so in text
    assert re.search(change.replace("30", r"\d+"), text)


def test_the_form_says_what_cannot_be(site: Site) -> None:
    """A question that the planner refuses is answered with its words beside the form, which keeps it."""
    site.world.tournament("draft", bots=2, start=False, time=SHORT)
    text = _text(site, "draft", "en", start="13:00", until="2020-05-20T13:00")
    assert "is before the start; name a later time" in text
    page = site.client.get("/tournaments/draft?until=%22%3E%3Cb%3E&bots=3")
    inputs = {each["name"]: each["value"] for each in Outline(page.text).all("input")}
    assert inputs == {"bots": "3", "workers": "", "start": "", "until": '"><b>'}
    assert "is no time" in page.text
    assert "<b>" not in page.text


@pytest.mark.parametrize(
    ("plan", "asked", "told"),
    [
        ({"format": "groups"}, {"bots": "3"}, "這項預估以 3 個機器人計算"),
        ({}, {"start": "9"}, "「9」不是時間"),
        ({"format": "knockout"}, {"bots": "1000"}, "淘汰賽最多以"),
    ],
)
def test_what_cannot_be_is_told_in_chinese(
    site: Site, plan: dict[str, str], asked: dict[str, str], told: str
) -> None:
    """The planner's refusals stand in the reader's language on the tournament's page and in the wizard."""
    site.world.tournament("draft", bots=2, start=False, time=SHORT, **plan)
    assert told in _text(site, "draft", "zh-Hant-TW", **asked)
    query = urlencode({**plan, **asked})
    cookie = sign_in(site, "staff")["Cookie"]
    page = read(site, f"/manage/new?{query}", cookie, **{"Accept-Language": "zh-Hant-TW"})
    assert told in page.text


def test_what_is_left_is_worked_out_once_for_many(site: Site) -> None:
    """Whoever looks before its time is over is told the same; a pause is another question."""
    site.client.app.state.kept_etas._clock = lambda: 0.0  # type: ignore[attr-defined]  # it stands still
    site.world.tournament(bots=4, time=SHORT)
    first = _text(site, "cup", "en")
    (message,) = issue(site.world, 1)
    finish(site.world, message, (1, 1), 3.0)
    assert "6 left" in first
    assert "6 left" in _text(site, "cup", "en")
    site.post("/tournaments/cup/pause", "staff")
    assert "5 left" in _text(site, "cup", "en")


@pytest.mark.parametrize("lang", ["en", "zh-Hant-TW"])
def test_repeated_games_are_shown_with_their_numbers(site: Site, lang: str) -> None:
    """The warning stands above the numbers; those that were played are named."""
    site.client.app.state.kept_etas = TtlCache(0)  # type: ignore[attr-defined]  # nothing is kept
    site.world.tournament(bots=2, time=SHORT, options={"cycles": 5})
    assert ("up to 3 times" if lang == "en" else "最多 3 次") in _text(site, "cup", lang)
    for message in issue(site.world, 3):
        finish(site.world, message, (1, 1), 3.0, same=True)
    assert "1 = 3" in _text(site, "cup", lang)


def test_few_bots_a_ladder_and_the_end_are_no_errors(site: Site) -> None:
    """With one bot nothing is said; a ladder says that it goes on; one that is over has no such part."""
    site.world.tournament("few", bots=1, start=False)
    assert "Expected" not in _text(site, "few", "en")
    site.world.tournament("ladder", bots=3, start=False, format="ladder")
    assert "until it is ended" in _text(site, "ladder", "en")
    site.world.tournament("begun", bots=3)
    site.post("/tournaments/begun/cancel", "staff")
    assert "What is left" not in _text(site, "begun", "en")
