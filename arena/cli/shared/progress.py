"""How far a long piece of work is, on standard error."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from arena.cli.shared.output import console, note
from arena.core.words import say

SHARES = 10
"""Without a terminal, a line is written for every tenth of a simulation."""


@contextlib.contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Show how many of `total` are done; what it gives is called once for each.

    A bar on a terminal; elsewhere a line for every tenth.
    """
    if not sys.stderr.isatty():
        yield _in_lines(what, total)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        bar = progress.add_task(what, total=total)
        yield lambda: progress.advance(bar)


@contextlib.contextmanager
def following(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a piece of work whose size it tells itself: what this gives is called with (done, total).

    A bar on a terminal; elsewhere a line for every tenth, but not more than one a second.
    """
    if not sys.stderr.isatty():
        yield _in_tenths(what)
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        bar = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(bar, completed=done, total=total)


def _in_tenths(what: str) -> Callable[[int, int], None]:
    told, last = 0, time.monotonic()

    def follow(done: int, total: int) -> None:
        nonlocal told, last
        tenth = 10 * done // total if total else 0
        if tenth > told and time.monotonic() > last + 1:
            told, last = tenth, time.monotonic()
            note(say("{what}: {percent} %", what=what, percent=10 * tenth))

    return follow


def _in_lines(what: str, total: int) -> Callable[[], None]:
    done = 0
    note(say("{what}: 0 of {total}", what=what, total=total))

    def advance() -> None:
        nonlocal done
        done += 1
        if 10 * done // total != 10 * (done - 1) // total:
            note(say("{what}: {done} of {total}", what=what, done=done, total=total))

    return advance


@contextlib.contextmanager
def showing(total: int, begun: int) -> Iterator[Callable[[int], None]]:
    """Show how many of `total` games are played, `begun` of them before; what it gives is told the number."""
    if not sys.stderr.isatty():
        yield _Lines(total, begun)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    speed = TextColumn("{task.fields[speed]}")
    columns = (TextColumn(say("games")), BarColumn(), MofNCompleteColumn(), speed, TimeRemainingColumn())
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
        note(
            say(
                "games played: {done:,} of {total:,} ({speed:,.0f}/s, {left:,.0f} s left)",
                done=done,
                total=self._total,
                speed=speed,
                left=left,
            )
        )
