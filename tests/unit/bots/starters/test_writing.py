"""What a starter is made of, for each language and game."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from bots.sdk.libraries import library
from bots.starters import BUILT, STARTERS
from bots.starters.writing import LEGAL, POSITIONS, starter, zipped
from engines.game import UnknownGameError, play_all
from engines.games import GAMES, find_game
from workers.programs.archives import SKIPPED
from workers.programs.runtimes.detection import find_source
from workers.programs.runtimes.languages import LANGUAGES, STATIC


def test_there_is_one_for_each_language_that_has_sources() -> None:
    """Whatever is built or interpreted on an arena can be begun, and is called the same in both places."""
    assert {name: about.title for name, about in STARTERS.items()} == {
        name: language.title for name, language in LANGUAGES.items() if language is not STATIC
    }


@pytest.mark.parametrize("language", STARTERS)
@pytest.mark.parametrize("game", GAMES)
def test_its_files_are_a_bot_of_that_language_for_that_game(language: str, game: str) -> None:
    """An arena takes them for that, the file to begin with and the one to test with are there."""
    about, files = STARTERS[language], starter(language, game)
    source = find_source(files)
    assert (source.language.name, source.manifest.games) == (language, [game])
    assert {about.main, about.test} < files.keys()
    assert f"{about.place}(" in files[about.main].decode()


@pytest.mark.parametrize("game", GAMES)
def test_it_brings_the_rules_to_search_with(game: str) -> None:
    """A library of the game for the language lies beside the bot, and the README says so."""
    for language in STARTERS:
        files, rules = starter(language, game), library(game, language)
        assert rules.items() <= files.items()
        assert ("search with the rules in" in files["README.md"].decode()) == bool(rules)
    assert library(game, "python")


@pytest.mark.parametrize("tag", ["README.md", "README.zh-TW.md"])
def test_its_readme_tells_of_all_files_and_of_the_game(tag: str) -> None:
    """Each file has its line, and the first question is shown, in both languages."""
    for game in GAMES:
        for language in STARTERS:
            files = starter(language, game)
            text = files[tag].decode()
            for name in files:
                assert f"| `{name}` |" in text or name.startswith("README")
            first = json.loads(files[POSITIONS].splitlines()[1])
            assert json.dumps(first["state"]) in text
            assert " ".join(first["legal"][:LEGAL]) in text
            assert "$" not in text


@pytest.mark.parametrize("name", GAMES)
def test_its_positions_are_those_of_a_game(name: str) -> None:
    """After the moves so far comes the position that is asked about, with just the moves that are legal."""
    game = find_game(name)
    hello, *asked = map(json.loads, starter("c", name)[POSITIONS].splitlines())
    assert hello["game"]["params"] == game.params
    assert 4 <= len(asked) <= 12
    for message in asked:
        state = play_all(game, message["history"])
        assert message["state"] == game.state_to_json(state)
        assert message["legal"] == [game.move_to_text(move) for move in game.legal_moves(state)]


def test_what_its_tools_build_is_neither_kept_by_git_nor_handed_in() -> None:
    """Its folders are named to git, and an arena leaves them out."""
    assert starter("c", "heap_nim")[".gitignore"].decode().split() == [f"{each}/" for each in BUILT]
    assert set(BUILT) <= SKIPPED


def test_a_zip_has_the_same_files_in_one_folder() -> None:
    """What is downloaded is what is written at home."""
    with zipfile.ZipFile(io.BytesIO(zipped("go", "l_game"))) as archive:
        found = {name.removeprefix("l_game-go/"): archive.read(name) for name in archive.namelist()}
    assert found == starter("go", "l_game")


def test_an_unknown_game_has_none() -> None:
    """It is named, not guessed."""
    with pytest.raises(UnknownGameError):
        starter("c", "chess")
