"""One player's clock: pure arithmetic on measured times.

An answer is due within `move_ms`. Time beyond that is drawn from the bank, where there is one with
something in it. When the bank cannot cover it either, one extension, if left, is spent and the answer is
due within `extension_ms` in all. Without one left the player has lost on time. Every answer in time adds
`increment_ms` to the bank. The grace is added to each of these limits when judging and is charged to
nobody; it is not shown to the bot.

A clock does not run while others have the processor that the bot waits for. As what is measured of that may
be wrong, and the host too busy for anything to be judged, this has a bound, and a bot that is late although
it lost a good part of its time to others is excused: its match is played again, once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from workers.core.contract import TimeControl

NS_PER_MS = 1_000_000
MAX_PATIENCE = 15
"""So many times the time allowed is waited, at most, on top of it, for what a bot lost to others.

A bot that needs half its time gets it where a thirtieth of a core is left for it: beside programs with a
real-time priority the kernel leaves the others a twentieth.
"""
MIN_EXCUSE = 0.25
"""The part of the time allowed that must be lost to others to excuse that an answer is late."""


def patience_ns(lost_ns: int, allowed_ns: int) -> int:
    """How much longer than `allowed_ns` an answer is waited for, if so much was lost to others."""
    return min(lost_ns, MAX_PATIENCE * max(0, allowed_ns))


def excused(lost_ns: int, allowed_ns: int) -> bool:
    """Whether what was lost to others explains that no answer came within `allowed_ns`."""
    return lost_ns >= MIN_EXCUSE * allowed_ns


class Charge(NamedTuple):
    """What one answer cost: whether it came in time, and whether an extension was spent on it."""

    in_time: bool
    extension: bool


PLAIN = Charge(in_time=True, extension=False)


class Clock:
    """The ledger of one player in one match."""

    def __init__(self, control: TimeControl) -> None:
        self._move_ms = control.move_ms
        self._move_ns = control.move_ms * NS_PER_MS
        self._extension_ns = control.extension_ms * NS_PER_MS
        self._increment_ns = control.increment_ms * NS_PER_MS
        self._grace_ns = control.grace_ms * NS_PER_MS
        self._bank_ns = None if control.bank_ms is None else control.bank_ms * NS_PER_MS
        self.extensions_left = control.extensions
        self.last_ns = 0
        self.total_ns = 0
        self.slowest_ns = 0

    @property
    def bank_ms(self) -> int | None:
        """What is left of the bank, in whole milliseconds; None where the match has no bank."""
        return None if self._bank_ns is None else self._bank_ns // NS_PER_MS

    def _ordinary_ns(self) -> int:
        """How long an answer may take without an extension, grace included."""
        return self._move_ns + (self._bank_ns or 0) + self._grace_ns

    def allowed_ns(self) -> int:
        """How long to wait for the next answer before the player has lost on time, grace included."""
        ordinary = self._ordinary_ns()
        return max(ordinary, self._extension_ns + self._grace_ns) if self.extensions_left else ordinary

    def charge(self, elapsed_ns: int) -> Charge:
        """Book an answer that took `elapsed_ns`, or a wait of that length that brought none."""
        self.last_ns = elapsed_ns
        self.total_ns += elapsed_ns
        self.slowest_ns = max(self.slowest_ns, elapsed_ns)
        if self._bank_ns is None and elapsed_ns <= self._move_ns:
            return PLAIN
        in_time = elapsed_ns <= self._ordinary_ns()
        extension = not in_time and self.extensions_left > 0
        if extension:
            in_time = elapsed_ns <= self._extension_ns + self._grace_ns
            self.extensions_left -= 1
        if self._bank_ns is not None:
            beyond = max(0, elapsed_ns - self._move_ns)
            self._bank_ns = max(0, self._bank_ns - beyond) + (self._increment_ns if in_time else 0)
        return Charge(in_time, extension)

    def shown(self) -> dict[str, Any]:
        """The ledger as a bot sees it in a request."""
        return {
            "move_ms": self._move_ms,
            "extensions_left": self.extensions_left,
            "bank_ms": self.bank_ms,
            "last_ms": self.last_ns // NS_PER_MS,
        }
