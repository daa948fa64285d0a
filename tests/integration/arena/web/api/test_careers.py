"""A bot over all tournaments: games, sums, opponents, places and rating, and what a freeze hides."""

from __future__ import annotations

from typing import Any

import pytest

from arena.core.terms import VersionState
from arena.store import careers
from arena.store.careers import ALL
from arena.submissions import versions
from arena.tournaments import freezing
from tests.integration.arena.asking import asked
from tests.integration.arena.site import Site, play_cup, served, start_cup
from tests.integration.arena.web.api.hiding import play_some
from tests.integration.arena.world import World

READ = ("/career", "/opponents", "/matches", "/tournaments", "/ratings")
QUICK = ("", "/matches", "/opponents")
"""The pages that are made in the API's process."""


def _freeze(site: Site, name: str) -> None:
    with site.world.database.transaction() as session:
        freezing.freeze(session, site.world.staff, site.world.get(session, name), own=True)


def _read(site: Site, bot: str) -> dict[str, bytes]:
    return {path: site.get(f"/bots/{bot}{path}").content for path in READ}


def _made(each: dict[str, Any]) -> tuple[int, int, int]:
    return each["won"], each["drawn"], each["lost"]


def test_all_tournaments_are_told_together(site: Site) -> None:
    """Sums, opponents and games are those of both tournaments, and the other side tells the contrary."""
    for name in ("cup", "league"):
        start_cup(site, name, openings=2, opening_plies=2)
        play_cup(site)
    red, blue = (site.get(f"/bots/{bot}/career").json() for bot in ("red", "blue"))
    (own,), (others,) = red["games"], blue["games"]
    assert _made(own) == _made(others)[::-1]
    assert sum(_made(own)) == 16
    games = site.get("/bots/red/matches").json()
    assert (games["total"], {each["tournament"] for each in games["items"]}) == (16, {"cup", "league"})
    assert red["form"] == games["items"][:10]
    moments = [each["recorded_at"] for each in games["items"]]
    assert moments == sorted(moments, reverse=True)
    (met,) = site.get("/bots/red/opponents").json()["items"]
    assert (met["opponent"], met["owner"], _made(met)) == ("blue", "blue", _made(own))
    board = site.get("/tournaments/cup/bots/red").json()["totals"]
    of_cup = site.get("/bots/red/matches?tournament=cup").json()
    outcomes = [each["outcome"] for each in of_cup["items"]]
    assert (outcomes.count("won"), outcomes.count("drawn"), outcomes.count("lost")) == (
        *(board["wins"], board["draws"], board["losses"]),
    )


@pytest.mark.parametrize(
    ("asked_for", "found"),
    [("outcome=won", "won"), ("outcome=forfeit", "forfeit"), ("opponent=blue", None), ("outcome=", None)],
)
def test_games_are_looked_for(site: Site, asked_for: str, found: str | None) -> None:
    """By how they ended, and by whom they were against; what is left empty is not asked."""
    start_cup(site)
    play_cup(site, forfeit=True)
    told = site.get(f"/bots/red/matches?{asked_for}").json()
    assert told["total"] == len(told["items"]) == (2 if found is None else 1)
    assert {each["outcome"] for each in told["items"]} == ({found} if found else {"won", "forfeit"})
    page = site.client.get(f"/bots/red/matches?{asked_for}")
    assert page.text.count('href="/tournaments/cup/matches/') == told["total"]


def test_a_part_of_the_games_is_had(site: Site) -> None:
    """Parts of the list are those of the whole, in the same order; what does not exist is not found."""
    start_cup(site, openings=3, opening_plies=2)
    play_cup(site)
    whole = site.get("/bots/red/matches").json()["items"]
    parts = [site.get(f"/bots/red/matches?offset={at}&limit=5").json()["items"] for at in (0, 5, 10)]
    assert [each for part in parts for each in part] == whole
    assert site.get("/bots/red/opponents?offset=1").json()["items"] == []
    assert site.get("/bots/nobody/career").status_code == 404
    assert site.get("/bots/red/matches?opponent=nobody").status_code == 404
    assert site.get("/bots/red/ratings?game=heap_nim").status_code == 404


def test_places_are_those_of_the_leaderboards(site: Site) -> None:
    """The newest tournament first, each with the bot's rank and points as on its leaderboard."""
    start_cup(site)
    play_cup(site)
    start_cup(site, "league")
    for bot in ("red", "blue"):
        league, cup = site.get(f"/bots/{bot}/tournaments").json()["items"]
        board = site.get("/tournaments/cup/leaderboard").json()["items"]
        (line,) = (each for each in board if each["bot"] == bot)
        assert (cup["rank"], cup["points"], cup["entries"]) == (line["rank"], line["points"], 2)
        assert (league["tournament"], league["games"], league["state"]) == ("league", 0, "running")
        assert f"/tournaments/cup/bots/{bot}" in site.client.get(f"/bots/{bot}/tournaments").text


