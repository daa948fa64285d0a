"""What the tables say beside their numbers: what orders them, who left, and how a bracket went."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena.tournaments import freezing
from tests.integration.arena.roles import settle, sign_in
from tests.integration.arena.site import Site, play_cup, site, start_cup
from tests.integration.arena.ticking import coordinator_of
from tests.integration.arena.world import issue_matches

__all__ = ["site"]


def _text(site: Site, path: str, lang: str = "en") -> str:
    answer = site.client.get(path, headers={"Accept-Language": lang})
    assert answer.status_code == 200
    text: str = answer.text
    return text


def test_each_column_says_what_it_counts(site: Site) -> None:
    """The chain stands below the table, and over each of its columns what it is and by which rules."""
    start_cup(site, standings_order=["points", "buchholz_cut1", "lot"])
    page = _text(site, "/tournaments/cup")
    assert ">Points</span> → " in page.replace("\n", "")
    told = "The sum of the points of all opponents without the lowest"
    rules = f"{told} (FIDE Handbook C.07, 1 March 2026, 8.1 and 14.1)"
    assert f'title="{rules}">Buchholz cut 1</button>' in page
    assert f'popover id="told-buchholz_cut1">{rules}</span>' in page
    assert "去掉最低的一個" in _text(site, "/tournaments/cup", "zh-Hant-TW")


def test_wins_that_decide_have_a_column_beside_the_games_won(site: Site) -> None:
    """Byes and forfeits of others are among them; what was won at the board stands where it always does."""
    start_cup(site, standings_order=["points", "wins"])
    page = _text(site, "/tournaments/cup")
    assert (
        'whole byes and forfeits of others count too (FIDE Handbook C.07, 1 March 2026, 7.1)">Wins<' in page
    )
    assert '<th scope="col" class="num">Won</th>' in page
    start_cup(site, "league")
    assert ">Wins<" not in _text(site, "/tournaments/league")


@pytest.mark.parametrize("path", ["", "/crosstable"])
def test_who_left_is_marked(site: Site, path: str) -> None:
    """A bot that withdrew has a mark in both languages, the other one has none."""
    start_cup(site)
    answer = site.post("/tournaments/cup/entries/red/withdraw", "staff", json={"reason": "ill"})
    assert answer.status_code == 200
    assert (
        _text(site, f"/tournaments/cup{path}").count('<small class="state cancelled">withdrawn</small>') == 1
    )
    lines = site.get("/tournaments/cup/leaderboard").json()["items"]
    assert {line["bot"]: line["left_as"] for line in lines} == {"red": "withdrawn", "blue": None}


def test_a_large_crosstable_is_cut_and_says_so(site: Site) -> None:
    """Rows and columns keep their places; what is left out is on each bot's page, to which it leads."""
    start_cup(site)
    play_cup(site)
    second = site.get("/tournaments/cup/leaderboard").json()["items"][1]["bot"]
    page = _text(site, "/tournaments/cup/crosstable?offset=1&limit=1")
    assert f'<span class="index">2</span> <a href="/tournaments/cup/bots/{second}">' in page
    assert f'<abbr title="{second}">2</abbr>' in page
    assert "against all the others is on its own page" in page
    assert 'rel="prev" href="?offset=0&amp;limit=1"' in page
    assert "on its own page" not in _text(site, "/tournaments/cup/crosstable")


def test_a_bracket_is_shown_by_its_stages(site: Site) -> None:
    """The final of two stands above the crosstable with its result; a round robin has no bracket."""
    start_cup(site, format="knockout")
    page = _text(site, "/tournaments/cup/crosstable")
    assert "<h3>Final</h3>" in page
    assert "goes on" not in page
    play_cup(site, forfeit=True)
    page = _text(site, "/tournaments/cup/crosstable")
    assert page.count('class="side won"') == page.count(">goes on<") == 1
    assert [each for each in ("0", "1") if f'<span class="made">{each}</span>' in page] == ["0", "1"]
    assert "決賽" in _text(site, "/tournaments/cup/crosstable", "zh-Hant-TW")
    start_cup(site, "league")
    assert "Bracket" not in _text(site, "/tournaments/league/crosstable")


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ({"openings": 1}, "2 openings of 2 plies were drawn"),
        (
            {"format": "round_robin", "options": {"cycles": 3}, "openings": 1},
            "3 openings of 2 plies were drawn",
        ),
        ({"format": "swiss", "openings": 1}, "1 opening of 2 plies was drawn"),
        ({"format": "knockout", "openings": 1}, "4 openings of 2 plies were drawn"),
        ({"format": "knockout"}, "none but in tie-breaks, for which 3 openings of 2 plies were drawn"),
        ({"format": "round_robin"}, "none; every game starts at the beginning"),
    ],
)
def test_as_many_openings_are_told_as_were_drawn(site: Site, plan: dict[str, Any], told: str) -> None:
    """Cycles, brackets and tie-breaks have openings of their own; the page and the API count them all."""
    board: dict[str, Any] = {"game": "reversed_reversi", "params": {"size": 6}, "opening_plies": 2}
    start_cup(site, **board | plan)
    assert told in _text(site, "/tournaments/cup")
    drawn = site.get("/tournaments/cup").json()["openings_drawn"]
    assert str(drawn) in told or drawn == 0


