"""Tables and shares as lines of text, in every language side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engines.columns import columns_of, padded
from engines.presentation.words import Words

COLUMN_GAP = "  "


def table_lines(columns: Sequence[object], rows: Iterable[Sequence[object]]) -> Iterator[Words]:
    """A table as lines: every column as wide as it must be on a terminal, numbers aligned to the right.

    Titles and cells that are `Words` are said in each language, and others are the same in all.
    """
    cells = [[_told(cell) for cell in row] for row in ([*columns], *rows)]
    english = _aligned([[cell.english for cell in row] for row in cells])
    chinese = _aligned([[cell.chinese for cell in row] for row in cells])
    yield from map(Words, english, chinese)


def share(part: int, whole: int) -> str:
    """A part of a whole in percent, with one decimal."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _told(cell: object) -> Words:
    if isinstance(cell, Words):
        return cell
    text = "" if cell is None else str(cell)
    return Words(text, text)


def _aligned(cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of a table in one language; the titles come first."""
    widths = [max(map(columns_of, column)) for column in zip(*cells, strict=True)]
    right = [all(map(_is_number, column[1:])) for column in zip(*cells, strict=True)]
    for row in cells:
        texts = (
            padded(cell, width, right=number) for cell, width, number in zip(row, widths, right, strict=True)
        )
        yield COLUMN_GAP.join(texts).rstrip()


def _is_number(text: str) -> bool:
    return text.removesuffix(" %").lstrip("+-").replace(".", "", 1).isdigit() or text in ("", "-")
