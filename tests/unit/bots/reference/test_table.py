"""The table of the reference bots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bots.reference import REFERENCE, UnknownBotError, command, find_reference, make
from engines.strategies import strategies


def test_each_bot_is_there_under_its_name() -> None:
    """The table's name is the one that the bot itself gives; every strategy is a bot too."""
    in_python = [name for name, bot in REFERENCE.items() if not bot.levels]
    assert {name: make(name).name for name in in_python} == {name: name for name in in_python}
    assert set(REFERENCE) - set(in_python) == {"champion"}
    assert set(strategies()) == {name for name, bot in REFERENCE.items() if bot.is_strategy}


@pytest.mark.parametrize("use", [find_reference, command, make])
def test_an_unknown_name_is_refused_with_the_known_ones(use: Callable[[str], object]) -> None:
    """Whoever mistypes a name is told the right ones, and parameters go with strategies only."""
    with pytest.raises(UnknownBotError, match=r"'grady'; there are .*greedy"):
        use("grady:3")
    with pytest.raises(UnknownBotError, match="greedy takes no parameters, not 'greedy:3'"):
        use("greedy:3")


@pytest.mark.parametrize(
    "text", ["champion:0", "champion:9", "champion:", "champion:03", "champion:3:1", "champion:x"]
)
@pytest.mark.parametrize("use", [find_reference, command, make])
def test_a_level_that_is_not_there_is_refused_with_those_that_are(
    use: Callable[[str], object], text: str
) -> None:
    """A program in C is written with one of its levels, or without for the strongest."""
    words = f"champion has the levels champion:1 to champion:8, not '{text}'"
    with pytest.raises(UnknownBotError, match=words):
        use(text)
    bot = find_reference("champion:3")
    assert (bot.form, bot.level("champion:3"), bot.level("champion")) == ("champion[:LEVEL]", 3, 8)


def test_a_program_in_c_plays_in_no_process_of_ours() -> None:
    """Whoever wants it as an object is told that it is none."""
    with pytest.raises(UnknownBotError, match="champion is a program in C, and plays as a process only"):
        make("champion:3")


def test_a_process_is_told_the_strategy_and_where_the_tables_are() -> None:
    """One module serves all strategies; other bots are modules of their own and need no tables."""
    tables = Path("/somewhere")
    assert command("algo3:10:7")[1:] == ("-m", "bots.reference.strategy", "algo3:10:7")
    assert command("perfect", tables)[1:] == ("-m", "bots.reference.strategy", "perfect", "/somewhere")
    assert command("strong", tables)[1:] == ("-m", "bots.reference.strong")
