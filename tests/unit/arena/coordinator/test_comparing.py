"""How hosts compare whose matches are played again."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.coordinator.comparing import compare
from arena.core.terms import Repeated


def test_a_host_that_differs_more_often_than_the_others_stands_out() -> None:
    """Its p-value is Fisher's, by all tests that are made; the others' are 1; who is late is apart."""
    honest = Counter[Repeated | None]({Repeated.SAME: 100, Repeated.LATE: 2, Repeated.UNDECIDED: 50, None: 3})
    changed = Counter[Repeated | None]({Repeated.SAME: 10, Repeated.DIFFERENT: 10})
    found = compare({"pc-1": honest, "pc-2": honest, "pc-7": changed})
    assert found["pc-7"].p_different is not None
    assert found["pc-7"].p_different < 1e-8
    assert found["pc-7"].p_late == 1.0
    assert (found["pc-1"].p_different, found["pc-1"].p_late) == (1.0, 1.0)


def test_few_games_say_little() -> None:
    """One of two is no evidence, where six tests are made."""
    many, few = Counter[Repeated | None]({Repeated.SAME: 9}), Counter[Repeated | None]({Repeated.SAME: 1})
    few[Repeated.DIFFERENT] = 1
    found = compare({"pc-1": many, "pc-2": many, "pc-7": few})
    assert found["pc-7"].p_different == pytest.approx(6 * 2 / 20)


def test_without_others_there_is_nothing_to_compare_with() -> None:
    """Neither has a host of which nothing is decided, nor one that is alone."""
    alone = Counter[Repeated | None]({Repeated.DIFFERENT: 5})
    assert compare({"pc-7": alone})["pc-7"].p_different is None
    found = compare({"pc-7": alone, "pc-8": Counter[Repeated | None]({None: 2})})
    assert [each.p_different for each in found.values()] == [None, None]
