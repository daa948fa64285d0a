"""Where words go: data to standard output, everything else to standard error.

Whatever is shown may have come from others, so that no control character in it reaches a terminal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from workers.core.escape import escape_text

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console


def print_json(value: Any) -> None:
    """One JSON document on standard output; an answer of the API may stand anywhere in it."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=_fields)
    if not text.replace("\n", "").isprintable():
        text = "".join(
            char if char == "\n" or char.isprintable() else json.dumps(char)[1:-1] for char in text
        )
    sys.stdout.write(text + "\n")


def _fields(answer: BaseModel) -> dict[str, Any]:
    return answer.model_dump(mode="json")


def print_line(text: str = "") -> None:
    """One line of data on standard output."""
    sys.stdout.write(escape_text(text) + "\n")


def note(text: str) -> None:
    """One line about what is going on, on standard error."""
    sys.stderr.write(escape_text(text) + "\n")


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

    table = Table(
        box=box.SIMPLE_HEAD, title=title and escape_text(title), title_justify="left", pad_edge=False
    )
    for column in columns:
        right = column.startswith(">")
        table.add_column(escape_text(column.removeprefix(">")), justify="right" if right else "left")
    for row in rows:
        table.add_row(*(Text("" if cell is None else escape_text(str(cell))) for cell in row))
    return table


def duration(nanoseconds: float) -> str:
    """A duration in the unit that shows it best: µs, ms or s."""
    if nanoseconds < 1e6:
        return f"{nanoseconds / 1e3:.0f} µs"
    unit, size = ("ms", 1e6) if nanoseconds < 1e9 else ("s", 1e9)
    value = nanoseconds / size
    return f"{value:.3g} {unit}" if value < 100 else f"{value:.0f} {unit}"
