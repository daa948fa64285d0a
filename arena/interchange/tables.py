"""Lines of CSV (RFC 4180) that no spreadsheet takes for formulas, and what they said."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

BOM = "\ufeff"
"""Tells a spreadsheet that a file is UTF-8."""
ACTIVE = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""What makes a cell a formula where it comes first, and the sign that says it is none."""


def csv_line(values: Iterable[object]) -> str:
    """One line, ended by CR LF; texts are guarded, numbers are not."""
    line = io.StringIO()
    csv.writer(line).writerow([guarded(value) if isinstance(value, str) else value for value in values])
    return line.getvalue()


def guarded(text: str) -> str:
    """`text` with an apostrophe before it where a spreadsheet would calculate it."""
    return f"'{text}" if text.startswith(ACTIVE) else text


def unguarded(cell: str) -> str:
    """The text that `guarded` was given."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(ACTIVE) else cell
