"""An export that the arena streams, to standard output or into a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.shared.failures import UsageError
from arena.cli.shared.output import note, print_json
from arena.core.words import say, say_many
from arena.local.files import require_place, write_whole

Output = Annotated[Path | None, typer.Option("-o", "--output", help="A file to write instead.")]


def check_export(output: Path | None, *, force: bool, as_json: bool) -> None:
    """Refuse, before anything is asked for, an export that has no place or mixes with the JSON about it.

    Raises:
        UsageError: the file cannot be written or is there already, or both would go to standard output.
    """
    if as_json and output is None:
        raise UsageError(say("--json needs --output: without it the export itself goes to standard output"))
    if output is not None:
        require_place(output, force=force)


def write_export(
    pieces: Iterator[bytes], output: Path | None, about: dict[str, Any], *, force: bool, as_json: bool
) -> None:
    """Write the export; with `as_json`, `about` is printed with the file and its size.

    Nothing is written before the first piece is there, so that what is refused leaves no file.
    """
    first = next(pieces, b"")
    if output is None:
        sys.stdout.buffer.write(first)
        sys.stdout.buffer.writelines(pieces)
        return
    size = write_whole(output, chain((first,), pieces), force=force)
    if as_json:
        print_json(about | {"file": str(output), "bytes": size})
    else:
        note(say("{output}: {size}", output=output, size=say_many("{number} byte", "{number} bytes", size)))
