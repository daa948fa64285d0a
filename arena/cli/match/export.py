"""`arena match export`: recorded matches, or their moves, in columns."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import Force
from arena.cli.shared.output import note
from arena.cli.simulate.command import RowName
from arena.core.words import say, say_many


def export(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.jsonl", help="Record files.")],
    *,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE.parquet", help="The file to write.")
    ],
    by: Annotated[RowName, typer.Option(help="What a row is.")] = RowName.GAME,
    force: Force = False,
) -> None:
    """Write recorded matches, or all of their moves, as a Parquet file for pandas, Polars, DuckDB or R."""
    from arena.local.record_tables import matches, moves

    if output.suffix != ".parquet":
        raise UsageError(
            say("{path} tells no format: give a name that ends with {FORMS}", path=output, FORMS=".parquet")
        )
    table = matches(files, note) if by is RowName.GAME else moves(files, note)
    size = table.write_parquet(output, force=force)
    note(say("{path}: {size}", path=output, size=say_many("{number:,} byte", "{number:,} bytes", size)))
