"""How far a long piece of work is, on standard error."""

from __future__ import annotations

import contextlib
import sys
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


def _in_lines(what: str, total: int) -> Callable[[], None]:
    done = 0
    note(f"{what}: 0 of {total}")

    def advance() -> None:
        nonlocal done
        done += 1
        if 10 * done // total != 10 * (done - 1) // total:
            note(f"{what}: {done} of {total}")

    return advance
