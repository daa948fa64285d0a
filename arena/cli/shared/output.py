"""Where words go: data to standard output, everything else to standard error.

Whatever is shown may have come from others, so that no control character in it reaches a terminal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from arena.core.words import say, word
from workers.core.escape import escape_text

if TYPE_CHECKING:
    from decimal import Decimal

    from pydantic import BaseModel
    from rich.console import Console


GAP = 3
"""So wide is what stands between two columns of a table, and one less at both of its edges together."""
WRAPPED = 24
"""A column that is wider may be wrapped at that width, so that it stands beside others."""


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

    return Console(stderr=stderr, markup=False, highlight=False, soft_wrap=False, width=_width(stderr=stderr))


def _width(*, stderr: bool) -> int | None:
    """How wide is written: as the terminal is, and to files the same everywhere."""
    return None if (sys.stderr if stderr else sys.stdout).isatty() else 160


class Named(str):
    """A column's title that is somebody's name, and so is the same in every language."""

    __slots__ = ()


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None) -> None:
    """A table on standard output; columns whose title begins with `>` are aligned to the right.

    Where it is too wide for the terminal, it is printed in parts, each of which begins with the names.
    """
    columns = [_heading(column) for column in columns]
    cells = [["" if cell is None else str(word(cell)) for cell in row] for row in rows]
    cells = [row + [""] * (len(columns) - len(row)) for row in cells]
    out = console()
    for number, part in enumerate(_parts(columns, cells, out.width)):
        shown = [tuple(row[at] for at in part) for row in cells]
        out.print(make_table([columns[at] for at in part], shown, None if number else title))


def _heading(column: str) -> str:
    """A column's title in the reader's language, still with its sign."""
    if isinstance(column, Named):
        return column
    title = column.removeprefix(">")
    return column[: len(column) - len(title)] + say(title)


def _parts(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[list[int]]:
    """Which columns stand side by side: those up to the first of words come again in every part."""
    from rich.cells import cell_len

    texts = [escape_text(column.removeprefix(">")) for column in columns]
    needed = [
        min(WRAPPED, max(cell_len(text) for text in (head, *(escape_text(row[at]) for row in rows)))) + GAP
        for at, head in enumerate(texts)
    ]
    first = next((at for at, column in enumerate(columns) if not column.startswith(">")), 0)
    again = list(range(first + 1))
    part = list(again)
    for at in range(first + 1, len(columns)):
        if part != again and sum(needed[each] for each in (*part, at)) > width + 1:
            yield part
            part = list(again)
        part.append(at)
    yield part


def make_table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str | None = None) -> Any:
    """A Rich table in the house's form."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD, title=title and escape_text(title), title_justify="left", pad_edge=False
    )
    for column in map(_heading, columns):
        right = column.startswith(">")
        head = escape_text(column.removeprefix(">"))
        table.add_column(head, justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text("" if cell is None else escape_text(str(word(cell)))) for cell in row))
    return table


def duration(nanoseconds: float) -> str:
    """A duration in the unit that shows it best: µs, ms or s."""
    if nanoseconds < 1e6:
        return f"{nanoseconds / 1e3:.0f} µs"
    unit, size = ("ms", 1e6) if nanoseconds < 1e9 else ("s", 1e9)
    value = nanoseconds / size
    return f"{value:.3g} {unit}" if value < 100 else f"{value:.0f} {unit}"


def amount(value: float | Decimal) -> str:
    """A sum, such as of points or discs, which has all its digits before the point however large it is."""
    large = value >= 100_000 or value <= -100_000
    return f"{value:.1f}".removesuffix(".0") if large else f"{value:g}"
