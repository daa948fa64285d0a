"""The table of the reference bots."""

from __future__ import annotations

import pytest

from bots.reference import REFERENCE, UnknownBotError, command, find_reference, make


def test_each_bot_is_there_under_its_name() -> None:
    """The table's name is the one that the bot itself gives."""
    assert {name: make(name).name for name in REFERENCE} == {name: name for name in REFERENCE}


@pytest.mark.parametrize("use", [find_reference, command, make])
def test_an_unknown_name_is_refused_with_the_known_ones(use: object) -> None:
    """Whoever mistypes a name is told the right ones."""
    assert callable(use)
    with pytest.raises(UnknownBotError, match=r"'grady'; there are .*greedy"):
        use("grady")
