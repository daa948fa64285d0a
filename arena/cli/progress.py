"""How far a long piece of work is, on standard error."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from arena.cli.output import console, note


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
            note(f"{what}: {10 * tenth} %")

    return follow


def _in_lines(what: str, total: int) -> Callable[[], None]:
    done = 0
    note(f"{what}: 0 of {total}")

    def advance() -> None:
        nonlocal done
        done += 1
        if 10 * done // total != 10 * (done - 1) // total:
            note(f"{what}: {done} of {total}")

    return advance
