"""The names that things may have."""

from __future__ import annotations

import pytest

from arena.core.names import check_slug


@pytest.mark.parametrize("name", ["a", "2026", "spring-final", "a" * 60])
def test_names_of_tournaments(name: str) -> None:
    """Lower-case letters, digits and hyphens make a name."""
    assert check_slug(name) == name


@pytest.mark.parametrize("name", ["", "-a", "Cup", "a b", "a\n", "a" * 61, "é", "\ud800"])
def test_names_that_no_tournament_has(name: str) -> None:
    """Anything else is refused in words."""
    with pytest.raises(ValueError, match="lower-case letters"):
        check_slug(name)
