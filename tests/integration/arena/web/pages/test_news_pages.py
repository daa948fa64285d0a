"""News on the pages and as a feed: what is new, the mark, the count in the header, and who reads it."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import feedparser
import pytest

from arena.core.terms import Scope
from arena.people import users
from arena.store import events
from arena.store.models import Tournament
from arena.store.models.event_types import Announced
from arena.tournaments import freezing, lifecycle
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site, play_cup, start_cup
from tests.integration.arena.web.pages.browser import read, send

HOSTILE = "<script>alert(1)</script>\n\"'&]]>\u202egnp.exe 第三輪"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def cup(site: Site) -> Site:
    """A cup of `red` and `blue` in which two games were played, and somebody of every role."""
    start_cup(site)
    play_cup(site)
    settle(site)
    return site


def _unread(page: str) -> int:
    found = re.search(r'data-unread="(\d+)"', page)
    assert found is not None
    return int(found[1])


def _announce(site: Site, text: str, tournament: str | None = "cup") -> None:
    told = site.post("/announcements", "staff", json={"text": text, "tournament": tournament})
    assert told.status_code == 201, told.text


def test_the_count_in_the_header_is_what_is_new(cup: Site) -> None:
    """It stands on all pages of who is signed in, grows with what happens, and goes with what was seen."""
    red = sign_in(cup, "ruby")["Cookie"]
    before = _unread(read(cup, "/", red).text)
    _announce(cup, "lunch")
    for path in ("/", "/tournaments/cup", "/my"):
        assert _unread(read(cup, path, red).text) == before + 1, path
    assert _unread(read(cup, "/my/news", red).text) == before + 1  # reading alone moves nothing
    assert send(cup, "/my/news/seen", red).headers["location"] == "/my/news"
    assert _unread(read(cup, "/", red).text) == 0
    staff = sign_in(cup, "staff")["Cookie"]
    before = _unread(read(cup, "/", staff).text)
    assert cup.post("/me/following", "staff", json={"team": "blue"}).status_code == 200
    _announce(cup, "dinner")  # news of following is counted when something happens
    assert _unread(read(cup, "/", staff).text) > before
    assert "data-unread" not in read(cup, "/").text


def test_new_things_stay_marked_while_the_page_is_looked_through(cup: Site) -> None:
    """The pages of the list and the next look at it have the mark of the first look in their addresses."""
    red = sign_in(cup, "red")["Cookie"]
    first = read(cup, "/my/news?limit=1", red)
    assert first.headers["cache-control"] == "no-store"
    (following,) = re.findall(r'rel="next" href="([^"]+)"', first.text)
    news = cup.get("/me/news", "red").json()
    (until,) = re.findall(r'name="until" value="([^"]+)"', first.text)
    assert until.replace("+00:00", "Z") == news["items"][0]["at"]
    send(cup, "/my/news/seen", red, until=until)
    second = read(cup, "/my/news" + following.replace("&amp;", "&"), red).text
    assert 'class="tournament new"' in second
    assert "data-seen" not in second
    assert ' new"' not in read(cup, "/my/news", red).text


def test_the_api_has_the_same(cup: Site) -> None:
    """A program reads the list, sees it by a moment of its own, and reading moves nothing."""
    told = cup.get("/me/news", "red").json()
    kinds = [each["kind"] for each in told["items"]]
    assert kinds == ["results", "tournament", "tournament"]
    assert all(each["is_new"] for each in told["items"])
    assert cup.get("/me/news", "red").json() == told
    mark = cup.post("/me/news/seen", "red", json={"until": told["items"][1]["at"]}).json()
    assert mark == {"seen_at": told["items"][1]["at"], "unread": 1}
    assert cup.post("/me/news/seen", "red", json={}).json()["unread"] == 0
    assert cup.get("/me/news", "ruby").json()["items"][0]["bot"] == "red"


def test_what_scripts_are_told(cup: Site) -> None:
    """How much is unread, and the newest of it in words of the reader's language, without markup."""
    red = sign_in(cup, "red")["Cookie"]
    with cup.world.database.transaction() as session:
        session.query(Tournament).filter_by(name="cup").update({"title": "A & B <b>"})
    _announce(cup, HOSTILE)
    told = read(cup, "/my/news/unread", red).json()
    assert told["newest"]["title"] == "A & B <b>: announcement"
    assert told["newest"]["text"] == HOSTILE
    chinese = read(cup, "/my/news/unread", red, **{"Accept-Language": "zh-TW"}).json()
    assert chinese["newest"]["title"] == "A & B <b>\N{FULLWIDTH COLON}公告"
    send(cup, "/my/news/seen", red)
    assert read(cup, "/my/news/unread", red).json() == {"unread": 0, "newest": None}


