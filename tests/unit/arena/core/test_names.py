"""The names that things may have."""

from __future__ import annotations

import time

import pytest

from arena.core.errors import InvalidError
from arena.core.names import check_name, check_slug


@pytest.mark.parametrize("name", ["a", "2026", "spring-final", "a" * 60])
def test_names_of_tournaments(name: str) -> None:
    """Lower-case letters, digits and hyphens make a name."""
    assert check_slug(name) == name


@pytest.mark.parametrize("name", ["", "-a", "Cup", "a b", "a\n", "a" * 61, "é", "\ud800"])
def test_names_that_no_tournament_has(name: str) -> None:
    """Anything else is refused in words."""
    with pytest.raises(ValueError, match="lower-case letters"):
        check_slug(name)


def test_a_name_is_composed_and_no_long_text_is() -> None:
    """A name may come decomposed; marks without an end are refused before each is put in order among all."""
    assert check_name("user", "Vie\u0323\u0302t" * 10) == "Vi\u1ec7t" * 10
    began = time.thread_time()
    with pytest.raises(InvalidError, match="1 to 60"):
        check_name("user", "a" + "\u0301" * 20_000 + "\u0323" * 20_000)
    assert time.thread_time() - began < 1.0