def test_what_the_mean_of_a_game_decides_has_a_column_and_is_said(site: Site) -> None:
    """Of three in a Swiss one has a bye, so discs are compared by the game, beside their sum."""
    site.world.tournament("swiss", bots=3, format="swiss", standings_order=("points", "discs"))
    play_cup(site)
    page = _text(site, "/tournaments/swiss")
    assert "Own discs per game</button>" in page
    assert "By the mean of a game decide: Own discs</li>" in page
    assert "Points by the mean of a game" not in page
    assert "每局己方棋子" in _text(site, "/tournaments/swiss", "zh-Hant-TW")
    assert site.get("/tournaments/swiss/leaderboard").json()["means"] == ["discs"]


def test_matches_are_found_by_round_and_by_how_they_ended(site: Site) -> None:
    """Pages and API tell the same matches of a round, and those that were won, drawn or forfeited."""
    site.world.tournament(bots=4)
    play_cup(site, forfeit=True)
    assert site.get("/tournaments/cup/matches?ended=forfeit").json()["total"] == 6
    assert site.get("/tournaments/cup/matches?ended=won").json()["total"] == 0
    found = site.get("/tournaments/cup/matches?round=2&bot=cup-bot1&state=finished").json()
    assert [match["round"] for match in found["items"]] == [2]
    number = found["items"][0]["number"]
    page = _text(site, "/tournaments/cup/matches?round=2&bot=cup-bot1&state=&ended=forfeit")
    assert page.count('<tr id="match-') == 1
    assert f'<tr id="match-{number}">' in page
    assert "There is no such game" in _text(site, "/tournaments/cup/matches?ended=drawn")
    assert site.client.get("/tournaments/cup/matches?ended=lost").status_code == 422


def test_games_at_the_board_are_told_from_forfeits(site: Site) -> None:
    """Every match that was played is won or drawn, and each is found as one of them."""
    site.world.tournament(bots=4)
    play_cup(site)
    found = {
        ended: site.get(f"/tournaments/cup/matches?ended={ended}").json()["items"]
        for ended in ("won", "drawn", "forfeit")
    }
    assert found["forfeit"] == []
    assert all(match["result"]["winner"] is not None for match in found["won"])
    assert all(match["result"]["winner"] is None for match in found["drawn"])
    assert len(found["won"]) + len(found["drawn"]) == 6


def test_the_podium_stands_there_at_the_end(site: Site) -> None:
    """Of four the first three are on it once all is played, and nobody before."""
    site.world.tournament(bots=4)
    assert "podium" not in _text(site, "/tournaments/cup")
    play_cup(site)
    coordinator_of(site.world).tick()
    best = [line for line in site.world.leaderboard() if line.rank <= 3]
    page = _text(site, "/tournaments/cup")
    assert [f"<strong>{line.bot}</strong>" in page for line in best] == [True] * len(best)
    assert page.count('<span class="step">') == len(best)
    assert '<meta name="live"' not in page


def test_rank_changes_are_said_to_who_hears_the_page(site: Site) -> None:
    """Beside a rank that changed stands how far, in words too, and which round did it."""
    site.world.tournament(bots=4)
    play_cup(site)
    page = _text(site, "/tournaments/cup")
    assert "ranks won and lost by the games of round 3" in page
    ups = re.findall(r'▲(\d)</span><span class="hidden">up (\d) ranks?<', page)
    assert ups
    assert all(shown == said for shown, said in ups)
    assert f"上升 {ups[0][0]} 名" in _text(site, "/tournaments/cup/present", "zh-Hant-TW")


def test_the_projector_tells_what_is_played_and_what_comes(site: Site) -> None:
    """What a worker has taken has its board, but in a freeze; others come next; the sheet has the table."""
    site.world.tournament(bots=4)
    with site.world.database.transaction() as session:
        first, *_ = issue_matches(session, site.world.settings)
    assert "Being played" not in _text(site, "/tournaments/cup/present")
    site.world.heartbeat(first)
    page = _text(site, "/tournaments/cup/present")
    assert page.count('id="playing-') == 1
    assert 'data-now="cup/1" data-positions="/api/v1/games/reversed_reversi/positions"' in page
    assert page.count('<svg class="board"') == page.count('data-moves="cup/1"') == 1
    assert page.count('id="next-') == 5
    with site.world.database.transaction() as session:
        freezing.freeze(session, site.world.staff, site.world.get(session), own=False)
    page = _text(site, "/tournaments/cup/present")
    assert ("data-now" in page, '<svg class="board"' in page) == (False, False)
    with site.world.database.transaction() as session:
        freezing.reveal(session, site.world.staff, site.world.get(session))
    site.world.record(first)
    assert "Being played" not in _text(site, "/tournaments/cup/present")
    sheet = _text(site, "/tournaments/cup/print")
    assert "1 of 6 games" in sheet
    assert sheet.count('<td class="num rank">') == 4


