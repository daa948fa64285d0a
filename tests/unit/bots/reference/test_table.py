"""The table of the reference bots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bots.reference import REFERENCE, UnknownBotError, command, find_reference, make
from engines.strategies import strategies


def test_each_bot_is_there_under_its_name() -> None:
    """The table's name is the one that the bot itself gives; every strategy is a bot too."""
    assert {name: make(name).name for name in REFERENCE} == {name: name for name in REFERENCE}
    assert set(strategies()) == {name for name, bot in REFERENCE.items() if bot.is_strategy}


@pytest.mark.parametrize("use", [find_reference, command, make])
def test_an_unknown_name_is_refused_with_the_known_ones(use: Callable[[str], object]) -> None:
    """Whoever mistypes a name is told the right ones, and parameters go with strategies only."""
    with pytest.raises(UnknownBotError, match=r"'grady'; there are .*greedy"):
        use("grady:3")
    with pytest.raises(UnknownBotError, match="greedy takes no parameters, not 'greedy:3'"):
        use("greedy:3")


def test_a_process_is_told_the_strategy_and_where_the_tables_are() -> None:
    """One module serves all strategies; other bots are modules of their own and need no tables."""
    tables = Path("/somewhere")
    assert command("algo3:10:7")[1:] == ("-m", "bots.reference.strategy", "algo3:10:7")
    assert command("perfect", tables)[1:] == ("-m", "bots.reference.strategy", "perfect", "/somewhere")
    assert command("strong", tables)[1:] == ("-m", "bots.reference.strong")
