"""What the evidence of a fault points to."""

from __future__ import annotations

import importlib
import traceback

import pytest

from arena.core.diagnosis import missing_module, was_silent


@pytest.mark.parametrize("wanted", ["numpy_that_is_not_there", "json.numpy_that_is_not_there"])
def test_a_missing_module_is_named_as_python_says_it(wanted: str) -> None:
    """Whatever else the bot wrote before."""
    try:
        importlib.import_module(wanted)
    except ImportError:
        told = traceback.format_exc()
    assert missing_module(f"hello\n{told}") == wanted


@pytest.mark.parametrize("stderr", ["", "ValueError: No module named 'x'", "No module named 'x'"])
def test_nothing_else_is_taken_for_one(stderr: str) -> None:
    """Only what ends a program counts."""
    assert missing_module(stderr) is None


@pytest.mark.parametrize(
    ("code", "clock", "cpu", "received", "told"),
    [
        ("timeout", 1000, 20, "", True),
        ("startup", 1000, 20, "", True),
        ("timeout", 1000, 900, "", False),
        ("startup", 1000, None, "", True),
        ("timeout", 1000, 20, '{"id":', False),
        ("crash", 1000, 20, "", False),
    ],
)
def test_who_is_late_without_having_worked_was_silent(
    code: str, clock: float, cpu: float | None, received: str, told: bool
) -> None:
    """One that worked, or sent a part, was not."""
    assert was_silent(code, clock=clock, cpu=cpu, received=received) is told
