"""The Nim player against a search through all positions."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from bots.reference.nim_xor import is_lost
from engines.games.heap_nim import HeapNim, State
from tests.unit.bots.reference.questions import ask, started


@pytest.mark.parametrize("misere", [False, True])
def test_it_wins_whatever_can_be_won(misere: bool) -> None:
    """In all positions of three heaps up to five its rule is right, and its move keeps a win."""
    game = HeapNim(heaps=(5, 5, 5), misere=misere)
    bot = started("nim_xor", game)

    @cache
    def wins(state: State) -> bool:
        outcome = game.outcome(state)
        if outcome is not None:
            return outcome.winner == state.seat
        return any(not wins(game.play(state, move)) for move in game.legal_moves(state))

    for heaps in product(range(6), repeat=3):
        state = State(heaps, 0)
        assert is_lost(heaps, misere=misere) is not wins(state)
        if any(heaps):
            after = game.play(state, game.move_from_text(ask(bot, game, state)))
            assert wins(after) is not wins(state) or not wins(state)


def test_in_a_lost_position_it_takes_one_from_the_largest_heap() -> None:
    """The slowest way to lose."""
    game = HeapNim(heaps=(1, 4, 5))
    assert ask(started("nim_xor", game), game, game.initial()) == "3:1"
