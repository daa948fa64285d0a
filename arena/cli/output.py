"""Where words go: data to standard output, everything else to standard error."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli.failures import UsageError

if TYPE_CHECKING:
    from rich.console import Console


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def print_line(text: str = "") -> None:
    """One line of data on standard output, as it is."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """One line about what is going on, on standard error."""
    sys.stderr.write(text + "\n")


def require_place(path: Path) -> None:
    """Refuse a path where `write_whole` could make no file, before what shall stand in it is computed.

    Raises:
        UsageError: it is a folder, or in none that exists and can be written.
    """
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"{path} cannot be written: it is a folder, or in none that exists")
    target = path.resolve()
    if not os.access(target if target.exists() and not target.is_file() else target.parent, os.W_OK):
        raise UsageError(f"{path} cannot be written: permission denied")


def write_whole(path: Path, pieces: Iterable[bytes]) -> int:
    """Write a file that appears only when all of it is there; what is no plain file is written directly.

    Returns how many bytes it has.

    Raises:
        UsageError: it cannot be written.
    """
    target = path.resolve()
    direct = target.exists() and not target.is_file()
    part = target if direct else target.with_name(f".arena-export-{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            size = sum(map(file.write, pieces))
        if not direct:
            part.replace(target)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        if not direct:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
    return size


def console(*, stderr: bool = False) -> Console:
    """A Rich console that interprets no markup and keeps every number plain."""
    from rich.console import Console

    wide = None if (sys.stderr if stderr else sys.stdout).isatty() else 160
    return Console(stderr=stderr, markup=False, highlight=False, soft_wrap=False, width=wide)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None) -> None:
    """A table on standard output; columns whose title begins with `>` are aligned to the right."""
    console().print(make_table(columns, rows, title))


def make_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None) -> Any:
    """A Rich table in the house's form."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for column in columns:
        right = column.startswith(">")
        table.add_column(column.removeprefix(">"), justify="right" if right else "left")
    for row in rows:
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    return table


def duration(nanoseconds: float) -> str:
    """A duration in the unit that shows it best: µs, ms or s."""
    if nanoseconds < 1e6:
        return f"{nanoseconds / 1e3:.0f} µs"
    unit, size = ("ms", 1e6) if nanoseconds < 1e9 else ("s", 1e9)
    value = nanoseconds / size
    return f"{value:.3g} {unit}" if value < 100 else f"{value:.0f} {unit}"