def test_one_game_is_no_games(site: Site) -> None:
    """Where a tournament has a single game, its pages, the sheet and the table behind a freeze say so."""
    site.world.tournament(bots=2)
    settle(site)
    with site.world.database.transaction() as session:
        freezing.freeze(session, site.world.staff, site.world.get(session), own=False)
    assert "<span>0 of 1 game</span>" in _text(site, "/tournaments/cup")
    assert re.search(r"· 0 of 1 game\b", _text(site, "/tournaments/cup/print"))
    timetable = site.client.get("/manage/cup/timetable", headers=sign_in(site, "staff")).text
    assert "0 of 1 game is played." in timetable


def test_groups_have_tables_of_their_own(site: Site) -> None:
    """Each group is a table, best first, and the bracket comes when all groups have played."""
    site.world.tournament(bots=6, format="groups", options={"groups": 2, "qualifiers": 1})
    page = _text(site, "/tournaments/cup/crosstable")
    assert [f"<caption>Group {letter}</caption>" in page for letter in "ABC"] == [True, True, False]
    assert 'class="bracket"' not in page
    play_cup(site)
    coordinator_of(site.world).tick()
    page = _text(site, "/tournaments/cup/crosstable")
    assert "<h3>Final</h3>" in page
    assert page.count('<tr id="group-') == 6


def test_rounds_of_a_swiss_are_told(site: Site) -> None:
    """Who met whom, what came of it and who had the bye: the newest open, and all of them on the sheet."""
    site.world.tournament(bots=5, format="swiss", options={"rounds": 2})
    page = _text(site, "/tournaments/cup/crosstable")
    assert page.count('class="round"') == page.count("has a bye: 1.0 points without a game.") == 1
    assert page.count('<span class="dim">not yet played</span>') == 2
    assert "0 of 2 pairings are over" in page
    play_cup(site)
    coordinator_of(site.world).tick()
    page = _text(site, "/tournaments/cup/crosstable")
    newest, _, oldest = page.partition('id="round-1"')
    assert ('<details class="round" id="round-2" open>' in newest, oldest.startswith(">")) == (True, True)
    assert "2 of 2 pairings are over" in oldest
    assert len(re.findall(r"head-to-head[^>]+>\s*[0-9.]+ : [0-9.]+", oldest)) == 2
    assert 'href="/tournaments/cup/matches?round=1"' in oldest
    assert "第 1 輪" in _text(site, "/tournaments/cup/crosstable", "zh-Hant-TW")
    sheet = _text(site, "/tournaments/cup/print")
    assert sheet.index('id="round-1"') < sheet.index('id="round-2"')
    assert sheet.count("has a bye") == 2
    assert "Pairings by round" not in _text_of_other_format(site)


def _text_of_other_format(site: Site) -> str:
    start_cup(site, "other")
    return _text(site, "/tournaments/other/crosstable")


def test_all_games_of_a_pairing_are_one_line(site: Site) -> None:
    """Its points are what both made in all of them, whoever sat where; until then how many are over."""
    site.world.tournament(bots=2, format="swiss", options={"rounds": 1}, openings=1, opening_plies=2)
    with site.world.database.transaction() as session:
        first, other = issue_matches(session, site.world.settings)
    site.world.record(first)
    assert '<small class="dim">1 of 2 games</small>' in _text(site, "/tournaments/cup/crosstable")
    site.world.record(other)
    page = _text(site, "/tournaments/cup/crosstable")
    ((one, two, *points),) = re.findall(
        r"\?one=([\w-]+)&amp;other=([\w-]+)\">\s*([0-9.]+) : ([0-9.]+)\s*</a>", page
    )
    lines = site.get("/tournaments/cup/leaderboard").json()["items"]
    assert {line["bot"]: line["points"] for line in lines} == {one: float(points[0]), two: float(points[1])}
    assert sum(map(float, points)) == 2


def test_a_pairing_that_was_decided_without_a_game_says_so(site: Site) -> None:
    """Who left before the game has lost it."""
    site.world.tournament(bots=4, format="swiss", options={"rounds": 2})
    assert "without a game" not in _text(site, "/tournaments/cup/crosstable")
    site.post(
        "/tournaments/cup/entries/cup-bot1/withdraw", "staff", json={"reason": "ill"}
    ).raise_for_status()
    page = _text(site, "/tournaments/cup/crosstable")
    assert page.count('<small class="dim">without a game</small>') == 1
    assert "1 of 2 pairings are over" in page


def test_rounds_behind_a_freeze_are_not_told(site: Site) -> None:
    """Neither results nor a round that is paired later: pages stay as they were."""
    site.world.tournament(bots=5, format="swiss", options={"rounds": 2})
    with site.world.database.transaction() as session:
        freezing.freeze(session, site.world.staff, site.world.get(session), own=False)
    pages = ("/tournaments/cup/crosstable", "/tournaments/cup/print")
    before = {page: _text(site, page) for page in pages}
    play_cup(site)
    coordinator_of(site.world).tick()
    assert site.get("/tournaments/cup/log", "staff").json()["total"] > 0
    assert {page: _text(site, page) for page in pages} == before
    assert all('id="round-1"' in text and 'id="round-2"' not in text for text in before.values())
