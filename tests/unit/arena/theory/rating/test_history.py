"""Ratings round by round: each point is the fit of its rounds, and no order changes any."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np

from arena.theory.rating.counts import Counts, Pair
from arena.theory.rating.fit import fit
from arena.theory.rating.history import Snapshot
from arena.theory.rating.history import by_round as by_round_of_table
from arena.theory.rating.scale import ELO


class RoundPair(NamedTuple):
    """What a pair made in a round."""

    round: int
    pair: Pair


def by_round(met: list[RoundPair], most: int) -> list[Snapshot]:
    """The history of these."""
    rows = [(each.round, *each.pair) for each in met]
    return by_round_of_table(np.array(rows, dtype=np.int64).reshape(-1, 6), most)


def _rounds(count: int, seed: int = 1) -> list[RoundPair]:
    chance = random.Random(seed)
    return [
        RoundPair(number, Pair(a, b, chance.randint(0, 3), chance.randint(0, 2), chance.randint(0, 3)))
        for number in range(1, count + 1)
        for a in (10, 20, 30)
        for b in (10, 20, 30)
        if a != b
    ]


def test_every_point_is_the_fit_of_its_rounds() -> None:
    """Each snapshot has the ratings, errors and games of a table made from just those rounds."""
    met = _rounds(6)
    found = by_round(met, 3)
    assert [each.round for each in found] == [2, 4, 6]
    for snapshot in found:
        pairs = [each.pair for each in met if each.round <= snapshot.round]
        alone = fit(Counts.of(3, [Pair(a // 10 - 1, b // 10 - 1, *rest) for a, b, *rest in pairs]))
        assert snapshot.games == sum(sum(pair[2:]) for pair in pairs)
        for place, entry in enumerate((10, 20, 30)):
            told = (alone.strengths[place] * ELO, alone.errors[place] * ELO)
            assert [round(each, 3) for each in told] == list(snapshot.ratings[entry])


def test_no_order_changes_a_point() -> None:
    """Shuffled games give the same history, to the last bit."""
    met = _rounds(5)
    shuffled = list(met)
    random.Random(4).shuffle(shuffled)
    assert by_round(shuffled, 4) == by_round(met, 4)


def test_newcomers_appear_when_they_have_played() -> None:
    """Who has no game yet is not on a point; a point that needs a prior says why; empty rounds are none."""
    met = [
        RoundPair(1, Pair(1, 2, 1, 0, 0)),
        RoundPair(2, Pair(1, 3, 0, 0, 0)),
        RoundPair(3, Pair(3, 1, 1, 1, 1)),
        RoundPair(3, Pair(2, 1, 1, 1, 1)),
        RoundPair(3, Pair(1, 2, 0, 1, 1)),
    ]
    found = by_round(met, 10)
    assert [(each.round, sorted(each.ratings), each.prior) for each in found] == [
        (1, [1, 2], "not connected"),
        (3, [1, 2, 3], None),
    ]
    assert by_round([], 5) == []
