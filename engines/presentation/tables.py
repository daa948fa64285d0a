"""Tables and shares as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

COLUMN_GAP = "  "


def table_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A table as lines of text: every column as wide as it must be, numbers aligned to the right."""
    cells = [[*columns], *([_text(cell) for cell in row] for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(columns))]
    right = [all(_is_number(row[at]) for row in cells[1:]) for at in range(len(columns))]
    for row in cells:
        padded = (
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, right, strict=True)
        )
        yield COLUMN_GAP.join(padded).rstrip()


def share(part: int, whole: int) -> str:
    """A part of a whole in percent, with one decimal."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _text(cell: object) -> str:
    return "" if cell is None else str(cell)


def _is_number(text: str) -> bool:
    return text.removesuffix(" %").lstrip("+-").replace(".", "", 1).isdigit() or text in ("", "-")
