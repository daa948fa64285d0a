"""Which files are copied beside a bot, and that nobody's bot is like another's for having them."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.results import likeness
from arena.theory.likeness.comparison import compare
from arena.theory.likeness.tokens import read_code
from bots import examples
from bots.sdk.libraries import LANGUAGES, library
from engines.game import UnknownGameError
from engines.games import GAMES
from tests.distributions import connect_four


def test_every_game_has_its_rules_in_every_language() -> None:
    """One file for each language, that of the game; none for other languages, and no other folder's."""
    for game in GAMES:
        files = [library(game, language) for language in LANGUAGES]
        assert [list(each) for each in files] == [["rules.py"], ["rules.hpp"], ["rules.js"]]
        assert f"namespace {game} {{".encode() in files[1]["rules.hpp"]
        assert library(game, "java") == {}
        assert library(game, "../heap_nim/python") == {}


def test_a_game_of_another_distribution_may_bring_its_own(tmp_path: Path) -> None:
    """Its row names them; of a game that is not installed there is nothing to ask for."""
    with pytest.raises(UnknownGameError):
        library("connect_four", "python")
    with connect_four(tmp_path):
        assert all(library("connect_four", language) for language in LANGUAGES)


def test_who_copied_the_rules_is_not_alike_for_it(tmp_path: Path) -> None:
    """Two teams whose bots have only the libraries in common are no pair, of an installed game either."""
    folder = Path(examples.__path__[0])
    own = [(folder / name).read_bytes() for name in ("corner_shy.py", "edge_walker.py")]
    with connect_four(tmp_path):
        likeness._given.cache_clear()
        try:
            for game in ("l_game", "connect_four"):
                rules = {name: data for each in LANGUAGES for name, data in library(game, each).items()}
                works = [(f"team {at}", read_code({**rules, "main.py": text})) for at, text in enumerate(own)]
                assert compare(works, frozenset(), 0.5)
                assert compare(works, likeness._given(), 0.1) == []
        finally:
            likeness._given.cache_clear()
