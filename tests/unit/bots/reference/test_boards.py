"""Boards arranged for speed follow the engine's rules."""

from __future__ import annotations

import pytest

from bots.reference.boards import finder, flipper
from engines.bitboards import flips, geometry, placements
from engines.games.reversed_reversi import SIZES, ReversedReversi
from engines.stream import Stream
from tests.unit.bots.reference.questions import walks


@pytest.mark.parametrize("size", SIZES)
def test_the_same_discs_are_turned(size: int) -> None:
    """On every empty square of random positions, bracketing or not."""
    turned, geo = flipper(size), geometry(size)
    for own, opp, _ in walks(ReversedReversi(size=size), 5):
        for square in range(size * size):
            if not (own | opp) >> square & 1:
                assert turned(own, opp, square) == flips(own, opp, square, geo)


@pytest.mark.parametrize("size", SIZES)
def test_the_same_placements_are_found_on_one_board_and_on_many(size: int) -> None:
    """Random positions packed together do not disturb each other."""
    find, geo, stream = finder(size), geometry(size), Stream(size)
    states = list(walks(ReversedReversi(size=size), 5))
    for lanes in range(1, size * size + 1):
        chosen = [stream.choice(states) for _ in range(lanes)]
        own = sum(state.own << find.lane * lane for lane, state in enumerate(chosen))
        opp = sum(state.opp << find.lane * lane for lane, state in enumerate(chosen))
        wanted = [placements(state.own, state.opp, geo) for state in chosen]
        assert find(own, opp, lanes) == sum(board << find.lane * lane for lane, board in enumerate(wanted))
