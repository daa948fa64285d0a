"""Reading what is typed: durations, parameters, time controls."""

from __future__ import annotations

import pytest

from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import TimeOptions, game_params, milliseconds, params_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1s", 1000), ("500ms", 500), ("1m", 60_000), ("60", 60_000), ("1.5s", 1500), ("2h", 7_200_000)],
)
def test_durations_are_read(text: str, expected: int) -> None:
    """Units and bare seconds give milliseconds."""
    assert milliseconds(text) == expected


@pytest.mark.parametrize("text", ["", "s", "-1s", "1 year", "0.5ms", "1e3", "nan"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    """Anything else is an error that shows how to write one."""
    with pytest.raises(UsageError, match=r"duration|finer"):
        milliseconds(text)


def test_parameters_are_json_or_else_text() -> None:
    """Values keep their JSON kind."""
    read = game_params(["size=6", "reversed=false", "heaps=[3,4]", "name=x=y"])
    assert read == {"size": 6, "reversed": False, "heaps": [3, 4], "name": "x=y"}


def test_parameters_are_told_as_they_are_typed() -> None:
    """Each is what `--param` reads as the same value."""
    params = {"heaps": [3, 4], "misere": False, "size": 6}
    assert params_text(params) == "heaps=[3,4], misere=false, size=6"
    assert game_params(params_text(params).split(", ")) == params


@pytest.mark.parametrize("texts", [["size"], ["=6"], ["size=6", "size=8"]])
def test_unusable_parameters_are_refused(texts: list[str]) -> None:
    """A parameter without a name or a value, or given twice, is refused."""
    with pytest.raises(UsageError):
        game_params(texts)


def test_an_extension_is_twice_the_move_time_unless_it_is_given() -> None:
    """The class's 60 s up to 120 s scales with the move time."""
    assert TimeOptions("1s").control() == {"move_ms": 1000, "extension_ms": 2000}
    assert TimeOptions("1s", 2, "5s").control()["extension_ms"] == 5000
    assert TimeOptions().control(bank="1m", startup=None) == {"bank_ms": 60_000}
    with pytest.raises(UsageError, match="--extension-time"):
        TimeOptions("2s", None, "1s").control()
