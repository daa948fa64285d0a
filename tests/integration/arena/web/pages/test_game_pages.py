"""The pages of games: each that is installed has one with all that one needs to know, true of it."""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from arena.web.answers.specimens import specimen_of
from bots.sdk import arena_bot
from bots.sdk.libraries import LANGUAGES, library
from bots.starters import STARTERS
from engines.games import GAMES, all_games, find_game, find_presentation
from tests.distributions import connect_four
from tests.integration.arena.site import Site, start_cup
from workers.core.contract import BotRef, GameSpec, MatchSpec
from workers.play import referee
from workers.play.inprocess import InProcessPlayer
from workers.programs.archives import canonical_archive, source_of

INSTALLED = "connect_four"


@pytest.fixture(autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A game that somebody else has installed is there too."""
    with connect_four(tmp_path_factory.mktemp("installed")):
        yield


def _read(site: Site, path: str, tag: str = "en") -> str:
    answer = site.client.get(path, headers={"Accept-Language": tag})
    assert answer.status_code == 200, path
    return str(answer.text)


def test_each_game_has_its_page_in_both_languages(site: Site) -> None:
    """Rules and notation in the reader's words, three pictures, what was said, and the way to play."""
    for name in all_games():
        game, presentation = find_game(name), find_presentation(name)
        for tag in ("en", "zh-Hant-TW"):
            page = html.unescape(_read(site, f"/games/{name}", tag))
            for words in (presentation.rules(game), presentation.notation(game)):
                assert words.said(tag) in page
            assert len(re.findall(r'<svg class="board"', page)) == 3
            assert f'href="/play/{name}"' in page
            for line in (*specimen_of(name).said[:4], *specimen_of(name).said[-3:]):
                assert line.text in page
            assert all(f"<code>{each}</code>" in page for each in game.params)
        assert f'href="/games/{name}"' in _read(site, "/games")
    assert "四子棋" in _read(site, "/games", "zh-Hant-TW")


def test_what_the_reference_bots_do_is_said_in_both_languages(site: Site) -> None:
    """Only of those that come with somebody else's game it is said in English."""
    for name in GAMES:
        page = _read(site, f"/games/{name}", "zh-Hant-TW")
        table = page.partition('id="players"')[2].partition("</table>")[0]
        assert table.count("<code>@") > 2
        assert 'lang="en"' not in table
        assert not re.search(r"<td>[ -~]+</td>", table)


@pytest.mark.parametrize("name", [*all_games(), INSTALLED])
def test_the_starter_plays_its_game_to_the_end(
    site: Site, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is offered for saving is a bot that makes legal moves until a game is over."""
    made: list[Any] = []
    kit = ModuleType("arena_bot")
    kit.__dict__["run"] = made.append
    monkeypatch.setitem(sys.modules, "arena_bot", kit)
    exec(compile(_read(site, f"/games/{name}/main.py"), "main.py", "exec"), {})  # noqa: S102  (our own)
    game, (bot,) = find_game(name), made
    spec = GameSpec(name=name, params=game.params, version=game.version)
    match = MatchSpec(match="1", game=spec, bots=(BotRef(name="one"), BotRef(name="two")))
    result = referee.play(match, (InProcessPlayer(bot), InProcessPlayer(bot)))
    assert result.forfeits == ()
    assert len(result.moves) > 2
    assert arena_bot.__name__.endswith(kit.__name__)


@pytest.mark.parametrize("name", ["heap_nim", INSTALLED])
def test_a_whole_starter_is_offered_in_each_language(site: Site, name: str) -> None:
    """The page leads to a zip that would be taken as it is, a bot in that language for that game."""
    page = _read(site, f"/games/{name}")
    for language, about in STARTERS.items():
        assert f'<a href="/games/{name}/starters/{language}.zip" download>{about.title}</a>' in page
        answer = site.client.get(f"/games/{name}/starters/{language}.zip")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
        assert f'filename="{name}-{language}.zip"' in answer.headers["content-disposition"]
        source = source_of(canonical_archive("bot.zip", answer.content))
        assert (source.language.name, source.manifest.games) == (language, [name])


@pytest.mark.parametrize("tag", ["en", "zh-Hant-TW"])
def test_the_rules_to_search_with_are_there_to_be_saved(site: Site, tag: str) -> None:
    """Each game's page offers its libraries in every language, also those of another distribution."""
    for name in (*GAMES, INSTALLED):
        page = _read(site, f"/games/{name}", tag)
        for language in LANGUAGES:
            ((file, data),) = library(name, language).items()
            path = f"/games/{name}/rules/{language}/{file}"
            assert f'href="{path}"' in page
            answer = site.client.get(path)
            assert answer.content == data
            assert f'filename="{file}"' in answer.headers["Content-Disposition"]
    for path in (
        f"{INSTALLED}/rules/cobol/rules.py",
        f"{INSTALLED}/rules/python/main.py",
        "no/rules/python/rules.py",
    ):
        assert site.client.get(f"/games/{path}").status_code == 404


def test_its_tournaments_are_listed_and_lead_back(site: Site) -> None:
    """A game's page names its tournaments, and theirs the game; others are not there."""
    start_cup(site)
    assert 'href="/tournaments/cup"' in _read(site, "/games/reversed_reversi")
    assert 'href="/tournaments/cup"' not in _read(site, f"/games/{INSTALLED}")
    for path in ("/tournaments", "/tournaments/cup", "/tournaments/cup/matches/1"):
        assert 'href="/games/reversed_reversi"' in _read(site, path), path


def test_a_game_that_is_not_there(site: Site) -> None:
    """An unknown game has no page and no starter, and a known one none in an unknown language."""
    for path in (
        *("/games/none", "/games/none/main.py", "/games/none/starters/c.zip"),
        "/games/heap_nim/starters/cobol.zip",
    ):
        assert site.client.get(path).status_code == 404
