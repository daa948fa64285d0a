"""Laws that every registered game keeps, with every representative set of parameters."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

from engines.conformance import OF_A_GAME, OF_PLAY, Case
from engines.game import Game, ParameterError, UnknownGameError
from engines.games import GAMES as REGISTERED
from engines.games import find_game
from tests.conformance.games import CASES, GAMES, PARAMETERS, label

every_game = pytest.mark.parametrize("game", GAMES, ids=label)
few = settings(max_examples=25, deadline=None)


def name_of(law: Callable[..., None]) -> str:
    """A name for pytest's listing."""
    return law.__name__


def test_every_registered_game_is_tried() -> None:
    """No game can be registered without standing before these laws."""
    assert set(PARAMETERS) == set(REGISTERED)
    assert all(name == row.rules.name for name, row in REGISTERED.items())


@every_game
@pytest.mark.parametrize("law", OF_A_GAME, ids=name_of)
def test_a_law_of_a_game(game: Game[Any], law: Callable[[Game[Any]], None]) -> None:
    """The game keeps it."""
    law(game)


@every_game
@pytest.mark.parametrize("law", OF_PLAY, ids=name_of)
@few
@given(case=CASES)
def test_a_law_of_play(game: Game[Any], law: Callable[[Game[Any], Case], None], case: Case) -> None:
    """The game keeps it in random positions."""
    law(game, case)


@every_game
def test_a_game_is_found_again(game: Game[Any]) -> None:
    """Its name and its parameters as JSON are enough."""
    assert find_game(game.name, json.loads(json.dumps(game.params))) == game


@every_game
def test_parameters_that_do_not_exist_are_refused(game: Game[Any]) -> None:
    """An unknown parameter is an error that lists the known ones, not something to ignore."""
    with pytest.raises(ParameterError, match="has no parameter 'nonsense'; it has"):
        find_game(game.name, {**game.params, "nonsense": 1})


def test_an_unknown_game_is_named_with_the_known_ones() -> None:
    """Whoever misspells a game reads which there are."""
    with pytest.raises(UnknownGameError, match="'chess'; the games are circle_nim, heap_nim, l_game"):
        find_game("chess")
