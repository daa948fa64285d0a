"""The files of a sweep: the one that asks for it, and the table that comes of it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from arena.core.words import say
from arena.experiments.grid import Cell, SweepPlan
from arena.experiments.sweep_table import as_csv, as_lines
from arena.local.errors import InputError
from arena.local.files import text_of
from workers.simulation.parts import MissingParquetError, require_parquet

SUFFIXES = {".toml": tomllib.loads, ".json": json.loads}
FORMS = ("csv", "jsonl", "parquet")


def read_plan(file: Path) -> tuple[SweepPlan, list[Cell]]:
    """What a file asks for, and its cells.

    Raises:
        InputError: it cannot be read, or asks for what cannot be; the message names the file and the key.
    """
    load = SUFFIXES.get(file.suffix)
    if load is None:
        raise InputError(
            say(
                "{file}: a sweep is a file that ends with .toml or .json; docs/simulation.md shows one",
                file=file,
            )
        )
    try:
        told = load(text_of(file))
    except (ValueError, RecursionError) as error:  # of both readers, with the line
        raise InputError(
            say("{file} is not {upper}: {error}", file=file, upper=file.suffix[1:].upper(), error=error)
        ) from None
    try:
        plan = SweepPlan.model_validate(told)
        return plan, list(plan.cells())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        text = first["msg"].removeprefix("Value error, ")
        raise InputError(f"{file}: {where}: {text}" if where else f"{file}: {text}") from None
    except ValueError as error:
        raise InputError(f"{file}: {error}") from None


def form_of(file: Path) -> str:
    """The form of a table by its file's name.

    Raises:
        InputError: the name has none of them, or one that cannot be written here.
    """
    form = file.suffix[1:]
    if form not in FORMS:
        raise InputError(say("{file}: a table is a file that ends with .csv, .jsonl or .parquet", file=file))
    if form == "parquet":
        try:
            require_parquet()
        except MissingParquetError as error:
            raise InputError(str(error)) from None
    return form


def table_bytes(rows: Sequence[Mapping[str, Any]], form: str) -> Iterator[bytes]:
    """The table in a form of `form_of`."""
    if form == "parquet":
        return iter([_parquet(rows)])
    write = as_csv if form == "csv" else as_lines
    return (text.encode() for text in write(rows))


def _parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
    table = pa.table({name: pa.array(*_typed(values)) for name, values in columns.items()})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return bytes(sink.getvalue())


def _typed(values: Sequence[Any]) -> tuple[list[Any], Any]:
    """The values of a column and its type: that of all of them, text where they differ."""
    import pyarrow as pa

    there = [value for value in values if value is not None]
    for kind, types in ((pa.bool_(), (bool,)), (pa.int64(), (int,)), (pa.float64(), (int, float))):
        if there and all(type(value) in types for value in there):
            return list(values), kind
    return [None if value is None else str(value) for value in values], pa.string()


def rows_of(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """The rows of a table that came as JSON, a line each."""
    return [json.loads(line) for line in b"".join(lines).splitlines()]