def test_hostile_texts_are_shown_as_text(cup: Site) -> None:
    """Wherever an announcement stands, its markup is text, and its direction its own."""
    _announce(cup, HOSTILE)
    told = cup.post("/classes/7a/announcements", "teacher", json={"text": HOSTILE})
    assert told.status_code == 201
    pages = [
        read(cup, path, sign_in(cup, who)["Cookie"]).text
        for path, who in (
            *(("/my", "red"), ("/my/news", "red"), ("/manage/cup", "teacher"), ("/classes/7a", "teacher")),
            *(("/tournaments/cup", "red"), ("/tournaments/cup/announcements", "red")),
        )
    ]
    for page in pages:
        assert "<script>alert" not in page
        assert '<p class="said" dir="auto">&lt;script&gt;' in page


def test_announcing_on_the_pages(cup: Site) -> None:
    """Who runs a tournament or a class announces there; what is refused is shown again as it was typed."""
    teacher = sign_in(cup, "teacher")["Cookie"]
    for base in ("/manage/cup", "/classes/7a"):
        path = f"{base}/announcements"
        told = send(cup, path, teacher, text="At two.\r\nIn the hall.")
        assert told.headers["location"] == f"{base}#announcements"
        assert "At two.\nIn the hall.</p>" in read(cup, base, teacher).text
        refused = send(cup, path, teacher, text="x" * 2001)
        assert (refused.status_code, "x" * 2001 + "</textarea>" in refused.text) == (422, True)
    public = read(cup, "/tournaments/cup").text
    assert public.count("In the hall.") == 1


def test_announcing_to_everybody_on_the_page(cup: Site) -> None:
    """An administrator does; Home shows everybody the newest, and nothing of a class or a tournament."""
    staff = sign_in(cup, "staff")["Cookie"]
    assert 'id="announcements"' not in read(cup, "/").text
    _announce(cup, "of the cup alone", "cup")
    send(cup, "/classes/7a/announcements", sign_in(cup, "teacher")["Cookie"], text="of the class alone")
    for number in range(4):
        told = send(cup, "/staff/announcements", staff, text=f"notice {number} {HOSTILE}")
        assert told.headers["location"] == "/staff/announcements#announcements"
        home = read(cup, "/").text
        assert f"notice {number}" in home
    assert [f"notice {number}" in home for number in range(4)] == [False, True, True, True]
    assert ("alone" in home, "<script>alert" in home) == (False, False)
    assert "notice 0" in read(cup, "/staff/announcements", staff).text
    refused = send(cup, "/staff/announcements", staff, text="x" * 2001)
    assert (refused.status_code, "x" * 2001 + "</textarea>" in refused.text) == (422, True)
    assert "notice 3" in read(cup, "/", sign_in(cup, "blue")["Cookie"]).text


def test_a_page_that_is_kept_tells_what_was_announced_since(cup: Site) -> None:
    """A public page that is told again from the cache is made anew with an announcement, in a freeze too."""
    start_cup(cup, "going")
    with cup.world.database.transaction() as session:
        freezing.freeze(session, cup.world.staff, lifecycle.get(session, "going"), own=False)
    for name in ("cup", "going"):
        for path in (f"/tournaments/{name}", f"/tournaments/{name}/announcements"):
            assert "lunch is late" not in read(cup, path).text
        _announce(cup, "lunch is late", name)
        for path in (f"/tournaments/{name}", f"/tournaments/{name}/announcements"):
            assert "lunch is late" in read(cup, path).text, path
        assert cup.get(f"/tournaments/{name}/announcements").json()["total"] == 1


def _feed(site: Site, who: str = "red") -> str:
    made = send(site, "/account/feeds", sign_in(site, who)["Cookie"])
    (address,) = re.findall(r"<code data-copy>http://testserver(/feed/[^<]+)</code>", made.text)
    return str(address)


def _read_feed(site: Site, address: str, **headers: str) -> Any:
    site.client.cookies.clear()
    return site.client.get(address, headers=headers)


