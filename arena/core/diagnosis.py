"""What most likely lies behind a fault of a bot, by its evidence; whoever reads it is told so, no more."""

from __future__ import annotations

import re

from workers.core.contract import FaultCode

MISSING = re.compile(r"^(?:ModuleNotFoundError|ImportError): No module named '([\w.]{1,100})'", re.MULTILINE)
IDLE_SHARE = 0.1
"""Whoever used less than this share of the time that passed was not thinking."""


def missing_module(stderr: str) -> str | None:
    """The Python module that the bot wanted and that is not there, if it ended so."""
    found = MISSING.search(stderr)
    return found[1] if found else None


def was_silent(code: str, *, clock: float, cpu: float | None, received: str) -> bool:
    """Whether a bot was late, had sent nothing, and was not thinking as far as is known; both in one unit.

    So is one whose answer stays in its own buffer: it waits for the next request.
    """
    late = code in {FaultCode.TIMEOUT, FaultCode.STARTUP}
    return late and not received and (cpu is None or cpu < IDLE_SHARE * clock)


def advice_of(code: str, clock: float, cpu: float | None, received: str, stderr: str) -> str | None:
    """What to look for after a fault with this evidence."""
    if module := missing_module(stderr):
        return f"{module} is not there: a bot has Python's standard library and what it brings in its zip"
    if was_silent(code, clock=clock, cpu=cpu, received=received):
        return "nothing came from it: is each answer a whole line, and flushed?"
    return None
