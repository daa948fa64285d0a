"""The player of heap Nim's document."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from engines.games.circle_nim import CircleNim
from engines.games.heap_nim import HeapNim, State
from engines.strategies import StrategyError, find_strategy
from engines.strategies.heap_nim import find
from tests.unit.engines.strategies.scripted import Scripted


def test_it_keeps_every_win_of_the_normal_game() -> None:
    """In all positions of three heaps up to five its move leaves a lost position where there is one."""
    game = HeapNim(heaps=(5, 5, 5))
    player = find_strategy("xor", game)

    @cache
    def wins(state: State) -> bool:
        return any(not wins(game.play(state, move)) for move in game.legal_moves(state))

    for heaps in product(range(6), repeat=3):
        state = State(heaps, 1)
        if wins(state):
            stream = Scripted(())
            assert not wins(game.play(state, player.choose(state, (), stream)))
            assert stream.bounds == []
        elif any(heaps):
            stream = Scripted((sum(heaps) - 1,))
            assert player.choose(state, (), stream) == game.legal_moves(state)[-1]
            assert stream.bounds == [sum(heaps)]


@pytest.mark.parametrize(
    ("heaps", "move"), [((3, 4, 5), "1:2"), ((1, 4, 7), "3:2"), ((7, 7, 7), "1:7"), ((2, 5, 0), "2:3")]
)
def test_it_takes_from_the_first_heap_that_can_be_made_smaller(heaps: tuple[int, ...], move: str) -> None:
    """Where several heaps would do, the first is taken, as the document's loop does."""
    game = HeapNim(heaps=(9, 9, 9))
    assert game.move_to_text(find_strategy("xor", game).choose(State(heaps, 0), (), Scripted(()))) == move


def test_parameters_and_other_games_are_refused() -> None:
    """It takes none, and knows heap Nim only."""
    with pytest.raises(StrategyError, match="takes no parameters, not '1:2'"):
        find_strategy("xor:1:2", HeapNim())
    with pytest.raises(StrategyError, match="heap_nim only"):
        find(CircleNim())
