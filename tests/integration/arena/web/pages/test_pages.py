"""The pages show what is there, in both languages, and refuse what is not."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from arena.core.terms import MatchState
from engines.games import find_game
from tests.integration.arena.site import EVIDENCE, Site, park, play_cup, start_cup
from tests.integration.arena.world import issue_matches
from tests.unit.workers.play.test_policy import dancers
from workers.play import referee

PAGES = [
    "/",
    "/tournaments",
    "/ratings",
    "/games",
    "/games/heap_nim",
    "/bots",
    "/tournaments/cup",
    "/tournaments/cup/crosstable",
    "/tournaments/cup/balance",
    "/tournaments/cup/accuracy",
    "/tournaments/cup/bots/red",
    "/tournaments/cup/head-to-head?one=red&other=blue",
    "/tournaments/cup/ratings",
    "/tournaments/cup/ratings/history",
    "/tournaments/cup/ratings/history?kind=online",
    "/tournaments/cup/matches",
    "/tournaments/cup/matches?bot=red&state=finished",
    "/tournaments/cup/matches/1",
    "/tournaments/cup/matches/1?ply=0",
    "/tournaments/cup/matches/1?ply=1",
]
VOID = {"meta", "link", "br", "img", "input"}


class Outline(HTMLParser):
    """What a page is made of; fails on tags not closed in order, and on styles and scripts within."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "style"
        assert tag != "script" or (dict(attrs).get("src") or "").startswith("/static/")
        assert not {name for name, _ in attrs if name == "style" or name.startswith("on")}
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, _: str) -> None:
        assert self.open[-1:] != ["script"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of every such tag."""
        return [attributes for name, attributes in self.found if name == tag]


def _page(site: Site, path: str, **headers: str) -> Any:
    answer = site.client.get(path, headers=headers)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    return answer


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("lang", ["en", "zh-Hant-TW"])
def test_every_page_in_every_language(site: Site, path: str, lang: str) -> None:
    """Every page is well-formed, says its language and has a title, a skip link and captions."""
    start_cup(site, openings=1, opening_plies=2)
    play_cup(site)
    answer = _page(site, path, **{"Accept-Language": lang})
    outline = Outline(answer.text)
    assert outline.all("html")[0]["lang"] == lang
    assert outline.all("a")[0]["href"] == "#main"
    assert len(outline.all("h1")) == 1
    assert len(outline.all("table")) == len(outline.all("caption"))
    assert all(cell.get("scope") for cell in outline.all("th"))
    title = re.search("<title>(.*)</title>", answer.text)
    assert title is not None
    assert ("機器人競技場" in title[1]) == (lang != "en")


@pytest.mark.parametrize("path", [*PAGES, "/nothing", "/static/site.css"])
def test_security_headers(site: Site, path: str) -> None:
    """Every answer carries the headers that keep it from loading or being framed by anything else."""
    start_cup(site)
    headers = site.client.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'self'; script-src 'self'; object-src")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_links_lead_somewhere(site: Site) -> None:
    """Whatever a page links to is there."""
    start_cup(site)
    play_cup(site)
    for path in PAGES:
        outline = Outline(_page(site, path).text)
        for link in [*outline.all("a"), *outline.all("link")]:
            address = str(link["href"]).partition("#")[0]
            address = path.partition("?")[0] + address if address.startswith("?") else address
            assert site.client.get(address or path).status_code == 200, (path, address)


def test_an_empty_arena(site: Site) -> None:
    """Without tournaments the index says how to make one; an empty tournament has empty tables."""
    assert "arena tournament create" in _page(site, "/").text
    plan = {"name": "empty", "game": "heap_nim"}
    site.post("/tournaments", "staff", json=plan)
    for path in ("", "/crosstable", "/matches"):
        Outline(_page(site, f"/tournaments/empty{path}").text)


def test_a_running_tournament_refreshes(site: Site) -> None:
    """A page refreshes itself while games are played, and only then."""
    start_cup(site)
    refresh = '<meta http-equiv="refresh"'
    assert refresh in _page(site, "/tournaments/cup").text
    site.post("/tournaments/cup/cancel", "staff")
    assert refresh not in _page(site, "/tournaments/cup").text


def test_parked_games_show(site: Site) -> None:
    """A game that waits for the staff is not hidden."""
    start_cup(site)
    park(site)
    assert site.world.match().state == MatchState.PARKED
    assert "1 game could not be played" in _page(site, "/tournaments/cup").text
    page = _page(site, "/tournaments/cup/matches/1").text
    assert "This game could not be played and waits for the staff." in page
    assert "no worker could play it" not in page
    Outline(page)


def test_games_called_off_show(site: Site) -> None:
    """A game that the staff has dropped is told of, and is not among those to be played."""
    start_cup(site)
    park(site)
    play_cup(site)
    site.post("/tournaments/cup/matches/1/drop", "staff", json={"reason": "secret"})
    page = _page(site, "/tournaments/cup").text
    assert "1 of 1 game<" in page
    assert "1 game was called off and counts for nobody." in page
    page = _page(site, "/tournaments/cup/matches/1").text
    assert "This game was called off and counts for nobody." in page
    assert "secret" not in page
    Outline(page)
    assert "1 / 1" in _page(site, "/tournaments").text
    site.post("/tournaments/cup/cancel", "staff")
    Outline(_page(site, "/tournaments/cup").text)


def test_the_board_at_a_ply(site: Site) -> None:
    """The board is drawn after the asked ply; past the end it is the last position."""
    start_cup(site)
    play_cup(site)
    moves = site.get("/tournaments/cup/matches/1").json()["moves"]
    first = _page(site, "/tournaments/cup/matches/1?ply=0").text
    assert "Board after ply 0: 2 discs of X, 2 of O" in first
    assert 'rel="prev"' not in first
    assert 'rel="next"' in first
    assert "Board after ply 1: 4 discs of X, 1 of O" in _page(site, "/tournaments/cup/matches/1?ply=1").text
    last = _page(site, "/tournaments/cup/matches/1").text
    assert f"Board after ply {len(moves)}" in last
    assert 'rel="next"' not in last
    assert f"Board after ply {len(moves)}" in _page(site, "/tournaments/cup/matches/1?ply=999").text


def test_a_forfeit_without_its_evidence(site: Site) -> None:
    """A forfeit is shown with its kind and ply; what the bot wrote is not."""
    start_cup(site)
    play_cup(site, forfeit=True)
    page = _page(site, "/tournaments/cup/matches/1").text
    assert "forfeits at ply 3: unreadable answer." in page
    assert re.search(r'<td class="num">3</td>\n<td>(?:(?!</tr>)[\s\S])*forfeit: unreadable answer', page)
    assert "Plies are counted from 1" in page
    assert 'href="/api/v1/tournaments/cup/matches/1/record" download="cup-1.jsonl"' in page
    assert EVIDENCE not in page


@pytest.mark.parametrize(
    ("reversed_", "name", "winner", "loser"),
    [(True, "反轉黑白棋", "子少者勝", "子多者勝"), (False, "黑白棋", "子多者勝", "子少者勝")],
)
def test_which_score_wins(site: Site, *, reversed_: bool, name: str, winner: str, loser: str) -> None:
    """Where the game or its score stands, the page says whether few discs win or many."""
    start_cup(site, params={"size": 4, "reversed": reversed_})
    play_cup(site)
    for path, times in (("", 1), ("/matches", 1), ("/matches/1", 2)):
        page = _page(site, f"/tournaments/cup{path}", **{"Accept-Language": "zh-TW"}).text
        assert page.count(winner) == times
        assert loser not in page
        assert path == "/matches" or re.search(rf"\b{name}\s+4.4(</a>)?\s+.{winner}", page)


def test_nim(site: Site) -> None:
    """Another game has another board, and a crosstable without discs."""
    start_cup(site, game="heap_nim", params={"heaps": [3, 4, 25]})
    page = _page(site, "/tournaments/cup/matches/1").text
    assert "Board after ply 0: heaps of 3, 4, 25" in page
    assert "Own discs" not in _page(site, "/tournaments/cup").text


@pytest.mark.parametrize(
    ("game", "params", "board", "words"),
    [
        ("circle_nim", {"rows": 3}, "Board after ply 0: circles left: 1, 2, 3, 4, 5, 6", "消圈圈 3 層"),
        ("l_game", {}, "Board after ply 0: row by row: *XX. / .OX. / .OX. / .OO*", "L棋"),
        ("rhombic_chess", {}, "Board after ply 0: row by row: . / ... / ..... / ... / .", "斜方棋"),
    ],
)
def test_the_other_games_boards(
    site: Site, game: str, params: dict[str, Any], board: str, words: str
) -> None:
    """Each has a drawing at every ply, with words for those who cannot see it, and a Chinese name."""
    start_cup(site, game=game, params=params)
    assert board in _page(site, "/tournaments/cup/matches/1").text
    play_cup(site)
    for ply in (0, 1, 2, 999):
        page = _page(site, f"/tournaments/cup/matches/1?ply={ply}").text
        assert "<svg" in page
        Outline(page)
    plan = _page(site, "/tournaments/cup", **{"Accept-Language": "zh-Hant-TW"}).text
    assert words in " ".join(plan.split())
    assert ("同一盤面出現 3 次" in plan) == find_game(game).can_repeat


def test_a_drawn_game_says_why(site: Site) -> None:
    """A draw by the policy is told in words, in both languages."""
    start_cup(site, game="l_game", params={})
    with site.world.database.transaction() as session:
        messages = issue_matches(session, site.world.settings)
    for message in messages:
        site.world.record(message, referee.play(message.spec, dancers()))
    page = _page(site, "/tournaments/cup/matches/1").text
    assert "A draw: the same position came up too often." in page
    page = _page(site, "/tournaments/cup/matches/1", **{"Accept-Language": "zh-Hant-TW"}).text
    assert "同一盤面重複出現。" in page


def test_texts_are_escaped(site: Site) -> None:
    """What a request holds comes back harmless."""
    page = site.client.get("/tournaments/%3Cscript%3Ealert(1)%3C%2Fscript%3E")
    assert page.status_code == 404
    assert "<script>" not in page.text
    assert "<script>" not in _page(site, '/?x="><script>').text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nothing", 404),
        ("/tournaments/none", 404),
        ("/tournaments/cup/matches/99", 404),
        ("/tournaments/cup/matches/x", 422),
        ("/tournaments/cup/matches/1?ply=-1", 422),
        ("/tournaments/cup/matches/1?ply=99999999999999999999", 422),
        ("/tournaments/cup/matches?bot=none", 404),
        ("/tournaments/cup/matches?state=odd", 422),
        ("/bots?limit=0", 422),
        ("/bots?offset=" + "9" * 30, 422),
        ("/tournaments/%00", 404),
        ("/static/../app.py", 404),
        ("/static/%2e%2e/__init__.py", 404),
    ],
)
def test_bad_addresses(site: Site, path: str, status: int) -> None:
    """What is not there or cannot be is a page that says so."""
    start_cup(site)
    answer = site.client.get(path)
    assert answer.status_code == status
    Outline(answer.text)


def test_methods(site: Site) -> None:
    """Pages are for reading."""
    assert site.client.post("/").status_code == 405
