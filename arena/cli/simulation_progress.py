"""How far a simulation is, on standard error, with its speed and the time that is left."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from arena.cli.output import console, note

SHARES = 10
"""Without a terminal, a line is written for every tenth."""


@contextlib.contextmanager
def showing(total: int, begun: int) -> Iterator[Callable[[int], None]]:
    """Show how many of `total` games are played, `begun` of them before; what it gives is told the number."""
    if not sys.stderr.isatty():
        yield _Lines(total, begun)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    speed = TextColumn("{task.fields[speed]}")
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), speed, TimeRemainingColumn())
    meter = _Meter(begun)
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        bar = progress.add_task("games", total=total, completed=begun, speed="")
        yield lambda done: progress.update(bar, completed=done, speed=f"{meter.speed(done):,.0f}/s")


class _Meter:
    """Measures how many games a second are played from now on."""

    def __init__(self, begun: int) -> None:
        self._begun = begun
        self._started = time.monotonic()

    def speed(self, done: int) -> float:
        """Games a second so far."""
        return (done - self._begun) / max(time.monotonic() - self._started, 1e-9)


class _Lines:
    """A line for every tenth of the games."""

    def __init__(self, total: int, begun: int) -> None:
        self._total = total
        self._told = SHARES * begun // total
        self._meter = _Meter(begun)

    def __call__(self, done: int) -> None:
        if SHARES * done // self._total == self._told:
            return
        self._told = SHARES * done // self._total
        speed = self._meter.speed(done)
        left = (self._total - done) / max(speed, 1e-9)
        note(f"games played: {done:,} of {self._total:,} ({speed:,.0f}/s, {left:,.0f} s left)")
