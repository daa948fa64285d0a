"""Every position of a game in a file: CSV, JSON, an object a line, or Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from arena.local.columns import Table
from engines.solvers.listing import Entry

BETWEEN = " "
"""Stands between the best moves in a cell; no move has one in it."""


def as_csv(entries: Iterable[Entry]) -> Iterator[bytes]:
    """A line of headings, then a line a position; the position itself is JSON in its cell."""
    yield _row(Entry._fields)
    for position, value, distance, best in entries:
        yield _row((_text(position), value, "" if distance is None else distance, BETWEEN.join(best)))


def as_json_lines(entries: Iterable[Entry]) -> Iterator[bytes]:
    """An object a position."""
    for entry in entries:
        yield (json.dumps(entry._asdict(), separators=(",", ":")) + "\n").encode()


def as_table(entries: Callable[[], Iterable[Entry]]) -> Table:
    """A row a position; the position itself is a text of JSON."""
    kinds = {"position": "string", "value": "string", "distance": "int32?", "best": "list<string>"}
    return Table(kinds, lambda: ((_text(position), *others) for position, *others in entries()))


def as_parquet(entries: Iterable[Entry]) -> Iterator[bytes]:
    """A row a position, in columns."""
    return as_table(lambda: entries).parquet()


FORMS: dict[str, Callable[[Iterable[Entry]], Iterator[bytes]]] = {
    ".csv": as_csv,
    ".jsonl": as_json_lines,
    ".parquet": as_parquet,
}
"""The formats by the ends of files' names."""


def _text(position: Mapping[str, Any]) -> str:
    return json.dumps(position, separators=(",", ":"))


def _row(cells: Iterable[object]) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written).writerow(cells)
    return written.getvalue().encode()
