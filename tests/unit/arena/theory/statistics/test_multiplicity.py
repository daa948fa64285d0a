"""Holm's correction against the closed test that it abbreviates, and another implementation's figures."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from arena.theory.statistics.multiplicity import holm


@given(st.lists(st.floats(0, 1), min_size=1, max_size=7))
def test_adjusted_values_are_those_of_the_closed_test(values: list[float]) -> None:
    """Each is the greatest of Bonferroni's for all sets of hypotheses that it belongs to.

    R. Marcus, E. Peritz and K. R. Gabriel, *On closed testing procedures with special reference to ordered
    analysis of variance*, Biometrika 63 (1976) 655-660.
    """
    places = range(len(values))
    sets = [chosen for size in range(1, len(values) + 1) for chosen in combinations(places, size)]
    bonferroni = {chosen: min(1.0, len(chosen) * min(values[at] for at in chosen)) for chosen in sets}
    assert holm(values) == [max(bonferroni[chosen] for chosen in sets if at in chosen) for at in places]


def test_adjusted_values_are_those_that_statsmodels_prints() -> None:
    """Twelve p-values, as `multipletests(values, method="holm")` of statsmodels 0.15 adjusts them."""
    values = [0.31, 0.004, 0.04, 0.0001, 0.75, 0.011, 0.02, 0.004, 0.9, 0.06, 0.0301, 0.12]
    printed = "0.9300 0.0440 0.2400 0.0012 1.0000 0.0990 0.1600 0.0440 1.0000 0.3000 0.2107 0.4800"
    assert " ".join(f"{each:.4f}" for each in holm(values)) == printed


def test_nothing_is_adjusted_to_nothing() -> None:
    """Holm's correction of no tests gives no values."""
    assert holm([]) == []
