"""Every position of a game as the lines of a file: CSV, or JSON, an object a line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator

from engines.solvers.listing import Entry

BETWEEN = " "
"""Stands between the best moves in a cell; no move has one in it."""


def as_csv(entries: Iterable[Entry]) -> Iterator[bytes]:
    """A line of headings, then a line a position; the position itself is JSON in its cell."""
    yield _row(Entry._fields)
    for position, value, distance, best in entries:
        told = json.dumps(position, separators=(",", ":"))
        yield _row((told, value, "" if distance is None else distance, BETWEEN.join(best)))


def as_json_lines(entries: Iterable[Entry]) -> Iterator[bytes]:
    """An object a position."""
    for entry in entries:
        yield (json.dumps(entry._asdict(), separators=(",", ":")) + "\n").encode()


FORMS: dict[str, Callable[[Iterable[Entry]], Iterator[bytes]]] = {".csv": as_csv, ".jsonl": as_json_lines}
"""The formats by the ends of files' names."""


def _row(cells: Iterable[object]) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written).writerow(cells)
    return written.getvalue().encode()
