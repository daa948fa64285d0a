"""Chains of tie-breaks."""

from __future__ import annotations

import pytest

from arena.core.errors import InvalidError
from arena.theory.standings.order import DEFAULT_ORDER, SWISS_ORDER, TIE_BREAKS, check_order


def test_a_chain_is_taken_as_it_is() -> None:
    """Any order of known names, each once; no names are the usual chain."""
    names = [name for name in TIE_BREAKS if name != "lot"]
    assert check_order([*reversed(names), "lot"]) == (*reversed(names), "lot")
    assert check_order([]) == DEFAULT_ORDER
    assert check_order([], swiss=True) == SWISS_ORDER


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["points", "elo"], r"no tie-break 'elo'; there are points, direct, sonneborn_berger, "),
        (["points", "direct", "points"], r"'points' comes twice"),
        (["points", "lot", "direct"], r"put it last"),
    ],
)
def test_a_chain_that_makes_no_sense_is_refused(names: list[str], told: str) -> None:
    """The error says what is wrong and what there is instead."""
    with pytest.raises(InvalidError, match=told):
        check_order(names)


@pytest.mark.parametrize("name", ["average_rating", "brightwell"])
def test_a_chain_for_groups_has_nothing_that_cannot_send_anybody_on(name: str) -> None:
    """It is refused where groups decide by it, and taken elsewhere."""
    with pytest.raises(InvalidError, match=f"from a group by {name}; leave that out"):
        check_order(["points", name], groups=True)
    assert check_order(["points", name]) == ("points", name)
