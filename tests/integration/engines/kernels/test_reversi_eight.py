"""Boards of 8 by 8 squares in single words, compiled, against the game's rules."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engines.bitboards import flips, geometry, placements
from engines.kernels import reversi_eight as kernel


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 63))
def test_flips_and_placements_are_the_rules(first: int, second: int, square: int) -> None:
    """On any board whatever, also on those that no game comes to."""
    own, opp = first & ~second, second & ~first & ~(1 << square)
    own &= ~(1 << square)
    geo = geometry(8)
    words = np.uint64(own), np.uint64(opp)
    assert int(kernel.flips(*words, np.uint64(square))) == flips(own, opp, square, geo)
    empty = geo.full & ~(own | opp)
    assert int(kernel.placements(*words, np.uint64(empty))) == placements(own, opp, geo)
