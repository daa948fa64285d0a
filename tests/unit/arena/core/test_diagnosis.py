"""What the evidence of a fault points to."""

from __future__ import annotations

import importlib
import traceback

import pytest

from arena.core.diagnosis import missing_module, was_silent, with_error
from workers.core.contract import NO_CPU_CONTENTION, FaultCode
from workers.play.faults import end_fault, startup
from workers.play.player import Fault

ENDED = end_fault(1, b"").detail
LATE = startup(Fault(FaultCode.TIMEOUT, "sent no answer in time"), 5000, NO_CPU_CONTENTION).detail


@pytest.mark.parametrize("wanted", ["numpy_that_is_not_there", "json.numpy_that_is_not_there"])
def test_a_missing_module_is_named_as_python_says_it(wanted: str) -> None:
    """The missing module is found in a traceback that follows other output."""
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
    ("code", "detail", "cpu", "received", "told"),
    [
        ("timeout", "no answer", 20, "", True),
        ("startup", LATE, 20, "", True),
        ("timeout", "no answer", 900, "", False),
        ("startup", LATE, None, "", True),
        ("timeout", "no answer", 20, '{"id":', False),
        ("crash", ENDED, 20, "", False),
        ("startup", ENDED, 20, "", False),
    ],
)
def test_who_is_late_without_having_worked_was_silent(
    code: str, detail: str, cpu: float | None, received: str, told: bool
) -> None:
    """One that worked, sent a part, or ended by itself was not."""
    assert was_silent(code, detail, clock=1000, cpu=cpu, received=received) is told


def test_the_error_is_named_where_a_program_has_said_it() -> None:
    """With its file and line if these are told; else what happened stands alone."""
    said = 'File "/bot/main.py", line 3\n    def\n       ^\nSyntaxError: invalid syntax\n'
    assert with_error(ENDED, f"  {said}") == f"{ENDED}: SyntaxError: invalid syntax (main.py:3)"
    assert with_error(ENDED, "panic: no moves\n") == f"{ENDED}: no moves"
    assert with_error(ENDED, "well") == ENDED