def test_the_feed_is_one_to_other_programs(cup: Site) -> None:
    """A parser of others finds nothing to complain of, and every entry has what RFC 4287 asks for."""
    _announce(cup, HOSTILE)
    answer = _read_feed(cup, _feed(cup))
    assert answer.headers["content-type"] == "application/atom+xml"
    parsed = feedparser.parse(answer.content)
    assert (parsed.bozo, parsed.version, parsed.feed.title) == (0, "atom10", "Bot Arena: news for red")
    assert [each.title for each in parsed.entries][1:3] == [
        parsed.entries[1].title,
        "cup: it has begun",
    ]
    assert parsed.entries[0].title == "cup: announcement"
    root = ET.fromstring(answer.content)  # noqa: S314  (our own)
    for element in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated", "link"):
            assert len(element.findall(ATOM + name)) == 1, name
    texts = [each.text for each in root.iter(f"{ATOM}content")]
    assert texts[0] == HOSTILE
    identities = [each.text for each in root.iter(f"{ATOM}id")]
    assert len(set(identities)) == len(identities)
    assert all((each or "").startswith("urn:uuid:") for each in identities)
    assert all(each.link.startswith("http://testserver/") for each in parsed.entries)


def test_a_feed_says_when_there_is_nothing_new(cup: Site) -> None:
    """Who has just this is told so until something happens; the same things keep their identities."""
    address = _feed(cup)
    first = _read_feed(cup, address)
    etag = first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    again = _read_feed(cup, address, **{"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    cup.post("/me/news/seen", "red", json={})  # what was seen on the pages changes nothing here
    assert _read_feed(cup, address, **{"If-None-Match": etag}).status_code == 304
    _announce(cup, "lunch")
    now = _read_feed(cup, address, **{"If-None-Match": etag})
    assert now.status_code == 200
    before = {each.id for each in feedparser.parse(first.content).entries}
    assert before < {each.id for each in feedparser.parse(now.content).entries}
    assert "程式" not in now.text
    assert "機器人競技場" in _read_feed(cup, address, **{"Accept-Language": "zh-TW"}).text


def test_what_xml_has_no_words_for_is_left_out(cup: Site) -> None:
    """A text of old days with control characters makes no feed that cannot be read."""
    with cup.world.database.transaction() as session:
        events.log(session, Announced("bell\x07\x1b\ufffe"), tournament=lifecycle.get(session, "cup"))
    answer = _read_feed(cup, _feed(cup))
    assert feedparser.parse(answer.content).bozo == 0
    assert "bell\ufffd" in answer.text


def test_the_address_of_a_feed_is_good_for_nothing_else(cup: Site) -> None:
    """Its secret reads the feed of its user until it is revoked; it is no other token and signs nobody in."""
    address = _feed(cup, "ruby")
    secret = address.rpartition("/")[2]
    cup.tokens["feed"] = secret
    for path in ("/me", "/me/news", "/me/tokens", "/tournaments"):
        assert cup.get(path, "feed").status_code == 403, path
    assert cup.post("/me/news/seen", "feed", json={}).status_code == 403
    assert send(cup, "/sign-in/token", token=secret).status_code == 403
    for other in ("nonsense", cup.tokens["red"], cup.world.staff_token):
        assert _read_feed(cup, f"/feed/{other}").status_code == 404
    with cup.world.database.reading() as session:
        (token,) = [
            each for each in users.tokens(session, users.get(session, "ruby")) if each.scope is Scope.FEED
        ]
    ruby = sign_in(cup, "ruby")["Cookie"]
    page = read(cup, "/account", ruby).text
    assert secret not in page
    assert f"/account/tokens/{token.id}/revoke" in page
    assert _read_feed(cup, address).status_code == 200
    send(cup, f"/account/tokens/{token.id}/revoke", ruby)
    assert _read_feed(cup, address).status_code == 404


def test_a_feed_in_a_freeze(cup: Site) -> None:
    """Behind a freeze the feed has what the pages have: no results, unless teams see their own."""
    start_cup(cup, "going")
    address = _feed(cup)
    play_cup(cup)
    assert "red in going" in _read_feed(cup, address).text
    with cup.world.database.transaction() as session:
        freezing.freeze(session, cup.world.staff, lifecycle.get(session, "going"), own=False)
    frozen = _read_feed(cup, address).text
    assert "red in going" not in frozen
    assert "new results are hidden" in frozen
    assert "red in cup" in frozen
