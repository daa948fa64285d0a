"""What most likely lies behind a fault of a bot, by its evidence; whoever reads it is told so, no more."""

from __future__ import annotations

import re
from typing import NamedTuple

from workers.core.contract import NOT_READY, FaultCode

MISSING = re.compile(r"^(?:ModuleNotFoundError|ImportError): No module named '([\w.]{1,100})'", re.MULTILINE)
IDLE_SHARE = 0.1
"""Whoever used less than this share of the time that passed was not thinking."""
BUSY_SHARE = 0.7
"""Whoever used more than this share of it did nothing else."""
INDENT = r"(?:[ ]|\\t|\t)"
"""Tabs are written as an escape in what is kept."""
TRACEBACKS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^Traceback \(most recent call last\):\n(?:(?:[ ].*)?\n)*(?P<error>\S.*)",
        r"^  File \"[^\"\n]+\", line \d+\n(?:[ ].*\n){0,3}(?P<error>\w*Error: .*)",
        rf"^Exception in thread \"[^\"\n]*\" (?P<error>.*)(?:\n(?:{INDENT}+(?:at|\.\.\.) |Caused by: ).*)*",
        rf"^(?:Uncaught )?(?P<error>\w*Error\b.*)(?:\n{INDENT}+at .*)+",
        r"^thread '[^'\n]*'(?: \(\d+\))? panicked at [^\n]+:\n(?P<error>.*)(?:\n(?:stack|note): .*)*",
        r"^(?:panic|fatal error): (?P<error>.*)(?:\n.*)*",
        rf"^\[ERROR\] FATAL UNHANDLED EXCEPTION: (?P<error>.*)(?:\n{INDENT}+at .*)*",
    )
)
"""How programs say where they broke: Python twice, Java, JavaScript and TypeScript, Rust, Go, and C#."""
PLACES = (
    (re.compile(r"^  File \"(?:[^\"\n]*/)?([^\"\n/]{1,80})\", line (\d+)", re.MULTILINE), -1),
    (re.compile(r"(?<![\w.-])([\w.-]{1,80}\.(?:java|js|mjs|ts|rs|go|cs)):(\d+)"), 0),
)
"""A file and a line in it, and which of several: Python tells the innermost last."""
LOOKED_AT = 2000
"""So many characters of both ends of an account are searched for places."""


def missing_module(stderr: str) -> str | None:
    """The Python module that the bot wanted and that is not there, if it ended so."""
    found = MISSING.search(stderr)
    return found[1] if found else None


def was_silent(code: str, detail: str, *, clock: float, cpu: float | None, received: str) -> bool:
    """Whether a bot was late, had sent nothing, and was not thinking as far as is known; both in one unit.

    So is one whose answer stays in its own buffer: it waits for the next request.
    """
    late = code == FaultCode.TIMEOUT or (code == FaultCode.STARTUP and detail.startswith(NOT_READY))
    return late and not received and (cpu is None or cpu < IDLE_SHARE * clock)


def was_busy(code: str, *, clock: float, cpu: float | None) -> bool:
    """Whether a bot was late because it computed all the time; both in one unit."""
    return code == FaultCode.TIMEOUT and cpu is not None and cpu > BUSY_SHARE * clock


class Broken(NamedTuple):
    """Where in a text a program says how it broke, from `start` to `end`: its error, its file and line."""

    start: int
    end: int
    error: str
    place: str | None


def where_broken(stderr: str) -> Broken | None:
    """The last account in `stderr` of how the program broke."""
    found = [each for pattern in TRACEBACKS for each in pattern.finditer(stderr)]
    if not found:
        return None
    last = max(found, key=lambda each: (each.end(), -each.start()))
    return Broken(last.start(), last.end(), last["error"].strip(), _place(last[0]))


def with_error(detail: str, stderr: str) -> str:
    """What happened, and the error behind it where the program has said how it broke."""
    broken = where_broken(stderr)
    if broken is None:
        return detail
    return f"{detail}: {broken.error} ({broken.place})" if broken.place else f"{detail}: {broken.error}"


def _place(account: str) -> str | None:
    ends = account if len(account) <= 2 * LOOKED_AT else f"{account[:LOOKED_AT]}\n{account[-LOOKED_AT:]}"
    for pattern, which in PLACES:
        if places := pattern.findall(ends):
            file, line = places[which]
            return f"{file}:{line}"
    return None