def test_the_rating_of_one_tournament_is_its_online_rating(site: Site) -> None:
    """With one tournament it is that one's online rating; a second one moves it on, and the place is told."""
    start_cup(site, openings=3, opening_plies=2)
    play_cup(site)
    history = site.get("/tournaments/cup/ratings/history?kind=online&points=12").json()
    lines = {line["bot"]: line for line in history["items"]}
    for bot in ("red", "blue"):
        told = site.get(f"/bots/{bot}/ratings?points=12").json()
        assert [each["rating"] for each in told["points"]] == lines[bot]["ratings"]
        assert [each["deviation"] for each in told["points"]] == lines[bot]["errors"]
        assert [each["at"] for each in told["points"]] == [each["at"] for each in history["points"]]
    before = site.get("/bots/red/ratings").json()["points"]
    start_cup(site, "league", openings=2, opening_plies=2)
    play_cup(site)
    after = site.get("/bots/red/ratings").json()["points"]
    assert (before[-1]["games"], after[-1]["games"]) == (12, 20)
    assert after[-1] != before[-1]
    page = site.client.get("/bots/red/ratings").text
    assert 'role="img"' in page
    assert site.get("/bots/nobody/ratings").status_code == 404


def test_behind_a_freeze_there_is_nothing(site: Site) -> None:
    """What was played before the freeze is told and what came after is not, to nobody, until the reveal."""
    start_cup(site, openings=3, opening_plies=2)
    play_some(site, 3)
    _freeze(site, "cup")
    before = _read(site, "red")
    assert sum(_made(site.get("/bots/red/career").json()["games"][0])) == 3
    play_some(site, 5)
    assert _read(site, "red") == before
    start_cup(site, "league")
    play_cup(site)
    assert sum(_made(site.get("/bots/red/career").json()["games"][0])) == 5
    for who in (None, "red", "staff"):
        assert site.get("/bots/red/matches?tournament=cup", who).json()["total"] == 3, who
    league, cup = site.get("/bots/red/tournaments").json()["items"]
    (line,) = (e for e in site.get("/tournaments/cup/leaderboard").json()["items"] if e["bot"] == "red")
    assert (cup["rank"], cup["games"], cup["points"]) == (line["rank"], line["games"], line["points"])
    assert (cup["games"], league["games"]) == (3, 2)
    assert site.get("/bots/red/ratings").json()["points"][-1]["games"] == 5
    assert site.post("/tournaments/cup/reveal", "staff").status_code == 200
    assert sum(_made(site.get("/bots/red/career").json()["games"][0])) == 14
    assert site.get("/bots/red/ratings").json()["points"][-1]["games"] == 14


def test_what_is_kept_is_told_as_long_as_it_is_true(site: Site) -> None:
    """An answer is told again until a game is recorded, or a version comes or is judged."""
    start_cup(site)

    def statements() -> int:
        return len([each for each in texts() if "bots" in each])

    def texts() -> list[str]:
        with asked("SELECT") as found:
            assert site.client.get("/bots/red").status_code == 200
        return [statement for statement, _ in found]

    assert statements() > 0
    assert statements() == 0
    play_some(site, 1)
    assert statements() > 0
    assert statements() == 0
    with site.world.database.transaction() as session:
        versions.get_version(session, versions.get(session, "red")).state = VersionState.FAILED
    assert statements() > 0
    with site.world.database.transaction() as session:
        site.world.version(session, versions.get(session, "red"))
    assert statements() > 0
    assert statements() == 0


def _statements(site: Site, path: str) -> int:
    with asked("SELECT") as found:
        assert site.client.get(path).status_code == 200
    return len(found)


def test_more_tournaments_need_no_more_statements(site: Site) -> None:
    """The pages ask as many questions of one tournament as of many with more versions."""

    def count() -> list[int]:
        return [
            min(_statements(site, f"/bots/red{path}?again={number}") for number in range(3)) for path in QUICK
        ]

    start_cup(site)
    play_cup(site)
    few = count()
    with site.world.database.transaction() as session:
        for _ in range(3):
            site.world.version(session, versions.get(session, "red"))
    for name in ("league", "friendly", "winter"):
        start_cup(site, name)
        play_cup(site)
    assert count() == few
    assert max(few) <= 12


def test_both_databases_tell_the_same(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both databases understand all questions about a bot, with a frozen tournament and another one."""
    with served(world, monkeypatch) as site:
        start_cup(site, openings=2, opening_plies=2)
        start_cup(site, "league")
        play_cup(site)
        _freeze(site, "cup")
        for path in READ:
            assert site.get(f"/bots/red{path}").status_code == 200, path
            assert site.get(f"/bots/red{path}").status_code == 200, path
        for path in ("", "/matches", "/opponents", "/tournaments", "/ratings"):
            assert site.client.get(f"/bots/red{path}").status_code == 200, path
        for text, game, found in (
            ("re", "", ["red"]),
            ("", "go", []),
            ("RED", _game_of(site), ["red"]),
        ):
            told = site.get(f"/bots?text={text}&game={game}").json()
            assert [each["name"] for each in told["items"]] == found
        with world.database.reading() as session:
            red = versions.get(session, "red")
            assert careers.count_games(session, red.id, ALL) == 10


def _game_of(site: Site) -> str:
    """The game that the bots here are checked in."""
    return str(site.get("/bots/red").json()["newest"]["games"][0])
