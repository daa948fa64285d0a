"""A game that somebody else installed, in the arena: API, tournament, pages, simulation, command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.supervisor.doctor import _games
from engines.games import find_game
from tests.distributions import connect_four, describe, importable
from tests.integration.arena.site import Site, play_cup, served, start_cup
from tests.integration.arena.world import World
from tests.unit.arena.cli.conftest import Run, run
from workers.core.contract import GameSpec
from workers.programs.runtimes.manifest import check_games
from workers.simulation.chunks import play_chunk, suggested_chunk
from workers.simulation.contract import SimulatedPlayer, SimulationSpec

__all__ = ["run"]

GAME = "connect_four"


@pytest.fixture(autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with connect_four(tmp_path_factory.mktemp("installed")):
        yield


@pytest.fixture
def site(sqlite_world: Callable[[], World], monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site whose bots are there for it too."""
    with served(sqlite_world(), monkeypatch) as site:
        yield site


def test_the_api_names_it(site: Site) -> None:
    """It is listed with its rules, and in the description of what a tournament can be about."""
    listed = site.get("/games?limit=100").json()["items"]
    assert GAME in [game["name"] for game in listed]
    assert site.get(f"/games/{GAME}").json()["notation"].startswith("4 drops a disc")
    assert GAME in site.get("/openapi.json").text


def test_a_tournament_is_played_and_shown(site: Site) -> None:
    """Bots play it, openings are drawn, and the pages show its board and its words in both languages."""
    start_cup(site, game=GAME, params={}, openings=1, opening_plies=2)
    play_cup(site)
    english = site.client.get("/tournaments/cup/matches/1").text
    assert 'aria-label="Board after ply ' in english
    assert "Connect Four" in english
    assert "four in a line" in english or "the board is full" in english
    chinese = site.client.get("/tournaments/cup/matches/1", headers={"Accept-Language": "zh-Hant-TW"}).text
    assert "四子棋" in chinese
    assert "手後的棋盤" in chinese
    assert "四子連成一線" in chinese or "棋盤已滿" in chinese
    assert "Connect Four" in site.client.get("/").text


def test_its_recorded_games_outlive_it(site: Site) -> None:
    """Where it is not installed any more, pages still tell what was played, but draw no board."""
    from engines.installed import Installed, installed  # noqa: PLC0415 - only here is it taken away again

    start_cup(site, game=GAME, params={})
    play_cup(site)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engines.games.installed", lambda *_: Installed({}, {}))
        page = site.client.get("/tournaments/cup/matches/1")
        assert page.status_code == 200
        assert "connect four" in page.text
        assert "cannot draw the board" in page.text
    assert installed.cache_info().currsize


def test_it_is_simulated_move_by_move() -> None:
    """Its players meet in chunks of the size that its row says, the same games however they are cut."""
    game = find_game(GAME)
    spec = SimulationSpec(
        game=GameSpec(name=GAME, params={}, version=game.version),
        players=(
            SimulatedPlayer(name="central", strategy="central"),
            SimulatedPlayer(name="random", strategy="random"),
        ),
        games=20,
        seed=1,
    )
    assert suggested_chunk(spec) == 1000
    (whole,) = play_chunk(spec, 0, 20)
    halves = [play_chunk(spec, start, 10)[0] for start in (0, 10)]
    assert whole.tally == halves[0].tally + halves[1].tally
    assert whole.tally.results[0][0] > 10


def test_a_bot_may_say_that_it_plays_it() -> None:
    """`bot.toml` may name it."""
    check_games([GAME])


def test_the_command_line_knows_it(run: Run, tmp_path: Path) -> None:
    """It is listed; what is bad beside it is told, and what it lacks is told when it is asked for."""
    describe(tmp_path / "bad", "somebody-s-games", {"other": "nowhere:ROW"})
    with importable(tmp_path / "bad"):
        ran = run("game", "list")
    assert ran.code == 0
    assert GAME in ran.out
    assert "'other' of somebody-s-games cannot be used" in ran.err
    assert "no solver for connect_four" in run("game", "hint", GAME).err
    assert "--size is for circle_nim, heap_nim, reversed_reversi" in run("solve", GAME, "--size", "3").err
    assert "1 2 3 4 5 6 7" in run("game", "rules", GAME).out


def test_its_author_tries_the_laws(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is told as kept, or with what breaks it, and then the exit code is 1."""
    kept = run("game", "test", GAME)
    assert kept.code == 0
    assert "ok      a move has one spelling" in kept.out
    monkeypatch.setattr(type(find_game(GAME)), "rules", "No full stop")
    broken = run("game", "test", GAME)
    assert broken.code == 1
    assert "broken  rules and notation are told: rules does not end with a full stop" in broken.out
    assert "connect_four breaks 1 of " in broken.err


def test_doctor_names_it_and_what_is_bad_beside_it(tmp_path: Path) -> None:
    """What is installed and cannot be used is a warning with the reason, as the arena runs without it."""
    assert _games().found.endswith("installed: connect_four")
    describe(tmp_path / "bad", "somebody-s-games", {"other": "nowhere:ROW"})
    with importable(tmp_path / "bad"):
        finding = _games()
    assert finding.verdict == "warn"
    assert "'other' of somebody-s-games cannot be used" in finding.found
    assert finding.remedy
