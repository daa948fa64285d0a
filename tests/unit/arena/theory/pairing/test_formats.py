"""How formats are looked up."""

from __future__ import annotations

from typing import Any

import pytest

from arena.theory.pairing.format import FormatError
from arena.theory.pairing.formats import FORMATS, find_format


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_found_again_from_what_is_kept_of_it(name: str) -> None:
    """All options, written out, lead to the same format."""
    fmt = find_format(name, openings=2)
    assert find_format(name, fmt.model_dump(mode="json", exclude={"openings"}), 2) == fmt


@pytest.mark.parametrize("name", FORMATS)
def test_one_entrant_is_no_tournament(name: str) -> None:
    """Every format refuses it, in words."""
    with pytest.raises(FormatError, match=r"\b1\b"):
        find_format(name).check(1)


@pytest.mark.parametrize(
    ("name", "options", "wrong"),
    [
        ("league", {}, "there is no format 'league'; choose one of round_robin"),
        ("swiss", {"cycles": 2}, "the format 'swiss' has no option 'cycles'; it has rounds, seeding"),
        ("round_robin", {"openings": 2}, "has no option 'openings'"),
        ("round_robin", {"cycles": 40}, "the option cycles .* should be less than or equal to 20"),
        ("knockout", {"seeding": "age"}, "the option seeding .* should be 'number' or 'lot'"),
    ],
)
def test_what_does_not_exist_is_refused_in_words(name: str, options: dict[str, Any], wrong: str) -> None:
    """The error names what was wrong and what there is."""
    with pytest.raises(FormatError, match=wrong):
        find_format(name, options)
