"""`arena roster`: a whole class is let in at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.shared.commands import Commands
from arena.cli.shared.connection import connect_with_token
from arena.cli.shared.failures import UsageError
from arena.cli.shared.options import AsJson
from arena.cli.shared.output import note, print_json
from arena.core.words import say
from arena.interchange.roster import Encoding

if TYPE_CHECKING:
    from arena.schemas.roster import RosterOut

app = Commands()


@app.callback()
def _group() -> None:
    """Keep `import` a command of the group while it is the only one."""


@app.command("import")
def import_roster(
    file: Annotated[
        Path, typer.Argument(help="A file with columns user, team, role and bot, parted by commas or tabs.")
    ],
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    encoding: Annotated[
        Encoding, typer.Option(help="cp950 is the Big5 of spreadsheets in Traditional Chinese.")
    ] = Encoding.UTF_8,
    class_name: Annotated[str | None, typer.Option("--class", help="The new users' class.")] = None,
    as_json: AsJson = False,
) -> None:
    """Let a class in: all users of a file or, when a line is wrong, nobody.

    The new users' tokens are printed this once, as CSV to be kept: arena roster import class.csv > tokens.csv
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(
            say("{file} cannot be read: {strerror}", file=file, strerror=error.strerror)
        ) from None
    with connect_with_token() as client:
        made = client.import_roster(
            file.name, data, dry_run=dry_run, encoding=encoding, class_name=class_name
        )
    if as_json:
        print_json(made)
        return
    _tell(made)


def _tell(made: RosterOut) -> None:
    from arena.interchange.tables import BOM, csv_line

    new = [item for item in made.items if item.created]
    lines = [csv_line(("user", "role", "token", "bots", "team"))]
    lines += [
        csv_line((item.name, item.role, item.token or "", " ".join(item.bots), item.team or ""))
        for item in new
    ]
    sys.stdout.buffer.write((BOM + "".join(lines)).encode())
    there, kept = len(made.items) - len(new), sum(len(item.bots) for item in made.items)
    sentence = (
        say("let in: {count} would be, there already: {there}, names of bots that would be kept: {kept}")
        if made.dry_run
        else say("let in: {count}, there already: {there}, names of bots that are kept: {kept}")
    )
    note(sentence.format(count=len(new), there=there, kept=kept))
    for warning in made.warnings:
        note(warning)
    if made.ignored:
        note(say("columns passed over: {ignored}", ignored=", ".join(made.ignored)))
