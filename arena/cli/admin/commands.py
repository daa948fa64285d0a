"""`arena admin`: backups, the tables' version, and whether what is stored is what was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.admin import user
from arena.cli.admin.erase import erase
from arena.cli.admin.prune import prune
from arena.cli.shared.commands import Commands
from arena.cli.shared.failures import CliError
from arena.cli.shared.folders import data_folder
from arena.cli.shared.options import AsJson, Data, Force
from arena.cli.shared.output import note, print_json, print_line
from arena.cli.shared.progress import following
from arena.core.words import say, say_many

if TYPE_CHECKING:
    from arena.administration.bundle import Manifest

app = Commands()
app.command()(erase)
app.command()(prune)
app.add_typer(user.app, name="user", help="Users, by the database itself: for who is locked out.")

ENDING = ".arena-backup.zip"


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(metavar="FILE|DIR", help="The file, or a folder for it.")],
    *,
    recordings: Annotated[
        bool, typer.Option(help="With the games of experiments that are recorded in columns.")
    ] = True,
    force: Force = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Write the whole arena into one file, while it runs or not; the file has secrets in it."""
    from arena.administration.backup import backup as back_up
    from arena.administration.opening import opened
    from arena.core.clock import utc_now

    if target.is_dir():
        target /= f"arena-{utc_now():%Y%m%d-%H%M%S}{ENDING}"
    with opened(data_folder(data)) as arena, following(say("backing up")) as progress:
        manifest = back_up(arena, target, force=force, recordings=recordings, progress=progress)
    for each in manifest.missing:
        what = each if "/" in each else say("the archive {what}", what=each[:12])
        note(say("{what} is not in the backup: the store has it no more, or damaged", what=what))
    if as_json:
        print_json({"file": str(target), "bytes": target.stat().st_size, **_told(manifest)})
        return
    rows = sum(table.rows for table in manifest.tables)
    print_line(
        say(
            "{target} has {rows} of {count} and {manifest}.",
            target=target,
            rows=say_many("{number} row", "{number} rows", rows),
            count=say_many("{number} table", "{number} tables", len(manifest.tables)),
            manifest=say_many("{number} file", "{number} files", _files(manifest)),
        )
    )
    print_line(say("Whoever has it can sign in as anybody: keep it as you keep passwords."))


@app.command()
def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")],
    *,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Make an arena of a backup, in a data folder and a database in which there is nothing yet."""
    from arena.administration.restoring import restore as put_back

    folder = data_folder(data)
    with following(say("restoring")) as progress:
        manifest = put_back(source, folder, progress)
    if as_json:
        print_json({"data": str(folder.root), **_told(manifest)})
        return
    print_line(
        say(
            "{root} has the arena of {taken_at}; start it with `arena up`.",
            root=folder.root,
            taken_at=manifest.taken_at,
        )
    )


def _files(manifest: Manifest) -> int:
    return len(manifest.members) - len(manifest.tables)


def _told(manifest: Manifest) -> dict[str, Any]:
    return {
        "arena": manifest.arena,
        "revision": manifest.revision,
        "database": manifest.database,
        "taken_at": manifest.taken_at,
        "tables": {table.name: table.rows for table in manifest.tables},
        "files": _files(manifest),
        "missing": manifest.missing,
        "left_out": manifest.left_out,
    }


@app.command()
def verify(data: Data = None, as_json: AsJson = False) -> None:
    """Work out all sums again from the recorded results, and read all bots; exit code 1 if any differs."""
    from arena.administration.opening import opened, require_present
    from arena.administration.verifying import verify as compare

    with opened(data_folder(data)) as arena, following(say("verifying")) as progress:
        require_present(arena)
        made = compare(arena, progress)
    if as_json:
        counts = {"tournaments": made.tournaments, "frozen": made.frozen, "archives": made.archives}
        print_json({**counts, "differences": [each._asdict() for each in made.differences]})
    else:
        for each in made.differences:
            print_line(f"{each.part} {each.name}: {each.difference}")
    if made.differences:
        raise CliError(say("{count} of what is stored is not what was recorded", count=len(made.differences)))
    if not as_json:
        looked = say(
            "{tournaments}, {frozen}, {archives}",
            tournaments=say_many("{number} tournament", "{number} tournaments", made.tournaments),
            frozen=say_many("{number} frozen copy", "{number} frozen copies", made.frozen),
            archives=say_many("{number} archive", "{number} archives", made.archives),
        )
        print_line(say("{looked}: all right.", looked=looked))


@app.command()
def migrate(
    check: Annotated[
        bool, typer.Option("--check", help="Only say what would be done; exit code 1 if anything would.")
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Bring the tables of a database to this version's, as `arena up` does; take a backup before."""
    from arena.administration.opening import opened
    from arena.core.errors import AlreadyRunningError
    from arena.core.folder import is_held

    folder = data_folder(data)
    with opened(folder) as arena:
        steps = arena.database.outstanding()
        if steps and not check:
            if is_held(folder):
                raise AlreadyRunningError(
                    say("an arena runs on {root}; stop it first with `arena down`", root=folder.root)
                )
            arena.database.migrate()
    if as_json:
        print_json({"revisions": steps, "done": not check})
    elif steps:
        print_line(f"{say('To be done') if check else say('Done')}: {', '.join(steps)}")
    else:
        print_line(say("The tables are those of this version."))
    if steps and check:
        raise CliError(say("the tables are of an older version; `arena admin migrate` brings them up"))
