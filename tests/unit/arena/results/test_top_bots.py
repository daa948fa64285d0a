"""Which bots are rated where there are too many."""

from __future__ import annotations

import pytest

from arena.results import top_bots


def test_the_order_of_rows_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of bots with as many games the first ones are rated, in whatever order their games are read."""
    monkeypatch.setattr(top_bots, "MAX_RATED", 4)
    pairs = [(bot, bot + 1, 1, 0, 0) for bot in (1, 3, 5, 7)]
    chosen = [sorted(top_bots._among_most_played(rows)) for rows in (pairs, pairs[::-1])]
    assert chosen == [pairs[:2], pairs[:2]]
