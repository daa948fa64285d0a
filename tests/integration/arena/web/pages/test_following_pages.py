"""Following a team on a bot's pages: the button says whether one does, and readers do, too."""

from __future__ import annotations

import pytest

from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site, play_cup, start_cup

BUTTONS = {True: 'action="/my/following/remove"', False: 'action="/my/following"'}


@pytest.fixture
def used(site: Site) -> Site:
    """A tournament that was played, and somebody of every role."""
    start_cup(site)
    play_cup(site)
    settle(site)
    return site


def _button(site: Site, user: str | None, bot: str = "blue", tab: str = "") -> bool:
    """Whether the button of a bot's page says that one follows its team."""
    page = site.client.get(f"/bots/{bot}{tab}", headers=sign_in(site, user)).text
    (said,) = [follows for follows, button in BUTTONS.items() if button in page]
    return said


def test_the_button_says_whether_one_follows(used: Site) -> None:
    """On each page of a bot, in each language, for who does, and for nobody else; one's own has none."""
    assert used.post("/me/following", "red", json={"team": "blue"}).status_code == 200
    for tab in ("", "/matches", "/opponents", "/tournaments", "/ratings"):
        assert [_button(used, user, tab=tab) for user in ("red", "ruby", "looker", None)] == [
            True,
            False,
            False,
            False,
        ]
    assert not _button(used, "blue", "red")
    for member in ("red", "ruby"):
        own = used.client.get("/bots/red", headers=sign_in(used, member)).text
        assert not any(button in own for button in BUTTONS.values())
    chinese = used.client.get("/bots/blue?lang=zh-Hant-TW", headers=sign_in(used, "red")).text
    assert "你正在追蹤 blue。" in chinese
    used.client.cookies.clear()
    red = sign_in(used, "red")
    used.client.post("/my/following/remove", headers=red, data={"team": "blue"})
    assert not _button(used, "red")


def test_a_reader_follows_a_team(used: Site) -> None:
    """They are told of its public results, and led to no pages of a team."""
    looker = sign_in(used, "looker")
    sent = used.client.post("/my/following", headers=looker, data={"team": "blue"}, follow_redirects=False)
    assert (sent.status_code, sent.headers["location"]) == (303, "/my/following")
    listed = used.client.get("/my/following", headers=looker).text
    assert 'href="/bots/blue"' in listed
    assert 'href="/my"' not in listed
    news = used.client.get("/my/news", headers=looker).text
    assert 'href="/bots/blue/matches' in news
    assert 'href="/my"' not in news
    told = used.get("/me/news", "looker").json()["items"]
    assert {(each["kind"], each["team"]) for each in told if each["team"]} >= {("results", "blue")}
    assert 'href="/my/news"' in used.client.get("/", headers=looker).text
    feed = used.client.post("/account/feeds", headers=looker)
    assert (feed.status_code, "/feed/" in feed.text) == (200, True)
