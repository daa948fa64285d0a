"""Holm's correction against another implementation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from arena.statistics.multiplicity import holm


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_adjusted_values_are_those_of_statsmodels(values: list[float]) -> None:
    """Any list of p-values is adjusted as statsmodels adjusts it."""
    assert holm(values) == pytest.approx(list(multipletests(values, method="holm")[1]))


def test_nothing_is_adjusted_to_nothing() -> None:
    """No tests, no adjusted values."""
    assert holm([]) == []
